"""One run: a case of a drivetrain, set-up or mechanism is prepared, stepped, counted and stored."""
