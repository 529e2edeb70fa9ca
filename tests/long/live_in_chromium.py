#!/usr/bin/env python3
"""Opens live pages (`gwrm plot --kind live`) in a headless Chromium, as a reader does from file://.

    live_in_chromium.py GWRM INPUTS PYTHON [CASE ... | --all]      default: a case of every shape
    live_in_chromium.py --pages PAGE.html ... [--shots FOLDER]     pages that are there already

PYTHON has the packages of postprocess/requirements.txt; Chromium is `chromium` or what CHROMIUM names (Debian: apt-get
install chromium). Of every page: it loads without an error on the console and without a request to anywhere; its
drawings are not empty; moving each slider by a key changes a drawing or a value; values at random points are those of
`gwrm eval` to 1e-12 of the largest; the page is below 2 MB. Prints the time of redraws with each slider moved, the
median of 30, and the longest. Of "burgers_viscosity", in one dimension with a parameter, a median above 16 ms is a
failure.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from chromium import Browser

CASES = ["burgers_viscosity", "heat", "basdevant", "kuramoto_sivashinsky_periodic", "burgers_2d", "plume",
         "taylor_green_3d", "nerve", "lorenz84_study", "uncertain_rod", "bratu_branch", "mathieu_modes", "poisson_2d"]
MOST_BYTES, MOST_MILLISECONDS, ALLOWED = 2_000_000, 16, 1e-12


# The page is drawn, or says why not.
READY = "typeof gwrmLive !== 'undefined' && (gwrmLive.ready || document.getElementById('message').textContent !== '')"
# What is seen: the pixels of the drawings, and the values at the point.
SEEN = """(() => {
  gwrmLive.redraw();
  return [...document.querySelectorAll('#drawings canvas')].filter((c) => !c.hidden).map((c) => c.toDataURL()).join()
    + document.getElementById('probe').textContent;
})()"""
# Colours in a drawing: an empty one has one or two.
COLOURS = """[...document.querySelectorAll('#drawings canvas')].filter((c) => !c.hidden).map((c) =>
  new Set(new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size)"""
# The values of an unknown at a list of points.
VALUES = """(() => {
  const of = gwrmLive.answer.unknowns.find((one) => one.name === %s);
  return %s.map((place) => gwrmLive.answer.values(of, place)[0]);
})()"""
# Milliseconds of 30 redraws at places of one axis that are all new.
TIMES = """(() => {
  const times = [], axis = gwrmLive.answer.axis[%s];
  for (let i = 0; i < 30; ++i) {
    gwrmLive.state.point[axis.name] = axis.places ? axis.places[i %% axis.places.length]
                                                  : axis.lower + (axis.upper - axis.lower) * (i + 0.37) / 31;
    gwrmLive.redraw();
    times.push(gwrmLive.milliseconds);
  }
  return times.sort((a, b) => a - b);
})()"""


def values_agree(browser, gwrm, result, axes):
    """The largest difference from `gwrm eval` at random points, relative to the largest value."""
    worst = 0.0
    unknowns = browser.evaluate("gwrmLive.answer.unknowns.map((one) => [one.name, gwrmLive.answer.axesOf(one)])")
    random.seed(7)
    for name, own in unknowns:
        if not own:  # a number alone has no points
            continue
        places = [{axis: random.uniform(*axes[axis]) for axis in own} for _ in range(40)]
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            rows = [own] + [[repr(place[axis]) for axis in own] for place in places]
            file.write("".join(",".join(row) + "\n" for row in rows))
            file.flush()
            done = subprocess.run([gwrm, "eval", result, "--points", file.name, "--expr", name], text=True,
                                  capture_output=True)
        if done.returncode != 0:
            sys.exit(f"gwrm eval {result}: {done.stderr}")
        expected = [float(line.split(",")[-1]) for line in done.stdout.splitlines()[1:]]
        found = browser.evaluate(VALUES % (json.dumps(name), json.dumps(places)))
        largest = max(map(abs, expected))
        worst = max(worst, max(abs(a - b) for a, b in zip(found, expected)) / (largest or 1.0))
    return worst


def check(browser, page, gwrm=None, result=None, shots=None):
    """The complaints about one page; prints what was measured."""
    faults, size = [], page.stat().st_size
    seconds = browser.open(page.resolve().as_uri(), READY)
    message = browser.evaluate("document.getElementById('message').textContent")
    if message:
        return [message, *browser.complaints()]
    if shots:
        browser.shot(shots / (page.stem + ".png"))
    colours = browser.evaluate(COLOURS)
    if any(count < 10 for count in colours):
        faults.append(f"an empty drawing: {colours} colours")
    ends = browser.evaluate("gwrmLive.answer.axes.map((axis) => [axis.name, axis.lower, axis.upper])")
    axes = {name: (lower, upper) for name, lower, upper in ends}
    told = []
    for name in browser.evaluate("[...document.querySelectorAll('input[type=range]')].map((s) => s.id.slice(7))"):
        if browser.evaluate(f"document.getElementById('slider-{name}').max") == "0":
            continue
        browser.evaluate(f"document.getElementById('slider-{name}').focus()")
        before = browser.evaluate(SEEN)
        browser.press("ArrowRight")
        if browser.evaluate(SEEN) == before:
            faults.append(f"the slider of {name} changes nothing")
        times = browser.evaluate(TIMES % json.dumps(name))
        told.append(f"{name} {times[15]:.1f} ({times[-1]:.1f})")
        if page.stem.startswith("burgers_viscosity") and times[15] > MOST_MILLISECONDS:
            faults.append(f"a redraw of {times[15]:.1f} ms with {name}")
    worst = values_agree(browser, gwrm, result, axes) if gwrm else None
    if worst is not None and not worst <= ALLOWED:
        faults.append(f"values differ from gwrm eval by {worst:.1e}")
    if size > MOST_BYTES:
        faults.append(f"{size} bytes")
    faults += browser.complaints()
    print(f"{page.stem}: {size / 1e3:.0f} kB, ready after {seconds:.2f} s, redraws in ms: {', '.join(told)}"
          + ("" if worst is None else f"; differences from gwrm eval {worst:.1e}"), flush=True)
    return faults


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder, shots = pathlib.Path(folder), None
        if "--shots" in arguments:
            place = arguments.index("--shots")
            shots = pathlib.Path(arguments[place + 1])
            del arguments[place:place + 2]
        browser = Browser(folder / "profile")
        try:
            if arguments[0] == "--pages":
                todo = [(pathlib.Path(name), None, None) for name in arguments[1:]]
            else:
                gwrm, inputs, python = (os.path.abspath(name) for name in arguments[:3])
                cases = arguments[3:] or CASES
                if cases == ["--all"]:
                    cases = sorted(path.stem for path in pathlib.Path(inputs).glob("*.yaml"))
                todo = ((folder / f"{case}_live.html", gwrm, folder / f"{case}.h5") for case in cases)
            for page, gwrm, result in todo:
                if gwrm:
                    case = result.stem
                    subprocess.run([gwrm, "run", f"{inputs}/{case}.yaml", "--quiet", "-o", str(result)], check=True,
                                   stdout=subprocess.DEVNULL)
                    done = subprocess.run([gwrm, "plot", str(result), "--kind", "live"], capture_output=True, text=True,
                                          env={**os.environ, "GWRM_PYTHON": python})
                    if done.returncode == 2 and ("holds no series" in done.stderr or "problem: ball" in done.stderr):
                        print(f"{case}: has no live page")
                        continue
                    if done.returncode != 0:
                        sys.exit(f"gwrm plot {case}.h5: {done.stderr}")
                for fault in check(browser, page, gwrm, result, shots):
                    failed += 1
                    print(f"FAIL {page.stem}: {fault}", flush=True)
        finally:
            browser.close()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
