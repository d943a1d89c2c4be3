"""What a drivetrain or a result says: modes, power flow, bearings, teeth, orders, envelope, life."""
