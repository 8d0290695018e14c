"""What all tests share: properties are never judged by the clock."""

from hypothesis import settings

settings.register_profile("gridpress", deadline=None)
settings.load_profile("gridpress")
