"""From ratings to a gearbox: ratios, teeth, widths, bearings, shafts, inertias by rules, written as a drivetrain file."""
