"""One file per law: force, guard, constructor in the words of the field, and the source it follows."""
