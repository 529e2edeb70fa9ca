"""Files that are complete or not there: pictures are made in memory, and what was there before stays until they are."""

import contextlib
import os
import signal
import stat

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def require_ordinary(path):
    """OSError for a pipe or a device, on which reading or writing would wait for somebody else. A file that is not there
    is none of them."""
    if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode) and not os.path.isdir(path):
        raise OSError(f"{path} is not an ordinary file")


def write_whole(path, data):
    """Writes the bytes `data`. A signal that ends the program comes before or after it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        with _renamed(path) as temporary, open(temporary, "xb") as file:
            file.write(data)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def growing_file(path):
    """A name to write to for as long as it takes, by another program too: it is `path` at the end, and taken away by a
    signal that ends the program."""
    with _renamed(path) as temporary:

        def leave(number, _):
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

        before = {}
        try:
            with contextlib.suppress(ValueError):  # only the main thread may
                for number in ENDING:
                    before[number] = signal.signal(number, leave)
            yield temporary
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


@contextlib.contextmanager
def _renamed(path):
    require_ordinary(path)
    path = os.path.realpath(path)
    ending = os.path.splitext(path)[1]  # which says the format
    temporary = os.path.join(os.path.dirname(path), f".gwrm-{os.getpid()}{ending}")
    try:
        yield temporary
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
