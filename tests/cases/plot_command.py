#!/usr/bin/env python3
"""Runs `gwrm plot` as a user does: pictures, pages with all pictures of a result, a film, and the commonest mishaps.

    plot_command.py GWRM INPUTS PYTHON

PYTHON has the packages of postprocess/requirements.txt.
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    gwrm, inputs, python = (os.path.abspath(argument) for argument in sys.argv[1:])

    def call(*arguments, expect=0, limit=None, **environment):
        variables = {**os.environ, "GWRM_PYTHON": python, **environment}
        done = subprocess.run([gwrm, *arguments], env=variables, text=True, capture_output=True, timeout=limit)
        if done.returncode != expect:
            sys.exit(f"{' '.join(arguments)}: exit status {done.returncode}, expected {expect}\n{done.stderr}")
        if "Traceback" in done.stderr:
            sys.exit(f"{' '.join(arguments)}:\n{done.stderr}")
        return done.stdout + done.stderr

    def expect_words(text, *words):
        for word in words:
            if word not in text:
                sys.exit(f"expected '{word}' in: {text}")

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for case in ("burgers_viscosity", "bratu_branch", "sbp_annulus"):
            call("run", f"{inputs}/{case}.yaml", "--quiet", "-o", f"{case}.h5")

        expect_words(call("plot", "bratu_branch.h5"), "bratu_branch.png", "bratu_branch.pdf")
        pictures = {"burgers_viscosity": 10, "bratu_branch": 6, "sbp_annulus": 3}
        for case, count in pictures.items():
            call("plot", f"{case}.h5", "--kind", "report")
            with open(f"{case}.html", encoding="utf-8") as file:
                page = file.read()
            expect_words(page, "verification passed")
            if page.count("data:image/png;base64,") != count:
                sys.exit(f"{case}.html: {page.count('data:image/png;base64,')} pictures, expected {count}")
        began = time.monotonic()
        call("plot", "burgers_viscosity.h5", "--kind", "film", "--at", "nu=0.02", "-o", "u.gif")
        length = time.monotonic() - began
        with open("u.gif", "rb") as film:
            expect_words(film.read(6).decode(), "GIF89a")

        # A film of any expression has its frames from the series, however few times are stored.
        call("run", f"{inputs}/burgers.yaml", "--quiet", "-o", "few.h5", "--set", "output.grid.t=3")
        frames = ("import sys; from PIL import Image; print(Image.open('few.gif').n_frames)")
        for field in ("u", "slope"):
            call("plot", "few.h5", "--kind", "film", "--field", field, "--frames", "7", "--size", "3x2", "-o", "few.gif")
            if subprocess.run([python, "-c", frames], capture_output=True, text=True).stdout != "7\n":
                sys.exit(f"the film of {field} has not 7 frames")

        os.mkfifo("pipe.h5")
        for arguments in (["plot", "pipe.h5"], ["plot", "/dev/zero"], ["plot", "bratu_branch.h5", "-o", "pipe.png"]):
            if "pipe.png" in arguments:
                os.mkfifo("pipe.png")
            expect_words(call(*arguments, expect=8, limit=60), "not an ordinary file")

        # The picture of before stays until the next one is there.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            moment = 0.5 * length
            while True:
                with open("u.gif", "rb") as film:
                    before = film.read()
                drawing = subprocess.Popen([gwrm, "plot", "burgers_viscosity.h5", "--kind", "film", "-o", "u.gif"],
                                           env={**os.environ, "GWRM_PYTHON": python}, stderr=subprocess.PIPE, text=True)
                time.sleep(moment)
                began = time.monotonic()
                drawing.send_signal(number)
                said = drawing.communicate()[1]
                if drawing.returncode != 0 or moment < 0.05:
                    break
                moment *= 0.5  # the film was there: the machine is less busy than it was
            if drawing.returncode != -number or said or time.monotonic() - began > 10.0:
                sys.exit(f"signal {number}: status {drawing.returncode} after {time.monotonic() - began:.1f} s\n{said}")
            with open("u.gif", "rb") as film:
                if film.read() != before:
                    sys.exit("the film of before is not as it was")
        left = [name for name in os.listdir() if name.startswith(".gwrm")]
        if left:
            sys.exit(f"left: {left}")

        expect_words(call("plot", "--help"), "coefficients", "usage: gwrm plot [")
        expect_words(call("plot", "few.h5", "--dip", "3", expect=2), "usage: gwrm plot [", "did you mean --dpi?")
        expect_words(call("plot", "few.h5", "--kind", "report", "-o", "r.pdf", expect=2), "-o r.html")
        shutil.copy("few.h5", "few.png")
        expect_words(call("plot", "few.h5", "-o", "few.png", expect=8), "exists already", "--overwrite")
        call("plot", "few.h5", "-o", "few.png", "--overwrite")
        call("plot", "few.h5", "-o", "few.png")
        expect_words(call("plot", "sbp_annulus.h5", "--kind", "coefficients", expect=2), "no series")
        expect_words(call("plot", "nothing.h5", expect=8), "does not exist")
        expect_words(call("plot", "bratu_branch.h5", expect=2, GWRM_PYTHON="/no/python"), "./bootstrap python")
        with open("bare", "w") as script:  # a Python that finds no installed packages
            script.write(f'#!/bin/sh\nexec "{python}" -S "$@"\n')
        os.chmod("bare", 0o755)
        expect_words(call("plot", "bratu_branch.h5", expect=2, GWRM_PYTHON=f"{folder}/bare"), "./bootstrap python",
                     "No module named")
        expect_words(call("plot", "--help", GWRM_PYTHON=f"{folder}/bare"), "usage: gwrm plot [", "--kind KIND")
        # Of the tree that the program stands in: its own environment, made by ./bootstrap python.
        for made in ("build/release/bin/gwrm", "postprocess/gwrm_post/__main__.py", ".venv/bin/python"):
            os.makedirs(os.path.dirname(made), exist_ok=True)
            with open(made, "w") as script:
                script.write("#!/bin/sh\necho the environment of the tree\n")
            os.chmod(made, 0o755)
        gwrm = shutil.copy(gwrm, "build/release/bin/gwrm")
        expect_words(call("plot", "bratu_branch.h5", GWRM_PYTHON=""), "the environment of the tree")


if __name__ == "__main__":
    main()
