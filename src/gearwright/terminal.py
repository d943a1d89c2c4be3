"""What a process of the command line is to those around it: its streams, its bar, the signals that end it, the last catch.

Exit codes beside those of :mod:`gearwright.console`: 129 hung up (SIGHUP), 143 terminated (SIGTERM), 130 interrupted
(Ctrl-C), each after what was computed has been kept; 70 for what nobody foresaw, in one message, with the trace where the
environment says ``GEARWRIGHT_TRACEBACK=1``.
"""

from __future__ import annotations

import errno
import os
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from gearwright import progress

#: seconds before work is worth a bar, between two pictures of it, and between two lines where a line cannot be rewritten
DELAY, REDRAW, PLAIN = 0.5, 0.1, 5.0
#: errors of a stream whose reader has gone: a closed pipe, a terminal that hung up
_GONE = (errno.EPIPE, errno.EIO, errno.ESHUTDOWN)


class Bar:
    """A line that moves on the terminal of the error stream as long as work goes on: words, bar, time left.

    It is rewritten by going back to its begin: no escape codes. Under ``TERM=dumb``, where that is not certain, it is a line
    of words every few seconds.
    """

    def __init__(self, stream: TextIO):
        self.stream, self.begin = stream, time.monotonic()
        self.dumb = os.environ.get("TERM", "") in ("dumb", "unknown")
        self._lock, self._end = threading.RLock(), threading.Event()
        self._drawn, self._turn = 0, 0
        self._from = (0.0, 0.0)  # when the first part of the work was seen to be done, and how much that was
        if DELAY <= 0.0:
            self._draw()
        self._thread = threading.Thread(target=self._move, daemon=True)
        self._thread.start()

    def _move(self) -> None:
        wait = PLAIN if self.dumb else DELAY
        while not self._end.wait(wait):
            with suppress(OSError, ValueError), self._lock:
                self._draw()
            wait = PLAIN if self.dumb else REDRAW

    def _draw(self) -> None:
        if self._end.is_set():
            return
        at_work = list(progress.stages)
        words = progress.line(at_work) if at_work else "working"
        if self.dumb:
            self.stream.write(f"{words} ...\n")
        else:
            self._turn += 1
            seconds, part = time.monotonic() - self.begin, progress.share(at_work)
            line = bar_line(words, part, seconds, self._left(seconds, part), columns(self.stream), self._turn)
            self.stream.write("\r" + line.ljust(self._drawn))
            self._drawn = len(line)
        self.stream.flush()

    def _left(self, seconds: float, part: float | None) -> float | None:
        """Time [s] that the rest takes at the pace since the first part was done; None before there is a pace."""
        since, first = self._from
        if not part or not first or part < first:
            self._from = (seconds, part or 0.0)
            return None
        return (1.0 - part) * (seconds - since) / (part - first) if part > first and seconds > since + 1.0 else None

    def clear(self) -> None:
        """Take the line away; it comes again with the next picture."""
        with suppress(OSError, ValueError), self._lock:
            if self._drawn:
                self.stream.write("\r" + " " * self._drawn + "\r")
                self.stream.flush()
                self._drawn = 0

    def stop(self) -> None:
        """Take the line away for good."""
        self._end.set()
        self.clear()


def bar_line(words: str, part: float | None, seconds: float, left: float | None, width: int, turn: int = 0) -> str:
    """One picture of a bar, shorter than the line of the terminal: words (whole ones, as many as there is room for), a bar in
    which a mark moves, per cent and the time ``left`` where they are known, the seconds since the begin where not."""
    full, empty = ("━", "╌") if (getattr(sys.stderr, "encoding", "") or "").lower().startswith("utf") else ("#", "-")
    room = min(max((width - 30) // 2, 6), 24)
    done = round((part or 0.0) * room)
    rest = max(room - done, 1)
    at = turn % max(2 * rest - 2, 1)
    at = min(at, 2 * rest - 2 - at) if rest > 1 else 0
    drawn = (full * done + empty * at + full + empty * room)[:room]
    end = f" {spell(seconds)}" if part is None else f" {100 * part:3.0f} %"
    end += "" if left is None else f", {spell(left)} left"
    free = width - 2 - room - len(end)
    while len(words) > free and words:
        words = words.rpartition(" ")[0]
    return f"{words} {drawn}{end}".strip()


def spell(seconds: float) -> str:
    """A time in words: ``12 s``, ``3 min``, ``2.5 h``."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"


def columns(stream: Any) -> int:
    """Width of the terminal behind a stream; 80 where it does not say."""
    with suppress(OSError, ValueError, AttributeError):
        return os.get_terminal_size(stream.fileno()).columns or 80
    return 80


def fold(text: str, stream: Any) -> str:
    """Lines for a stream: on a terminal broken between words where they are wider than it; elsewhere as they are."""
    if not stream.isatty():
        return text
    width = columns(stream) - 1
    return "\n".join(
        textwrap.fill(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        if len(line) > width
        else line
        for line in text.split("\n")
    )


_bar: list[Bar] = []


@contextmanager
def bar() -> Iterator[None]:
    """A bar while the work inside takes longer than a moment, if errors go to a terminal; results take it away."""
    if _bar or not sys.stderr.isatty():
        yield
        return
    progress.stages.clear()  # work that an error ended may still be named: its traceback holds it
    _bar.append(Bar(getattr(sys.stderr, "stream", sys.stderr)))
    try:
        yield
    finally:
        _end_bar()


def _end_bar() -> None:
    while _bar:
        _bar.pop().stop()


class Stream:
    """Standard output or error: takes the bar away before it writes, and lets a reader go who has had enough.

    A command goes on to its end when nobody reads it any more (``gearwright verify | head -1``): its files are written, and
    its exit code is its own. A stream that cannot be written for another reason (a full disk) raises OSError with its name.
    """

    def __init__(self, stream: TextIO, name: str, before: Callable[[], None]):
        self.stream, self.name, self._before = stream, name, before

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write as a stream does."""
        if not isinstance(text, str):  # asked by those who want to know whether it is one of bytes
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if text:
            self._before()
            self._try(lambda: self.stream.write(text))
        return len(text)

    def flush(self) -> None:
        """Flush as a stream does."""
        self._try(self.stream.flush)

    def _try(self, act: Callable[[], Any]) -> None:
        try:
            act()
        except OSError as error:
            # what waits in the buffer would be tried again at the end of the process
            with suppress(OSError, ValueError, AttributeError):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, self.stream.fileno())
                os.close(nowhere)
            if error.errno not in _GONE:
                raise OSError(error.errno, error.strerror, self.name) from None


#: whether a message was told
_told = [False]
#: the signal that ended this process, 0 as long as none did
received = [0]


def _stop(number: int, frame: Any) -> None:
    """A scheduler's limit or a dropped line is as Ctrl-C: what was computed is kept. They count once: keeping it is not to be
    stopped; Ctrl-C again is a person who wants to leave at once."""
    import signal

    first, progress.stopping[0] = not progress.stopping[0], True
    if first:
        received[0] = number
    if first or number == signal.SIGINT:
        raise KeyboardInterrupt


def interrupted() -> int:
    """Exit code of a command that was stopped: 130 by Ctrl-C, 128 and the number of the signal by another one."""
    return 128 + received[0] if received[0] else 130


def _listen() -> None:
    import signal

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:  # nohup stays nohup
            signal.signal(number, _stop)


def tell(message: str) -> None:
    """One message on the error stream, whatever has become of it."""
    _told[0] = True
    with suppress(OSError, ValueError):
        sys.stderr.write(fold(f"gearwright: {message}", sys.stderr) + "\n")


def run(program: Callable[[], int | None]) -> int:
    """Run a command in this process, which is its own: streams, signals, and one last catch; the exit code."""
    sys.stdout = Stream(sys.stdout, "standard output", _end_bar)  # type: ignore[assignment]
    sys.stderr = Stream(sys.stderr, "standard error", lambda: _bar[0].clear() if _bar else None)  # type: ignore[assignment]
    progress.teller = tell
    _listen()
    code = _caught(program)
    _end_bar()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            tell(f"'{error.filename}': {(error.strerror or 'cannot be written').lower()}")
            code = code or 2
    return code


def _caught(program: Callable[[], int | None]) -> int:
    try:
        code = int(program() or 0)
        if code != 130:
            return code
        if not _told[0]:  # outside of the work of a command
            tell("interrupted")
        return interrupted()
    except KeyboardInterrupt:
        tell("interrupted")
        return interrupted()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except MemoryError:
        tell(
            "there is not enough memory for this; a shorter run, fewer channels or a longer output_interval needs less"
        )
        return 70
    except OSError as error:
        if error.filename is None or os.environ.get("GEARWRIGHT_TRACEBACK"):
            return _unforeseen(error)
        tell(f"'{error.filename}': {(error.strerror or 'cannot be used').lower()}")
        return 2
    except Exception as error:
        return _unforeseen(error)


def _unforeseen(error: Exception) -> int:
    if os.environ.get("GEARWRIGHT_TRACEBACK"):
        import traceback

        with suppress(OSError, ValueError):
            sys.stderr.write("".join(traceback.format_exception(error)))
        return 70
    words = " ".join(str(error).split())[:300]
    tell(
        f"this is a fault of the program, not of your input: {type(error).__name__}{': ' if words else ''}{words}\n"
        "Please report it with the command and its trace, which GEARWRIGHT_TRACEBACK=1 in the environment shows."
    )
    return 70
