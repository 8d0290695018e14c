"""The commands of `gridpress vehicle` that race, each imported when it runs."""
