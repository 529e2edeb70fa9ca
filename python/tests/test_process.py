"""The library as a guest of the process: signals, threads, forks, other libraries, progress."""

import importlib.metadata
import io
import multiprocessing
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import types

import numpy as np
import pytest

import gwrm
from conftest import INPUTS
from gwrm.progress import Bar, TerminalBar, clock, progress_of

ROOT = pathlib.Path(__file__).parents[2]


def script(body):
    return subprocess.Popen([sys.executable, "-c", body], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


INTERRUPTED = """
import sys, time, gwrm
def tick(done, note):
    if done > 0 and not tick.told:
        tick.told = True
        print("running", flush=True)
tick.told = False
try:
    gwrm.solve({case!r}, progress=tick)
except KeyboardInterrupt as end:
    answer = end.answer
    reached = answer.window_edges[-1]
    print(answer.n_windows, reached, float(answer.eval("u", t=reached, x=1.0)), answer.status, flush=True)
    {then}
else:
    print("ended by itself", flush=True)
"""


def test_interrupt_keeps_what_is_finished(long_case):
    process = script(INTERRUPTED.format(case=long_case, then=""))
    assert process.stdout.readline() == "running\n", process.stderr.read()
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    windows, reached, value, status = out.split(maxsplit=3)
    assert 0 < int(windows) < 4000 and float(reached) == pytest.approx(0.1 * int(windows)) and status.startswith("interrupted")
    assert abs(float(value)) < 10 and time.monotonic() - began < 10


def test_an_interrupt_that_nobody_catches_ends_the_process(long_case):
    process = script(INTERRUPTED.format(case=long_case, then="raise"))
    assert process.stdout.readline() == "running\n", process.stderr.read()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT and "KeyboardInterrupt: interrupted" in err


def test_a_second_interrupt_leaves_at_once():
    # The dense factorisation of one large system asks nobody.
    process = script(f"""
import signal, sys, gwrm
print("running", flush=True)
heard = []
def hear(*_):
    heard.append(1)
    raise KeyboardInterrupt
signal.signal(signal.SIGINT, hear)
try:
    gwrm.solve({str(INPUTS / 'helmholtz_2d.yaml')!r}, progress=False,
               resolution={{"degree": {{"x": 76, "y": 76}}}}, solver={{"linear": "dense"}})
except KeyboardInterrupt:
    print("left", len(heard), flush=True)
else:
    print("ended by itself", flush=True)
""")
    assert process.stdout.readline() == "running\n", process.stderr.read()
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.4)
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=10)
    assert out.startswith("left "), out + err
    assert process.returncode in (0, 130), err


def test_other_threads_of_python_go_on_meanwhile(long_case):
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    began = time.monotonic()
    gwrm.solve(long_case, domain={"t": [0, 20]}, resolution={"domains": {"t": 200}}, progress=False)
    duration = time.monotonic() - began
    stop.set()
    thread.join()
    assert counted[0] > 100 * duration  # at most 1000 a second


def test_two_threads_solve_in_turn(heat):
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(gwrm.solve(heat))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 3 and all(np.array_equal(answer.u, answers[0].u) for answer in answers)


def solve_and_sum(text):
    return float(gwrm.solve(text, progress=False, threads=2).u.sum())


def test_a_forked_process_solves_too(heat):
    case = (INPUTS / "burgers_2d.yaml").read_text()
    here = gwrm.solve(case, threads=2, progress=False)
    here.eval("u", t=0.1, x=np.linspace(0, 1, 300), y=np.linspace(0, 1, 300))
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(solve_and_sum, [case]).get(timeout=60) == float(here.u.sum())


def test_numpy_keeps_its_own_blas(heat):
    a = np.random.default_rng(1).standard_normal((600, 600))
    before, values = a @ a, np.linalg.eigvalsh(a + a.T)
    gwrm.solve(INPUTS / "heat_2d.yaml", threads=2, progress=False)
    assert np.array_equal(a @ a, before) and np.array_equal(np.linalg.eigvalsh(a + a.T), values)


def test_nothing_of_it_is_seen_outside():
    if shutil.which("nm") is None:
        pytest.skip("no nm")
    shown = subprocess.run(["nm", "-D", "--defined-only", gwrm._load.core.__file__], capture_output=True, text=True, check=True)
    names = {line.split()[-1] for line in shown.stdout.splitlines()}
    assert "PyInit__core" in names
    foreign = re.compile(r"^(H5|gotoblas|cblas_|LAPACKE|dgemm|omp_|GOMP|gwrm_required)")
    assert not [name for name in names if foreign.match(name)]


def test_environment_is_left_as_it_was():
    check = "import os; before = dict(os.environ); import gwrm; assert dict(os.environ) == before"
    subprocess.run([sys.executable, "-c", check], check=True)


def test_progress_is_told_on_the_callers_thread(long_case):
    told = []
    gwrm.solve(long_case, domain={"t": [0, 20]}, resolution={"domains": {"t": 200}},
               progress=lambda done, note: told.append((done, note, threading.current_thread())))
    fractions = [done for done, _, _ in told]
    assert len(told) > 2 and fractions == sorted(fractions) and 0 < fractions[-1] <= 1
    assert {thread for _, _, thread in told} == {threading.current_thread()}


def test_what_progress_raises_ends_the_run(long_case):
    def tick(done, note):
        raise RuntimeError("enough")

    began = time.monotonic()
    with pytest.raises(RuntimeError, match="enough"):
        gwrm.solve(long_case, progress=tick)
    assert time.monotonic() - began < 10


def test_a_bar_on_a_terminal(monkeypatch):
    terminal = io.StringIO()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert progress_of(None) is None and progress_of(False) is None
    bar = progress_of(True)
    assert isinstance(bar, TerminalBar)
    bar(0.5, "quick")
    bar.close()
    assert terminal.getvalue() == ""  # too early
    bar.began -= 60
    bar(0.25, "window 1 of 4")
    bar.close()
    assert terminal.getvalue() == "\r\033[K 25%|██████                  | 01:00<03:00 window 1 of 4\n"
    assert clock(3725) == "1:02:05"
    terminal.isatty = lambda: True
    assert isinstance(progress_of(None), Bar)


def test_a_bar_in_a_notebook(monkeypatch):
    shown = []

    class Output:
        def update(self, page):
            shown.append(page)

    def display(page, display_id):
        assert display_id
        shown.append(page)
        return Output()

    shell = type("ZMQInteractiveShell", (), {})()
    pages = types.ModuleType("IPython.display")
    pages.HTML, pages.display = str, display
    notebook = types.ModuleType("IPython")
    notebook.get_ipython, notebook.display = lambda: shell, pages
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setitem(sys.modules, "IPython.display", pages)
    bar = progress_of(None)
    bar.began -= 60
    bar(0.5, "t < 1")
    bar(1.0, "t = 2")
    bar.close()
    assert shown[0] == '<progress value="0.5000" max="1"></progress> 50% 01:00<01:00 t &lt; 1'
    assert "100%" in shown[1] and shown[2] == ""


def test_one_version_and_one_distribution():
    version = re.search(r"project\(gwrm VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
    assert gwrm.__version__ == version == importlib.metadata.version("gwrm")
    files = {str(file) for file in importlib.metadata.files("gwrm")}
    assert {"gwrm/py.typed", "gwrm_post/__main__.py"} <= files


def test_every_public_function_has_types_and_a_docstring():
    for name in gwrm.__all__:
        thing = getattr(gwrm, name)
        assert thing.__doc__, name
    for function in (gwrm.solve, gwrm.check, gwrm.converge, gwrm.sweep, gwrm.Answer.eval, gwrm.Answer.write):
        assert "return" in function.__annotations__, function
