"""Files that are complete or not there: pictures are made in memory, and what was there before stays until they are."""

import contextlib
import mmap
import os
import signal
import stat

MARK = "drawn by gwrm plot"  # in every picture, film and page, so that another one may take its place
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def require_ordinary(path):
    """OSError for a pipe or a device, on which reading or writing would wait for somebody else. A file that is not there
    is none of them."""
    if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode) and not os.path.isdir(path):
        raise OSError(f"{path} is not an ordinary file")


def page_name(output, what):
    """The name of a page: with .html behind a name without an ending. ValueError for other endings than .html, .htm."""
    output = os.fspath(output)
    stem, ending = os.path.splitext(output)
    if ending and ending.lower() not in (".html", ".htm"):
        raise ValueError(f"a {what} is written as .html, not as '{output}': give -o {stem}.html, which any browser opens "
                         "and prints (to a PDF, too)")
    return output if ending else output + ".html"


def require_free(path, overwrite):
    """FileExistsError where a file stands that `gwrm plot` has not drawn, unless it may be overwritten; what it has drawn
    it may draw anew."""
    if overwrite or not os.path.isfile(path) or os.path.getsize(path) == 0:
        return
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        if text.find(MARK.encode()) >= 0:
            return
    raise FileExistsError(f"{path} exists already and is not a picture of gwrm plot; replace it with --overwrite or give "
                          "another name with -o FILE")


def write_whole(path, data):
    """Writes the bytes `data`, to a file that is there already with the rights that it has. A signal that ends the program
    comes before or after it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        with _renamed(path) as temporary, open(temporary, "xb") as file:
            if os.path.exists(path):
                os.chmod(temporary, stat.S_IMODE(os.stat(path).st_mode))
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
