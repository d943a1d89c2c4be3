"""The host's side of the bridge: a private local socket that a library inside another program talks to.

The folder of the socket has a random name and lets only the user in; the caller shows a token and runs under the same
user. Every wait has an end: a caller that dies, stays silent or never comes is an error with a message.
"""

from __future__ import annotations

import hmac
import os
import secrets
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import numpy as np

from gearwright.controllers.swap import Swap
from gearwright.errors import CouplingError

from .compiler import SOURCES, build_kept

#: records that travel; those of discon.c
RECORDS = 130
_REQUEST, _REPLY = struct.Struct("=4siI"), struct.Struct("=4siII")
_MESSAGE = 1000
#: longest waits [s]: for the first call, and for any later one
FIRST, NEXT = 120.0, 120.0

#: status and swap array in, failure (negative ends the run) and message out; the array is changed in place
Handler = Callable[[int, Swap], tuple[int, str]]


def bridge_library() -> Path:
    """The bridge, built with the user's compiler on first use. Raises CouplingError without one."""
    return build_kept("discon", [SOURCES / "discon.c"], exports=("DISCON",))


class BridgeHost:
    """A socket for one caller. Use it as a context: the socket and its folder go at the end.

    Parameters
    ----------
    first, patience : longest wait for the first call and for any later one [s]
    """

    def __init__(self, first: float = FIRST, patience: float = NEXT):
        if not hasattr(socket, "AF_UNIX"):
            raise CouplingError("this system has no local sockets; the bridge needs Linux or macOS")
        self.first, self.patience = first, patience
        # the temporary folder of the system: socket paths may not be long
        self._folder = Path(tempfile.mkdtemp(prefix="gearwright-"))
        self._folder.chmod(0o700)
        self.path = self._folder / secrets.token_hex(8)
        self.token = secrets.token_hex(16)
        self.calls = 0
        self.time = 0.0
        #: processor time spent on answers [s]
        self.busy = 0.0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.bind(str(self.path))
        except OSError as error:
            self.close()
            raise CouplingError(f"no socket can be made at '{self.path}': {error}") from None
        self.path.chmod(0o600)
        self._socket.listen(1)
        self._caller: socket.socket | None = None

    def write_infile(self, path: Path) -> Path:
        """Write the file that tells the library where to call; only the user can read it."""
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(f"socket {self.path}\ntoken {self.token}\ntimeout {self.patience:g}\n")
        path.chmod(0o600)
        return path

    def serve(self, handler: Handler, child: subprocess.Popen[str] | None = None) -> None:
        """Answer calls until the last one (status -1).

        Raises CouplingError if nobody calls, the caller dies or stays silent, or it shows a wrong token; what the
        handler raises is told to the caller, who ends, and raised here.
        """
        self._accept(child)
        assert self._caller is not None
        swap: Swap = np.zeros(RECORDS, np.float32)
        while True:
            mark, status, count = _REQUEST.unpack(self._take(_REQUEST.size, child))
            if mark != b"GWRQ" or count != RECORDS:
                raise CouplingError("the caller speaks another language; are library and host of one version?")
            swap[:] = np.frombuffer(self._take(4 * count, child), np.float32)
            begin = time.thread_time()
            self.time = float(swap[1])
            self.calls += 1
            raised: BaseException | None = None
            try:
                failure, message = handler(status, swap)
            except BaseException as error:
                failure, message, raised = -1, f"the Gearwright host stopped: {error}", error
            said = message.encode()[:_MESSAGE]
            reply = _REPLY.pack(b"GWRP", failure, len(said), RECORDS) + swap.tobytes() + said
            try:
                self._caller.sendall(reply)
            except OSError as error:
                if raised is None and status != -1:
                    raise self._lost(child, str(error)) from None
            self.busy += time.thread_time() - begin
            if raised is not None:
                raise raised
            if failure < 0:
                raise CouplingError(f"the run was ended at {self.time:.6g} s: {message}")
            if status == -1:
                return

    def _accept(self, child: subprocess.Popen[str] | None) -> None:
        end = time.monotonic() + self.first
        self._socket.settimeout(0.1)
        while True:
            try:
                caller, _ = self._socket.accept()
            except TimeoutError:
                if child is not None and child.poll() is not None:
                    raise CouplingError(
                        f"the program ended (code {child.returncode}) before it called its controller"
                    ) from None
                if time.monotonic() > end:
                    raise CouplingError(
                        f"nobody called within {self.first:g} s; is the library the DLL_FileName of ServoDyn?"
                    ) from None
                continue
            caller.settimeout(5.0)
            try:
                shown = caller.recv(len(self.token), socket.MSG_WAITALL)
            except OSError:
                shown = b""
            if self._same_user(caller) and hmac.compare_digest(shown, self.token.encode()):
                caller.settimeout(self.patience)
                self._caller = caller
                return
            caller.close()  # not ours: go on waiting

    @staticmethod
    def _same_user(caller: socket.socket) -> bool:
        if not sys.platform.startswith("linux"):
            return True  # the folder lets nobody else in
        _, user, _ = struct.unpack(
            "3i", caller.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        )
        return bool(user == os.getuid())

    def _take(self, size: int, child: subprocess.Popen[str] | None) -> bytes:
        assert self._caller is not None
        parts = b""
        while len(parts) < size:
            try:
                part = self._caller.recv(size - len(parts))
            except TimeoutError:
                raise CouplingError(
                    f"the program has not called for {self.patience:g} s, after {self.time:.6g} s of simulation"
                ) from None
            except OSError as error:
                raise self._lost(child, str(error)) from None
            if not part:
                raise self._lost(child, "")
            parts += part
        return parts

    def _lost(self, child: subprocess.Popen[str] | None, why: str) -> CouplingError:
        code = ""
        if child is not None:
            try:
                code = f" (code {child.wait(5.0)})"
            except subprocess.TimeoutExpired:
                code = ""
        tail = f": {why}" if why else ""
        return CouplingError(f"the program ended{code} in the middle of the run, at {self.time:.6g} s{tail}")

    def close(self) -> None:
        """Close both sockets and remove the folder."""
        if getattr(self, "_caller", None) is not None and self._caller is not None:
            self._caller.close()
        self._socket.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> BridgeHost:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
