#!/usr/bin/env python3
"""Makes docs/gallery.md, its pictures and its films: runs every case of inputs/, measures its error, draws it.

    python docs/make_gallery.py GWRM [NAME ...]

GWRM is the program. Python needs the packages of postprocess/requirements.txt (`./bootstrap python` makes .venv/bin/python). With
names only the pictures and films of these cases are made anew, and gallery.md is left alone. Equations are taken from the head of
each case file; errors are those of its verification, on one thread. A case that fails stops the whole.
"""
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "postprocess"))

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from PIL import Image

from gwrm_post import animate, make_figure, open_run

DPI = 80
MOST_BYTES = 60_000
MOST_FILM_BYTES = 300_000
FRAMES, PER_SECOND, FILM_WIDTH = 31, 10, 400
TEXT = {"map": "{field} over {x} and t", "profiles": "{field} at several times", "snapshots": "{field} in the plane",
        "trajectories": "{field} over t", "parameter": "{field} over the parameter, at several places or times",
        "branch": "the branch and its fold", "curve": "{field}", "meridian": "{field} in a plane through the axis",
        "sphere": "{field} on a sphere", "spectrum": "the coefficients in t, r, l and m", "modes": "{field} of the first modes",
        "eigenvalues": "the eigenvalues over the parameter",
        "statistics": "mean of {field} with two standard deviations, and Sobol indices"}

# Section -> case -> what to draw: kind, fields, caption of its own, and options of make_figure.
SECTIONS = {
    "Ordinary differential equations": {
        "nerve": ("trajectories", ["V", "m", "h", "n", "sodium", "potassium"]),
        "flame": ("trajectories", ["u"]),
        "van_der_pol": ("curve", ["u"]),
        "lorenz84": ("trajectories", ["X", "Y", "Z"]),
        "lorenz84_study": ("parameter", ["X"]),
    },
    "Diffusion, advection, reaction": {
        "heat": ("profiles", ["u"]),
        "layers": ("profiles", ["T"]),
        "uncertain_rod": ("statistics", ["u"]),
        "advection_diffusion": ("profiles", ["u"]),
        "fokker_planck": ("profiles", ["u"], {"zoom": {"x": (0, 0.7)}}),
        "black_scholes": ("profiles", ["V"], {"zoom": {"x": (50, 150)}}),
        "fisher_kpp": ("profiles", ["u"]),
        "reaction_diffusion": ("profiles", ["T"]),
        "allen_cahn": ("map", ["u"]),
        "allen_cahn_noise": ("map", ["u"]),
        "gray_scott": ("map", ["v"]),
        "kuramoto_sivashinsky": ("map", ["u"]),
        "kuramoto_sivashinsky_chaos": ("map", ["u"]),
        "kuramoto_sivashinsky_periodic": ("map", ["u"]),
        "cahn_hilliard": ("map", ["u"]),
    },
    "Burgers' equation": {
        "burgers": ("profiles", ["u"]),
        "burgers_degrees": ("profiles", ["u"]),
        "burgers_sine": ("profiles", ["u"]),
        "burgers_parabola": ("profiles", ["u"]),
        "basdevant": ("profiles", ["u"]),
        "burgers_viscosity": ("parameter", ["u"]),
    },
    "Waves": {
        "wave_forced": ("map", ["u"]),
        "telegraph": ("map", ["V"]),
        "beam": ("map", ["u"]),
        "kdv_soliton": ("map", ["u"]),
        "sine_gordon": ("map", ["u"]),
        "schroedinger": ("map", ["density"]),
        "nls_soliton": ("map", ["density"]),
        "ginzburg_landau": ("map", ["modulus"]),
        "mhd_waves": ("map", ["b"]),
    },
    "Two dimensions in time": {
        "heat_2d": ("snapshots", ["u"]),
        "burgers_2d": ("snapshots", ["u"]),
        "heated_channel": ("snapshots", ["T"]),
        "taylor_green": ("snapshots", ["p"]),
        "carried_vortices": ("snapshots", ["vorticity"]),
        "shear_layer": ("snapshots", ["vorticity"]),
        "channel": ("snapshots", ["v"]),
        "rayleigh_benard": ("snapshots", ["T"]),
        "heated_cavity": ("snapshots", ["T"]),
        "plume": ("snapshots", ["T"]),
        "flow_starts": ("snapshots", ["T"]),
        "gross_pitaevskii": ("snapshots", ["density"]),
        "swift_hohenberg": ("snapshots", ["u"]),
        "turbulence_2d": ("snapshots", ["w"]),
        "orszag_tang": ("snapshots", ["current"]),
        "mhd_vortex": ("snapshots", ["current"]),
    },
    "Three dimensions in time": {
        "taylor_green_3d": ("snapshots", ["vorticity"], {"select": {"z": 1.5708}}),
    },
    "Steady problems": {
        "kovasznay": ("snapshots", ["u"]),
        "cavity": ("snapshots", ["u"]),
        "lane_emden": ("curve", ["w"]),
        "airy": ("curve", ["u"]),
        "mathieu": ("curve", ["a"]),
        "bratu": ("curve", ["u"]),
        "bratu_branch": ("branch", None),
        "conductivity_data": ("snapshots", ["k"]),
        "poisson_2d": ("snapshots", ["u"]),
        "helmholtz_2d": ("snapshots", ["u"]),
    },
    "Eigenvalues": {
        "drum": ("modes", ["u"]),
        "drum_stretched": ("eigenvalues", None),
        "beam_modes": ("modes", ["u"]),
        "hydrogen": ("modes", ["u"]),
        "mathieu_modes": ("modes", ["u"]),
        "orr_sommerfeld": ("modes", ["f_re", "f_im"]),
        "tearing_mode": ("eigenvalues", None),
        "rayleigh_benard_onset": ("modes", ["v", "T"]),
    },
    "Poisson's equation by finite differences": {
        "sbp_poisson": ("snapshots", ["u"]),
        "sbp_jump": ("snapshots", ["u"]),
        "sbp_annulus": ("snapshots", ["u"]),
    },
    "Boundary value problems by recurrences": {
        "bvp_paper": ("curve", ["u"]),
        "bvp_neumann": ("curve", ["u"]),
        "bvp_reaction": ("curve", ["u"]),
    },
    "The full sphere and the shell": {
        "ball_heat": ("meridian", ["u"], {"times": [0, 0.03]}),
        "ball_hyper": ("meridian", ["u"], {"times": [0, 0.001]}),
        "ball_decay": ("sphere", ["B_r"], {"select": {"r": 1.0}}),
        "ball_dynamo": ("sphere", ["B_r"], {"select": {"r": 1.0}}),
        "ball_onset": ("meridian", ["Theta"]),
        "ball_convection": ("meridian", ["Theta"], {"times": [0.4, 1]}),
        "shell_onset": ("meridian", ["Theta"]),
    },
}

# Flows that change in time: case -> the field of its film.
FILMS = {"heated_channel": "T", "taylor_green": "p", "shear_layer": "vorticity", "channel": "v", "rayleigh_benard": "T",
         "heated_cavity": "T", "plume": "T", "mhd_vortex": "current", "taylor_green_3d": "vorticity"}


def head(path):
    """(first sentence, equations) of a case: the comment's first paragraph up to a colon or full stop, and its first
    indented lines; without these the `equations` or the problem's own keys."""
    comment, rest = [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        (comment if line.startswith("#") and not rest else rest).append(line)
    block = []
    for line in comment:
        if line.startswith("#    "):
            block.append(line[1:].rstrip())
        elif block:
            break
    margin = min((len(line) - len(line.lstrip()) for line in block), default=0)
    equations = "\n".join(line[margin:] for line in block)
    if not equations:
        keys = ("source:", "coefficient:", "reaction:", "  - \"")
        equations = "\n".join(line.strip().lstrip("- ").split("  #")[0] for line in rest if line.strip().startswith(keys)
                              or line.startswith('  - "'))
    title = next(line.partition(":")[2].strip().strip('"') for line in rest if line.startswith("title:"))
    return title, equations


def measured(checks):
    """The error of a run in words, from its verification."""
    def worst(*kinds):
        values = [check["value"] for check in checks if check["kind"] in kinds]
        return max(values) if values else None

    exact, known = worst("error_max"), worst("value")
    errors = [f"{where} **{rounded(error)}**"
              for where, error in (("against the exact solution", exact), ("at known values", known)) if error is not None]
    if errors:
        return "largest error " + ", ".join(errors)
    return f"no solution is known; residual off the grid **{rounded(worst('residual'))}**"


def rounded(value):
    """One digit; round-off is not worth more, since it differs from machine to machine."""
    return "round-off" if value < 2e-15 else f"{value:.0e}".replace("e-0", "e-")


def run(gwrm, case, folder, *options):
    output = pathlib.Path(folder, f"{case}.h5")
    command = [gwrm, "run", str(ROOT / "inputs" / f"{case}.yaml"), "--quiet", "--json", "--threads", "1", "--overwrite",
               "-o", str(output), *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{case}: exit status {done.returncode}")
    return output, json.loads(done.stdout)


def draw(result, case, kind, fields, options):
    """Writes the picture with a palette, which is small and looks the same."""
    figure = make_figure(result, None if kind == "curve" else kind, fields, title="", **options)
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=DPI)
    plt.close(figure)
    picture = Image.open(data).convert("RGB")
    path = ROOT / "docs" / "gallery" / f"{case}.png"
    for colours in (256, 128, 64):
        picture.quantize(colours, method=Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE).save(
            path, optimize=True)
        if path.stat().st_size <= MOST_BYTES:
            return
    sys.exit(f"{case}: the picture has more than {MOST_BYTES} bytes")


def film(result, case, options, folder):
    """A film in few colours, of the series between the times of the result."""
    large = pathlib.Path(folder, f"{case}.gif")
    animate(open_run(result), large, FILMS[case], frames=FRAMES, per_second=PER_SECOND, select=options.get("select"),
            source=result, title="")
    frames = []
    with Image.open(large) as whole:
        for number in range(whole.n_frames):
            whole.seek(number)
            frame = whole.convert("RGB")
            frames.append(frame.resize((FILM_WIDTH, frame.height * FILM_WIDTH // frame.width), Image.Resampling.LANCZOS))
    path = ROOT / "docs" / "gallery" / f"{case}.gif"
    for colours in (128, 64, 32, 16):
        # One palette for all, of the middle and the end: colours must not flicker.
        sample = Image.new("RGB", (FILM_WIDTH, 2 * frames[0].height))
        for place, frame in enumerate((frames[len(frames) // 2], frames[-1])):
            sample.paste(frame, (0, place * frame.height))
        palette = sample.quantize(colours, method=Image.Quantize.MAXCOVERAGE, kmeans=3)
        first, *rest = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames)
        first.save(path, save_all=True, append_images=rest, duration=1000 // PER_SECOND, loop=0, optimize=True)
        if path.stat().st_size <= MOST_FILM_BYTES:
            return
    sys.exit(f"{case}: the film has more than {MOST_FILM_BYTES} bytes")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    gwrm, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    drawn = {case for cases in SECTIONS.values() for case in cases}
    present = {path.stem for path in (ROOT / "inputs").glob("*.yaml")}
    if drawn != present:
        sys.exit(f"SECTIONS and inputs/ differ: {', '.join(sorted(drawn ^ present))}")
    os.environ["GWRM_PROGRAM"] = gwrm  # evaluates what films show between the stored times
    (ROOT / "docs" / "gallery").mkdir(exist_ok=True)
    text = ["# Gallery", "",
            "Every case of `inputs/`, run as it stands. The errors are those that the program measures itself when it "
            "verifies its answer, relative to the largest value of the field. This page and its pictures and films are made by "
            "`python docs/make_gallery.py build/release/bin/gwrm`.", ""]
    with tempfile.TemporaryDirectory() as folder:
        for section, cases in SECTIONS.items():
            text += [f"## {section}", ""]
            for case, (kind, fields, *more) in cases.items():
                if wanted and case not in wanted:
                    continue
                result, answer = run(gwrm, case, folder)
                draw(result, case, kind, fields, more[0] if more else {})
                if case in FILMS:
                    film(result, case, more[0] if more else {}, folder)
                title, equations = head(ROOT / "inputs" / f"{case}.yaml")
                caption = TEXT[kind].format(field=", ".join(fields or []), x="x")
                print(f"{case}: {measured(answer['verification']['checks'])}", flush=True)
                text += [f"### {title}", "", f"![{caption}](gallery/{case}.png)", "", "```", equations, "```", "",
                         f"[`inputs/{case}.yaml`](../inputs/{case}.yaml); {measured(answer['verification']['checks'])}. "
                         f"Picture: {caption}." + (f" [Film](gallery/{case}.gif)." if case in FILMS else ""), ""]
    if not wanted:
        (ROOT / "docs" / "gallery.md").write_text("\n".join(text).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
