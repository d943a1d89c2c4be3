"""Pictures and small tables as plain data, for pages and notebooks."""
