"""Figures of speed, measured: ``python -m benchmarks [NAME...]``.

Every module here measures one set of figures, against a named peer in the same run where there is one. The peers are
in the extra ``bench``; a figure whose peer is not installed is left out and says so.
"""
