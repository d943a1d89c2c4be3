"""The version of the program, for whoever writes it into a file or reads it from one."""

__version__ = "0.2.0"


def written_by_another(version: object) -> list[str]:
    """A sentence about a result or campaign that another version wrote; none for this version and for what names none."""
    if not version or version == __version__:
        return []
    return [
        f"written by version {version} of Gearwright, read by {__version__}; CHANGELOG.md lists channels and words that changed"
    ]
