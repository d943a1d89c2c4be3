"""HTML pages: the report of a run, and the page of every analysis."""
