#!/usr/bin/env python3
"""The Debian package of the program: made by cpack, unpacked into a folder, used there.

    packages.py BUILD CPACK [PYTHON]

With PYTHON, which has the packages of postprocess/requirements.txt, it draws, too. Installed into fresh systems: tests/long/debian_packages.sh.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77


def run(*command, **how):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **how)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def figures(package, root, folder, python=None):
    """`gwrm plot` has its package along, and the Python of its prefix where there is one."""
    files = run("dpkg-deb", "--contents", package)
    assert "/usr/share/gwrm/postprocess/gwrm_post/live_page/page.html" in files and "__pycache__" not in files, files
    recommended = run("dpkg-deb", "--field", package, "Recommends").strip().split(", ")
    assert {"python3-h5netcdf", "python3-matplotlib", "python3-xarray"} <= set(recommended), recommended
    run("dpkg-deb", "--control", package, folder / "control")
    assert all(os.access(folder / "control" / name, os.X_OK) for name in ("postinst", "prerm"))
    free = {name: value for name, value in os.environ.items() if name not in ("GWRM_PYTHON", "PYTHONPATH")}
    if python:
        run(root / "usr/bin/gwrm", "plot", "burgers.h5", "-o", "u.png", cwd=folder, env={**free, "GWRM_PYTHON": python})
        assert (folder / "u.png").read_bytes().startswith(b"\x89PNG")
    stand_in = root / "usr/bin/python3"
    stand_in.write_text('#!/bin/sh\necho "$PYTHONPATH"\n', encoding="utf-8")
    stand_in.chmod(0o755)
    told = run(root / "usr/bin/gwrm", "plot", "burgers.h5", cwd=folder, env=free)
    assert told == f"{root / 'usr/share/gwrm/postprocess'}\n", told
    stand_in.write_text(f'#!/bin/sh\nexec {sys.executable} -s -S "$@"\n', encoding="utf-8")  # finds no packages
    without = subprocess.run([root / "usr/bin/gwrm", "plot", "burgers.h5"], cwd=folder, env=free, capture_output=True, text=True)
    assert without.returncode == 2 and "No module named" in without.stderr and "apt-get install python3-h5netcdf" in without.stderr, without


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    if not all(shutil.which(tool) for tool in ("dpkg-deb", "dpkg-shlibdeps", "readelf")):
        print("no dpkg-deb and dpkg-shlibdeps (dpkg-dev): not tested")
        sys.exit(SKIPPED)
    build, cpack, *python = sys.argv[1:]
    with tempfile.TemporaryDirectory() as holder:
        folder = pathlib.Path(holder)
        run(cpack, "-G", "DEB", "-D", "CPACK_COMPONENTS_ALL=program", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip", "-B", folder / "made",
            cwd=build)
        package, = (folder / "made").glob("*.deb")
        root = folder / "root"
        run("dpkg-deb", "-x", package, root)
        gwrm = root / "usr/bin/gwrm"

        version = run(gwrm, "--version").strip()
        assert re.fullmatch(rf"gwrm_{re.escape(version)}-1\+[a-z]+[\d.]+_\w+\.deb", package.name), package.name
        depends = run("dpkg-deb", "--field", package, "Depends")
        for library in re.findall(r"NEEDED.*\[lib(yaml-cpp|fmt|spdlog|openblas|z|c)\.so", run("readelf", "-d", gwrm)):
            named = "zlib1g" if library == "z" else f"lib{library}"
            assert re.search(rf"(^|, ){re.escape(named)}[\d.]*\b", depends), f"{library} is not in: {depends}"

        run(gwrm, "run", root / "usr/share/gwrm/inputs/burgers.yaml", "--set", "constants.nu=0.2", "-q", cwd=folder)
        value = run(gwrm, "eval", "burgers.h5", "-q", "--at", "t=0,x=0", "--expr", "u", cwd=folder)
        assert abs(float(value.split()[-1])) < 1e-8, value
        figures(package, root, folder, *python)
        for name, option in (("man/man1/gwrm.1", ["--manual-page"]),
                             ("bash-completion/completions/gwrm", ["--completions", "bash"]),
                             ("zsh/site-functions/_gwrm", ["--completions", "zsh"]),
                             ("fish/vendor_completions.d/gwrm.fish", ["--completions", "fish"])):
            assert (root / "usr/share" / name).read_text(encoding="utf-8") == run(gwrm, *option), name
        assert "the gwrm authors" in (root / "usr/share/doc/gwrm/copyright").read_text(encoding="utf-8")
        # Nothing of the component `library`; with GWRM_MPI the module that the program opens under a launcher.
        for_programs = [path for folder in ("lib*", "include") for path in (root / "usr").glob(f"{folder}/**/*")
                        if not path.is_dir() and path.name != "gwrm_mpi.so"]
        assert not for_programs, for_programs


if __name__ == "__main__":
    main()
