"""What a load record does to a part: counting, damage, ratings of gears, bearings and shafts, reliability."""
