"""Report: figures, scheme of the train, one HTML page."""

from .page import report
from .record import train_record
from .scheme import scheme

__all__ = ["report", "scheme", "train_record"]
