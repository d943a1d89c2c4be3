"""The exponential engine: exact for the constant part, a small implicit system for the forces of laws."""
