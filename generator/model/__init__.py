"""What passes between the stages: frozen values, nothing that acts."""
