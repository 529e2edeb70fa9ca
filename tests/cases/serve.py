#!/usr/bin/env python3
"""Works with `gwrm serve` by HTTP, as its page does and as an intruder would; tests/long/serve_in_chromium.py does so in a
browser.

    serve.py GWRM INPUTS PYTHON

PYTHON has the packages of postprocess/requirements.txt. What the page computes is asked of node (or what NODE names) where
there is one.
"""
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

from program import LONG

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GWRM = INPUTS = PYTHON = None
POINTS = [{"t": t, "x": x} for t in (0.1, 0.5, 1.0) for x in (0.25, 0.6)]


def ordinary_signals():
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # whatever the shell has made of it


class Serve(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.own = cls.folder / "cases"  # not where the server is started
        cls.runs = cls.folder / "temporary"
        cls.own.mkdir()
        cls.runs.mkdir()
        for name in ("burgers.yaml", "conductivity_data.yaml", "conductivity_data.csv"):
            shutil.copy(f"{INPUTS}/{name}", cls.own)
        cls.case = cls.own / "burgers.yaml"
        cls.text = cls.case.read_text(encoding="utf-8")
        cls.server = subprocess.Popen(
            [GWRM, "serve", "cases/burgers.yaml", "--threads", "1"], cwd=cls.folder, text=True, stdout=subprocess.PIPE,
            preexec_fn=ordinary_signals, env={**os.environ, "GWRM_PYTHON": PYTHON, "TMPDIR": str(cls.runs)})
        cls.addClassCleanup(cls.end)
        first = cls.server.stdout.readline()
        cls.url = urllib.parse.urlsplit(re.search(r"http://127\.0\.0\.1:\d+/[\w-]{40,}/", first)[0])

    @classmethod
    def end(cls):
        if cls.server.poll() is None:
            cls.server.terminate()  # with a run that is going on
        cls.server.wait()
        cls.server.stdout.close()

    def ask(self, name, given=None, *, path=None, method=None, body=None, **heads):
        """(status, heads, bytes); a head of None is left out."""
        data = body if body is not None else json.dumps(given).encode() if given is not None else b""
        method = method or ("GET" if given is None and body is None else "POST")
        usual = {"Host": self.url.netloc}
        if method == "POST":
            usual |= {"Origin": f"http://{self.url.netloc}", "Content-Type": "application/json", "Content-Length": str(len(data))}
        connection = http.client.HTTPConnection("127.0.0.1", self.url.port, timeout=30)
        with contextlib.closing(connection):
            connection.putrequest(method, self.url.path + name if path is None else path, skip_host=True,
                                  skip_accept_encoding=True)
            for head, value in {**usual, **{head.replace("_", "-"): value for head, value in heads.items()}}.items():
                if value is not None:
                    connection.putheader(head, value)
            connection.endheaders(data)
            reply = connection.getresponse()
            return reply.status, reply.headers, reply.read()

    def said(self, name, given=None, status=200):
        got, _, data = self.ask(name, given)
        self.assertEqual(got, status, data)
        return json.loads(data)

    def until(self, what, seconds=30):
        began = time.monotonic()
        while not (found := what()):
            self.assertLess(time.monotonic() - began, seconds, "it takes too long")
            time.sleep(0.03)
        return found

    def ended(self):
        return self.until(lambda: (status := self.said("status"))["state"] == "ended" and status)

    def verdict(self):
        """What the page of the answer says at its top."""
        return re.search(r'class="badge \w+">([^<]*)<', self.ask("view")[2].decode())[1]

    def gwrm(self, *words, **more):
        return subprocess.run([GWRM, *map(str, words)], capture_output=True, text=True, check=more.pop("check", True), **more)

    def test_page(self):
        status, heads, page = self.ask("")
        self.assertEqual(status, 200)
        self.assertIn(b"<title>burgers.yaml - gwrm</title>", page)
        self.assertIn("default-src 'none'", heads["Content-Security-Policy"])
        self.assertEqual(heads["Cache-Control"], "no-store")
        files = re.findall(r'(?:src|href)="([\w.]+)"', page.decode())
        self.assertEqual(sorted(files), ["editor.js", "page.css", "page.js", "result", "schema.js"])
        for name in files:
            if name != "result":  # there is none yet, or there is
                self.assertEqual(self.ask(name)[0], 200)
                self.assertNotRegex(self.ask(name)[2].decode(), r"https?://|\bimport\b")
        self.assertEqual(self.said("schema"), json.loads(self.gwrm("schema").stdout))
        self.assertEqual(self.said("case")["text"], self.text)

    def test_strangers(self):
        token = self.url.path.strip("/")
        given = {"text": self.text}
        for told, refused in {
                "no token": self.ask("", path="/"),
                "no token, a name": self.ask("", path="/case"),
                "another token": self.ask("", path=f"/{token[:-1]}{'A' if token[-1] != 'A' else 'B'}/case"),
                "a part of the token": self.ask("", path=f"/{token[:-1]}/case"),
                "letters beyond ASCII": self.ask("", path=f"/%C3%A4{token}/case"),
                "another name of this machine": self.ask("case", Host=f"attacker.example:{self.url.port}"),
                "another port": self.ask("case", Host="127.0.0.1:1"),
                "no Host": self.ask("case", Host=None),
                "another page": self.ask("check", given, Origin="http://attacker.example"),
                "a page from a file": self.ask("check", given, Origin="null"),
                "no Origin": self.ask("check", given, Origin=None)}.items():
            self.assertEqual(refused[0], 403, told)
            self.assertNotIn(b"burgers", refused[2], told)
            self.assertNotIn(token.encode(), refused[2], told)
        self.assertEqual(self.ask("case", Host=f"localhost:{self.url.port}")[0], 200)
        for told, wanted, refused in (
                ("a form", 415, self.ask("check", given, Content_Type="text/plain")),
                ("no length", 411, self.ask("check", given, Content_Length=None)),
                ("a negative length", 411, self.ask("check", given, Content_Length="-1")),
                ("too long", 413, self.ask("check", body=b"x" * (5 << 20))),
                ("no JSON", 400, self.ask("check", body=b'{"text": ')),
                ("nested without end", 400, self.ask("check", body=b"[" * 100_000)),
                ("no text", 400, self.ask("check", {"text": 1})),
                ("no object", 400, self.ask("check", ["text"])),
                ("half a letter", 400, self.ask("check", body=b'{"text": "\\ud800"}')),
                ("nothing there", 404, self.ask("nothing")),
                ("nothing to be asked", 404, self.ask("nothing", given)),
                ("a path", 404, self.ask("../../etc/passwd")),
                ("another method", 501, self.ask("case", method="PUT"))):
            self.assertEqual(refused[0], wanted, told)

    def test_only_this_machine(self):
        with open("/proc/net/tcp", encoding="ascii") as file:
            listening = [line.split()[1] for line in file if line.split()[3] == "0A"]
        self.assertEqual([one for one in listening if one.endswith(f":{self.url.port:04X}")],
                         [f"0100007F:{self.url.port:04X}"])

    def test_a_silent_visitor_does_not_stop_it(self):
        with socket.create_connection(("127.0.0.1", self.url.port)) as silent:
            silent.sendall(b"GET /")
            began = time.monotonic()
            self.assertEqual(self.ask("case")[0], 200)
            self.assertLess(time.monotonic() - began, 15)

    def test_mistakes(self):
        said = self.said("check", {"text": self.text.replace("nu*dx(u,2)", "nu*dx(v,2)")})
        lines = self.text.split("\n")
        line = next(number for number, text in enumerate(lines, 1) if "nu*dx(u,2)" in text)
        self.assertEqual((said["ok"], said["line"], said["column"]), (False, line, lines[line - 1].index("nu*dx(u,2)") + 7))
        self.assertTrue(said["message"].startswith("unknown name 'v'"), said["message"])
        self.assertEqual(self.said("run", {"text": "schema: 1\n"})["ok"], False)
        good = self.said("check", {"text": self.text})
        self.assertIn("<mfrac>", "".join(one["mathml"] for one in good["equations"]))
        self.assertEqual(good["facts"]["unknown u"], "depends on t, x; dt up to order 1")
        self.assertEqual(self.said("check", {"text": ""})["ok"], False)

    def test_an_answer_is_that_of_the_program(self):
        self.assertTrue(self.said("run", {"text": self.text})["ok"])
        status = self.ended()
        self.assertEqual(status["exit_status"], 0, status)
        self.assertIn("PASS", status["report"])
        self.assertEqual(status["steps"][-1]["done"], 1.0)
        self.assertGreater(len(status["steps"]), 1)
        self.assertEqual(self.said("status?2")["steps"], status["steps"][2:])

        served, own, rows = self.folder / "served.h5", self.folder / "own.h5", self.folder / "points.csv"
        code, heads, data = self.ask("result")
        self.assertEqual((code, heads["Content-Disposition"]), (200, 'attachment; filename="burgers.h5"'))
        served.write_bytes(data)
        self.gwrm("run", self.case, "-q", "--threads", "1", "-o", own)
        rows.write_text("t,x\n" + "".join(f"{place['t']!r},{place['x']!r}\n" for place in POINTS), encoding="utf-8")
        tables = [self.gwrm("eval", path, "--points", rows, "--expr", "u", "--expr", "dx(u)").stdout for path in (served, own)]
        self.assertEqual(tables[0], tables[1])
        expected = [float(line.split(",")[2]) for line in tables[1].splitlines()[1:]]
        page = self.folder / "view.html"
        page.write_bytes(self.ask("view")[2])
        self.assertEqual(self.verdict(), "PASS: converged, verification passed")
        if node := os.environ.get("NODE") or shutil.which("node") or shutil.which("nodejs"):
            asked = json.dumps([{"unknown": "u", "point": place} for place in POINTS])
            answers = subprocess.run([node, ROOT / "postprocess/tests/evaluate_page.js", page,
                                      ROOT / "postprocess/gwrm_post/live_page/series.js"], input=asked, capture_output=True,
                                     text=True, check=True).stdout
            for found, value in zip(json.loads(answers), expected, strict=True):
                self.assertLess(abs(found[0] - value), 1e-12)

    def test_a_failed_run_and_data_beside_the_case(self):
        text = (self.own / "conductivity_data.yaml").read_text(encoding="utf-8")
        self.assertTrue(self.said("run", {"text": text + "\nverification: {tolerance: 1.0e-30}\n"
                                          if "verification:" not in text else text})["ok"])
        status = self.ended()
        self.assertIn(status["exit_status"], (0, 6), status)
        self.assertEqual(self.ask("view")[0], 200)

    def test_one_run_at_a_time_and_its_end(self):
        number = self.said("run", {"text": LONG})["number"]
        self.assertIn("a run is going on", self.said("run", {"text": LONG}, 409)["refused"])
        self.until(lambda: len(self.said("status")["steps"]) > 10)
        self.until(lambda: self.said("status")["n_views"] > 0)
        self.assertRegex(self.verdict(), r"^so far: t = 0 to [\d.]+$")
        self.assertEqual(self.said("status")["state"], "solving")
        began = time.monotonic()
        self.said("cancel", {})
        status = self.ended()
        self.assertLess(time.monotonic() - began, 20)
        self.assertEqual((status["exit_status"], status["number"], status["cancelled"]), (130, number, True))
        self.assertEqual(self.verdict(), "FAILED: interrupted")

    def test_the_file_is_written_by_save_alone(self):
        path, changed = self.case, self.text.replace("a: 2", "a: 3")
        path.chmod(0o640)
        seen = self.said("case")["seen"]
        self.said("check", {"text": changed})
        self.assertEqual(path.read_text(encoding="utf-8"), self.text)
        self.assertIn("changed by another program", self.said("save", {"text": changed, "seen": "x"}, 409)["refused"])
        self.assertEqual(path.read_text(encoding="utf-8"), self.text)
        after = self.said("save", {"text": changed, "seen": seen})["seen"]
        self.assertEqual((path.read_text(encoding="utf-8"), path.stat().st_mode & 0o777), (changed, 0o640))
        self.assertEqual(self.said("case")["seen"], after)
        path.write_bytes(self.text.replace("\n", "\r\n").encode())
        given = self.said("case")
        self.assertEqual(given["text"], self.text)
        self.said("save", {"text": changed, "seen": given["seen"]})
        self.assertEqual(path.read_bytes(), changed.replace("\n", "\r\n").encode())
        path.write_text(self.text, encoding="utf-8")
        self.said("case")

    def test_what_cannot_be_served(self):
        def refused(status, *words):
            done = self.gwrm("serve", *words, check=False, timeout=30, env={**os.environ, "GWRM_PYTHON": PYTHON})
            self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
            self.assertNotIn("Traceback", done.stderr)
            return done.stderr

        (self.folder / "bytes.yaml").write_bytes(b"title: \xff\n")
        self.assertEqual(refused(2, self.folder / "nothing.yaml"),
                         f"error: {self.folder / 'nothing.yaml'}: cannot open the case file: No such file or directory; gwrm serve "
                         "edits a file that is there: copy an input that is like your problem to this name\n")
        self.assertIn(f"(did you mean '{self.case}'?)", refused(2, self.own / "burger.yaml"))
        self.assertIn(f"no folder '{self.folder / 'nowhere'}'", refused(2, self.folder / "nowhere/burgers.yaml"))
        self.assertIn("this is a directory, expected a case file", refused(2, self.folder))
        self.assertIn("no text in UTF-8", refused(2, self.folder / "bytes.yaml"))
        self.assertIn(f"port {self.url.port} of 127.0.0.1 cannot be had: Address already in use; give another with --port",
                      refused(8, self.case, "--port", self.url.port))
        self.assertIn("required", refused(2))
        bare = self.folder / "bare"  # a Python without packages
        bare.write_text(f'#!/bin/sh\nexec {sys.executable} -s -S "$@"\n', encoding="utf-8")
        bare.chmod(0o755)
        done = self.gwrm("serve", self.case, check=False, timeout=30, env={**os.environ, "GWRM_PYTHON": str(bare)})
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("gwrm serve needs numpy", done.stderr)

    def test_zz_a_signal_ends_it_with_its_run(self):
        self.said("run", {"text": LONG})
        self.until(lambda: len(self.said("status")["steps"]) > 0)
        children = [number for number in filter(str.isdecimal, os.listdir("/proc")) if parent_of(number) == self.server.pid]
        self.assertTrue(children)
        self.server.send_signal(signal.SIGINT)
        self.assertEqual(self.server.wait(10), 0)
        self.until(lambda: not any(parent_of(number) for number in children), 5)
        self.assertEqual(os.listdir(self.runs), [])


def parent_of(number):
    """Of a process; None where there is none, or it has ended."""
    try:
        with open(f"/proc/{number}/stat", encoding="utf-8", errors="replace") as file:
            state, parent = file.read().rpartition(")")[2].split()[:2]
        return None if state in "ZX" else int(parent)
    except OSError:
        return None


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    GWRM, INPUTS, PYTHON = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
    unittest.main()
