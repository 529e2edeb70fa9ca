#!/usr/bin/env python3
"""Makes a wheel of the Python package, installs it into a clean virtual environment, solves and plots there, and runs the tests
of python/tests.

    python_package.py GWRM BUILD SOURCE CMAKE PYTHON [--download]

BUILD is a build folder: its library is installed, and the wheel is made on that, which compiles the package's own files
alone. PYTHON has the packages of postprocess/requirements.txt; the clean environment sees those of them that gwrm needs by a
link. --download: pip fetches them anew, as for a stranger, and the wheel is made in an environment of its own, too.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import time

EXAMPLE = """
import gwrm
answer = gwrm.solve({case!r})
answer.plot().savefig("u.png")
print(answer.verdict, gwrm.__file__)
"""


def run(*command, **how):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **how)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def timed(what, began):
    print(f"{what}: {time.monotonic() - began:.1f} s", flush=True)
    return time.monotonic()


def make_wheel(folder, build, source, cmake, python, download):
    prefix, wheels = folder / "installed", folder / "wheels"
    run(cmake, "--install", build, "--prefix", prefix)
    settings = {"cmake.source-dir": "python", "build-dir": str(folder / "build"),
                "cmake.define.gwrm_DIR": str(next(prefix.rglob("gwrm-config.cmake")).parent)}
    run(python, "-m", "pip", "wheel", source, "--no-deps", *([] if download else ["--no-build-isolation"]), "-w", wheels,
        "--disable-pip-version-check", *(f"--config-settings={key}={value}" for key, value in settings.items()))
    wheel, = wheels.glob("gwrm-*.whl")
    return wheel


def check_source_archive(folder, source, python):
    """The archive of sources holds everything that is tracked, but for the pictures."""
    run(python, "-c", f"from scikit_build_core.build import build_sdist; build_sdist({str(folder)!r})", cwd=source)
    archive, = folder.glob("gwrm-*.tar.gz")
    with tarfile.open(archive) as packed:
        held = {member.name.partition("/")[2] for member in packed.getmembers()}
    assert {"pyproject.toml", "CMakeLists.txt", "src/api/gwrm.hpp", "python/gwrm/__init__.py", "LICENSE"} <= held, held
    if (source / ".git").exists() and shutil.which("git"):
        listed = run("git", "-c", "safe.directory=*", "-C", source, "ls-files").split("\n")
        kept = {name for name in listed if name and not name.startswith(("docs/gallery/", "docs/figures/"))}
        assert kept <= held | {name for name in kept if not (source / name).exists()}, sorted(kept - held)


def make_environment(folder, python, wheel, download):
    run(python, "-m", "venv", folder, *([] if download else ["--without-pip"]))
    own = folder / "bin/python"
    packages = run(own, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    if download:
        run(own, "-m", "pip", "install", "--disable-pip-version-check", wheel, "pytest")
    else:
        run(python, "-m", "pip", "--python", own, "install", "--no-deps", "--disable-pip-version-check", wheel)
        theirs = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
        pathlib.Path(packages, "requirements.pth").write_text(theirs, encoding="utf-8")
    return own


def main():
    arguments = [word for word in sys.argv[1:] if word != "--download"]
    if len(arguments) != 5:
        sys.exit(__doc__)
    download = "--download" in sys.argv
    gwrm, build, source, cmake, python = arguments
    gwrm, source = pathlib.Path(gwrm).resolve(), pathlib.Path(source).resolve()
    folder = pathlib.Path(build, "tests", "python_download" if download else "python").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # The tests of the package choose the threads themselves.
    for name in ("PYTHONPATH", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.pop(name, None)

    check_source_archive(folder, source, python)
    began = time.monotonic()
    wheel = make_wheel(folder, build, source, cmake, python, download)
    began = timed(f"the wheel, {wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB", began)
    own = make_environment(folder / "environment", python, wheel, download)
    said = run(own, "-c", EXAMPLE.format(case=str(source / "inputs/burgers.yaml")), cwd=folder)
    assert said.startswith("PASS ") and str(folder) in said and (folder / "u.png").stat().st_size > 1000, said
    began = timed("installed, solved, plotted", began)
    print(run(own, "-m", "pytest", "-q", "-p", "no:cacheprovider", source / "python/tests", "--program", gwrm, cwd=folder,
              env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}))
    timed("its tests", began)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
