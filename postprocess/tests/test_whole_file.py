"""Files that are complete or not there."""

import os
import signal
import subprocess
import sys

import pytest

from gwrm_post.whole_file import growing_file, require_ordinary, write_whole


def test_what_was_there_before_is_replaced_as_a_whole(tmp_path):
    path = tmp_path / "picture.png"
    path.write_bytes(b"before")
    write_whole(path, b"after")
    assert path.read_bytes() == b"after"
    assert os.listdir(tmp_path) == ["picture.png"]


def test_a_failure_keeps_it(tmp_path):
    path = tmp_path / "picture.gif"
    path.write_bytes(b"before")
    with pytest.raises(RuntimeError):
        with growing_file(path) as growing:
            with open(growing, "wb") as file:
                file.write(b"half")
            raise RuntimeError
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["picture.gif"]


def test_a_link_stays(tmp_path):
    (tmp_path / "link.png").symlink_to(tmp_path / "picture.png")
    write_whole(tmp_path / "link.png", b"after")
    assert (tmp_path / "link.png").is_symlink()
    assert (tmp_path / "picture.png").read_bytes() == b"after"


def test_pipes_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not an ordinary file"):
        require_ordinary(tmp_path / "pipe")
    with pytest.raises(OSError, match="not an ordinary file"):
        write_whole(tmp_path / "pipe", b"")
    require_ordinary(tmp_path / "nothing")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_takes_the_growing_file_away(tmp_path, number):
    program = (f"import os, time\nfrom gwrm_post.whole_file import growing_file\n"
               f"with growing_file({str(tmp_path / 'film.gif')!r}) as growing:\n"
               f"    open(growing, 'wb').write(b'half')\n    print('growing', flush=True)\n    time.sleep(60)\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout.readline() == "growing\n"
        assert len(os.listdir(tmp_path)) == 1
        process.send_signal(number)
        assert process.wait(30) == -number
    assert os.listdir(tmp_path) == []
