#!/usr/bin/env python3
"""gwrm run on the GPUs of the ranks of mpirun: the answer of one GPU, the same bits twice; what ends a rank, a GPU or the link
between them ends all, with a message and the status that is documented, and the run is continued. Needs two GPUs.

    device_ranks.py GWRM MPIRUN [NAME ...]
"""
import os
import shutil
import signal
import subprocess
import sys
import unittest
from unittest import mock

import run_ranks

# Several windows, unknowns of different modes on a rank.
PLANE = """schema: 1
domain: {t: [0, 0.4], x: [0, 1], y: [0, 2]}
unknowns: [u, v, w]
equations:
  - "dt(u) + u*dx(u) + v*dy(u) = 0.1*lap(u)"
  - "dt(v) + u*dx(v) = 0.2*lap(v) + u*v"
  - "dt(w) + u*dx(w) = 0.1*lap(w) + v"
initial: {u: "sin(pi*x)*sin(pi*y/2)", v: "x*(1 - x)*y*(2 - y)", w: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=2) = 0", "v(x=0) = 0", "v(x=1) = 0", "v(y=0) = 0", "v(y=2) = 0",
           "w(x=0) = 0", "dx(w)(x=1) = 0", "w(y=0) = 0", "w(y=2) = 0"]
resolution: {degree: {t: 6, x: 40, y: 38}, domains: {t: 3}}
solver: {linear: tensor}
backend: cuda
verification: {tolerance: 1, tail: 1, residual: 1}
output: {grid: {t: 4, x: 9, y: 9}, file: case.h5}
"""
LONG = PLANE.replace("domains: {t: 3}", "domains: {t: 60}").replace("residual: 1}", "residual: 1, estimate: off}")

# Stands before NCCL in the library path: all is NCCL's, but after some questions the link has failed.
FAILING_LINK = r"""
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
typedef struct { char bytes[128]; } Id;
static void* of_nccl(const char* name) {
  static void* library;
  if (!library) library = dlopen(getenv("TEST_NCCL"), RTLD_NOW);
  return dlsym(library, name);
}
#define CALL(type, name) ((type)of_nccl(name))
int ncclGetUniqueId(Id* id) { return CALL(int (*)(Id*), "ncclGetUniqueId")(id); }
int ncclCommInitRank(void** c, int n, Id id, int r) { return CALL(int (*)(void**, int, Id, int), "ncclCommInitRank")(c, n, id, r); }
int ncclCommAbort(void* c) { return CALL(int (*)(void*), "ncclCommAbort")(c); }
int ncclGroupStart(void) { return CALL(int (*)(void), "ncclGroupStart")(); }
int ncclGroupEnd(void) { return CALL(int (*)(void), "ncclGroupEnd")(); }
int ncclSend(const void* p, size_t n, int t, int o, void* c, void* s) {
  return CALL(int (*)(const void*, size_t, int, int, void*, void*), "ncclSend")(p, n, t, o, c, s);
}
int ncclRecv(void* p, size_t n, int t, int o, void* c, void* s) {
  return CALL(int (*)(void*, size_t, int, int, void*, void*), "ncclRecv")(p, n, t, o, c, s);
}
int ncclAllGather(const void* p, void* q, size_t n, int t, void* c, void* s) {
  return CALL(int (*)(const void*, void*, size_t, int, void*, void*), "ncclAllGather")(p, q, n, t, c, s);
}
const char* ncclGetErrorString(int e) { return CALL(const char* (*)(int), "ncclGetErrorString")(e); }
const char* ncclGetLastError(void* c) { return CALL(const char* (*)(void*), "ncclGetLastError")(c); }
int ncclCommGetAsyncError(void* c, int* status) {
  static int asked;
  const int result = CALL(int (*)(void*, int*), "ncclCommGetAsyncError")(c, status);
  if (++asked > 3) *status = 6;  /* a peer is gone: ncclRemoteError */
  return result;
}
"""


def n_gpus():
    try:
        return subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, timeout=60).stdout.count("GPU ")
    except (OSError, subprocess.TimeoutExpired):
        return 0


def nccl():
    """The library, or None."""
    try:
        listed = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, timeout=60).stdout
    except OSError:
        return None
    return next((line.split("=> ")[1] for line in listed.splitlines() if "libnccl.so.2 " in line), None)


@unittest.skipIf(n_gpus() < 2 or nccl() is None, "needs two GPUs, and NCCL")
class DeviceRanks(run_ranks.RanksTest):
    def run_case(self, n_ranks, status=0, environment=None, file="case.h5"):
        return self.run_on(n_ranks, "run", "case.yaml", "--overwrite", "-o", file, status=status,
                           environment=environment)

    def agree(self, one, other, within):
        done = subprocess.run([run_ranks.GWRM, "diff", one, other, "--tolerance", within], cwd=self.folder,
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def same(self, one, other):
        self.agree(one, other, "0")

    def failed(self, why, environment, text=PLANE):
        self.write(text)
        done = self.run_case(2, 7, environment)
        self.assertRegex(done.stderr, why)
        self.assertFalse((self.folder / "case.h5").exists())
        return done

    def test_the_answer_of_one_device_and_the_same_bits_twice(self):
        self.write(PLANE)
        for n_ranks, file in ((0, "one.h5"), (2, "two.h5"), (2, "again.h5")):
            self.run_case(n_ranks, file=file)
        self.same("two.h5", "again.h5")
        self.agree("one.h5", "two.h5", "1e-11")

    def test_a_rank_without_nccl(self):
        (self.folder / "libnccl.so.2").write_text("no library")
        self.failed("several GPUs exchange by NCCL, which is not there .*: install libnccl2",
                    {"LD_LIBRARY_PATH": f"{self.folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"})

    def test_two_ranks_on_one_gpu(self):
        self.failed("the GPUs of the ranks cannot be connected: .*", {"CUDA_VISIBLE_DEVICES": "0"})

    @unittest.skipIf(shutil.which("cc") is None, "needs a C compiler")
    def test_a_link_that_fails(self):
        (self.folder / "link.c").write_text(FAILING_LINK)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", "libnccl.so.2", "link.c", "-ldl"], cwd=self.folder, check=True)
        self.failed("a message between GPUs: .*", {"TEST_NCCL": nccl(), "LD_LIBRARY_PATH":
                                                   f"{self.folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"}, LONG)

    def test_a_rank_that_ends_or_stops_ends_all_and_the_run_is_continued(self):
        self.write(LONG)
        self.run_case(2, file="whole.h5")
        for number, status in ((signal.SIGTERM, 130), (signal.SIGKILL, 137), (signal.SIGSTOP, 7)):
            with self.subTest(number), mock.patch.dict(os.environ, {"GWRM_ANSWER_SECONDS": "5"}):
                process, ranks = self.begin_long(2)
                self.assertEqual(len(ranks), 2)
                os.kill(ranks[1], number)
                said = process.communicate(timeout=60)[1]
                self.assertEqual(process.returncode, status, said)
                self.assertEqual(self.ranks(process.pid), [])
                if number == signal.SIGSTOP:
                    self.assertRegex(said, "does not answer|has not answered")
                self.assertTrue((self.folder / "part.journal").exists())
                self.assertFalse((self.folder / "part.h5").exists())
                self.run_on(2, "run", "-q", "--restart", "part.journal")
                self.same("whole.h5", "part.h5")
                for name in ("part.h5", "part.partial.h5", "part.journal"):
                    (self.folder / name).unlink(missing_ok=True)


if __name__ == "__main__":
    run_ranks.GWRM, run_ranks.MPIRUN = (os.path.realpath(argument) for argument in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
