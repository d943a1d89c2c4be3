"""The user's C compiler: found, asked to build a shared library, and its complaints passed on."""

from __future__ import annotations

import atexit
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from gearwright.errors import CouplingError
from gearwright.kernels.cache import cache_folder
from gearwright.parts import whole

#: folder of the C sources
SOURCES = Path(__file__).resolve().parent / "c"
#: extension of a shared library
SHARED = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
#: longest time a build may take [s]
PATIENCE = 300.0


def find_compiler() -> str:
    """The C compiler: ``$CC``, else cc, gcc or clang.

    Raises CouplingError if there is none.
    """
    given = os.environ.get("CC", "").split()
    for name in ([given[0]] if given else []) or ["cc", "gcc", "clang"]:
        found = shutil.which(name)
        if found:
            return found
    if given:
        raise CouplingError(f"the compiler '{given[0]}' that the variable CC names is not found")
    raise CouplingError(
        "this needs a C compiler, and none of cc, gcc, clang is found; install one (Debian and Ubuntu: apt install gcc; "
        "conda: conda install -c conda-forge c-compiler) or name it in the variable CC"
    )


def build_shared(
    output: Path,
    sources: Sequence[Path],
    objects: Sequence[Path] = (),
    *,
    exports: Sequence[str] = (),
) -> Path:
    """Compile C sources and object files into one shared library; returns ``output``.

    ``exports`` are the only names that others see (on systems whose linker takes a version script). The library is
    written beside its place and moved there, so that another process never loads half of it.
    Raises CouplingError with what the compiler said.
    """
    if sys.platform == "win32":
        raise CouplingError("libraries are built on Linux and macOS; on Windows use the subsystem for Linux")
    compiler = find_compiler()
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="gearwright-build-") as folder:
        made = Path(folder) / output.name
        command = [compiler, "-O2", "-std=c99", "-D_GNU_SOURCE", "-fPIC", f"-I{SOURCES}", "-o", str(made)]
        command += ["-dynamiclib"] if sys.platform == "darwin" else ["-shared", "-Wl,--no-undefined", "-Wl,-Bsymbolic"]
        if exports and sys.platform != "darwin":
            script = Path(folder) / "exports.map"
            script.write_text("{ global: " + " ".join(f"{e};" for e in exports) + " local: *; };\n")
            command.append(f"-Wl,--version-script={script}")
        command += [str(s) for s in (*sources, *objects)] + ["-lm"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            raise CouplingError(f"the compiler '{compiler}' took longer than {PATIENCE:g} s") from None
        except OSError as error:
            raise CouplingError(f"the compiler '{compiler}' cannot be started: {error}") from None
        if done.returncode != 0:
            said = "\n".join(done.stderr.strip().splitlines()[-12:])
            raise CouplingError(f"the compiler '{compiler}' failed on {output.name}:\n{said}")
        with whole(output) as part:
            shutil.copyfile(made, part)
            part.chmod(0o755)
    return output


def build_kept(name: str, sources: Sequence[Path], *, exports: Sequence[str] = ()) -> Path:
    """A library that depends on its sources alone: built once, kept in the user's cache."""
    digest = hashlib.sha256(platform.machine().encode())
    for source in [*sources, *sorted(SOURCES.glob("*.h"))]:
        digest.update(source.read_bytes())
    digest.update(" ".join(exports).encode())
    return kept(
        f"{name}-{digest.hexdigest()[:16]}",
        lambda path: build_shared(path, sources, exports=exports),
    )


def kept(name: str, build: Callable[[Path], Path]) -> Path:
    """A library by its name from the user's cache, or built into it; where that cannot be written, for this process alone."""
    folder = cache_folder("built", mode=0o700)
    path = (folder or _passing()) / f"{name}{SHARED}"
    if path.is_file():
        return path
    return build(path if os.access(path.parent, os.W_OK) else _passing() / path.name)


@cache
def _passing() -> Path:
    """A folder that goes with this process."""
    folder = Path(tempfile.mkdtemp(prefix="gearwright-built-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
