"""The drivetrain spelled out: bodies and elements with everything derived, kinematics, and what a person is told of it."""
