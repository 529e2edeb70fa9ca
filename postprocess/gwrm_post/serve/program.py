"""The program gwrm, called with texts."""

import contextlib
import os
import shutil
import subprocess
import tempfile
import threading


class Program:
    """What is called here ends with `end`."""

    def __init__(self, folder):
        """folder  where it runs. OSError if there is no gwrm, which GWRM_PROGRAM names or which is on the PATH"""
        self._path = os.environ.get("GWRM_PROGRAM") or shutil.which("gwrm")
        if not self._path:
            raise FileNotFoundError("no program gwrm was found: name it in GWRM_PROGRAM, or put its folder on the PATH")
        self._folder, self._lock, self.has_ended, self._processes = folder, threading.Lock(), False, set()

    @contextlib.contextmanager
    def start(self, arguments, text="", stdout=subprocess.PIPE):
        """A process with `text` as its standard input; it has ended when the context is left."""
        with tempfile.TemporaryFile() as given:  # however long it is, nobody waits for it to be read
            given.write(text.encode())
            given.seek(0)
            with self._lock:
                if self.has_ended:
                    raise OSError("the server is ending")
                process = subprocess.Popen([self._path, *arguments], stdin=given, stdout=stdout, stderr=subprocess.PIPE,
                                           cwd=self._folder, encoding="utf-8", errors="replace")
                self._processes.add(process)
        try:
            with process:
                try:
                    yield process
                except BaseException:
                    process.kill()
                    raise
        finally:
            with self._lock:
                self._processes.discard(process)

    def call(self, arguments, text="", timeout=None):
        """A subprocess.CompletedProcess; what takes longer than `timeout` seconds is ended, which its errors say."""
        with self.start(arguments, text) as process:
            try:
                stdout, stderr = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                stdout, stderr = "", process.communicate()[1] + f"gwrm {arguments[0]} took longer than {timeout} s\n"
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)

    def end(self):
        """Ends all processes at once, and starts no more."""
        with self._lock:
            self.has_ended = True
            for process in self._processes:
                process.kill()
