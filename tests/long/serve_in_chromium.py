#!/usr/bin/env python3
"""Works with `gwrm serve` in a headless Chromium as a user does: edits, makes a mistake, completes a key, solves, watches
windows appear, plays the answer, cancels, saves.

    serve_in_chromium.py GWRM INPUTS PYTHON [--shots FOLDER]

PYTHON has the packages of postprocess/requirements.txt; Chromium is `chromium` or what CHROMIUM names. A minute.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from chromium import Browser

ALLOWED = 1e-12
# A run of a minute or more, with thousands of windows.
CHANGES = [("t: [0, 150]", "t: [0, 15000]"), ("tolerance: 1.0e-4", "tolerance: 1")]

# The place of the mistake: the letters that are marked, where they are, and where the sign is that points to them.
FAULT = """(() => {
  const marked = document.querySelector('#mirror .fault'), bubble = document.getElementById('bubble');
  if (!marked || bubble.hidden) return null;
  const at = marked.getBoundingClientRect(), box = document.getElementById('sign').getBoundingClientRect();
  const text = document.getElementById('text').getBoundingClientRect();
  return {word: marked.textContent, left: at.left, bottom: at.bottom, sign: box.left, top: box.top, within: text.bottom - box.bottom,
          message: bubble.textContent, told: document.getElementById('fault').textContent};
})()"""
FRAME = "document.getElementById('view').contentWindow"
LIVE = f"({FRAME} && {FRAME}.gwrmLive && {FRAME}.gwrmLive.ready)"


class Faults(list):
    def expect(self, good, text):
        print(f"{'ok  ' if good else 'FAIL'} {text}", flush=True)
        if not good:
            self.append(text)


def select(browser, begin, end=None):
    """Selects a piece of the text, by the words that it is."""
    found = browser.evaluate(f"""(() => {{
      const text = document.getElementById('text'), at = text.value.indexOf({json.dumps(begin)});
      text.focus();
      text.setSelectionRange(at + {0 if end is None else len(begin) - len(end)}, at + {len(begin)});
      return at;
    }})()""")
    if found < 0:
        sys.exit(f"the text has no {begin!r}")


def text_of(browser, name):
    return browser.evaluate(f"document.getElementById('{name}').textContent")


def main(arguments):
    if len(arguments) < 3:
        sys.exit(__doc__)
    gwrm, inputs, python = (os.path.abspath(name) for name in arguments[:3])
    shots = pathlib.Path(arguments[4]) if len(arguments) > 4 else None
    faults = Faults()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        case = folder / "burgers.yaml"
        case.write_bytes(pathlib.Path(inputs, "burgers.yaml").read_bytes())
        long_case = pathlib.Path(inputs, "kuramoto_sivashinsky_chaos.yaml").read_text(encoding="utf-8")
        for old, new in CHANGES:
            assert old in long_case
            long_case = long_case.replace(old, new)
        long_case = re.sub(r"  values:\n(?:    - .*\n)+", "", long_case)
        server = subprocess.Popen([gwrm, "serve", str(case), "--threads", "1"], stdout=subprocess.PIPE, text=True,
                                  env={**os.environ, "GWRM_PYTHON": python})
        url = re.search(r"http://\S+", server.stdout.readline())[0]
        browser = Browser(folder / "profile")
        try:
            work(browser, url, case, long_case, gwrm, faults, shots)
            origin = url.rsplit("/", 2)[0]
            complaints = browser.complaints(allowed=(origin, "data:", "about:"))
            faults.expect(not complaints, f"nothing on the console, no request elsewhere {complaints or ''}")
        finally:
            browser.close()
            server.terminate()
        faults.expect(server.wait(10) == 0, "the server ends with status 0")
    sys.exit(1 if faults else 0)


def work(browser, url, case, long_case, gwrm, faults, shots):
    original = case.read_text(encoding="utf-8")
    print(f"ready after {browser.open(url, 'typeof gwrmServe !== `undefined` && gwrmServe.ready'):.2f} s")
    faults.expect(browser.evaluate("document.getElementById('text').value") == original, "the text is the file's")
    faults.expect(browser.evaluate("document.querySelectorAll('#system math').length") >= 4, "equations are drawn")

    # A mistake, and the sign below it.
    select(browser, "nu*dx(u", "u")
    browser.write("v")
    browser.wait(FAULT)
    if shots:
        shoot(browser, shots, "mistake")
    fault = browser.evaluate(FAULT)
    lines = original.split("\n")
    line = next(number for number, text in enumerate(lines, 1) if "nu*dx(u" in text)
    column = lines[line - 1].index("nu*dx(u") + 7
    faults.expect(fault["word"] == "v" and fault["told"].startswith(f"line {line}, column {column}")
                  and "unknown name 'v'" in fault["message"], f"the mistake is at line {line}, column {column}: {fault['told'][:60]}")
    faults.expect(abs(fault["sign"] - fault["left"]) < 2 and 0 <= fault["top"] - fault["bottom"] < 8 and fault["within"] > 0,
                  "the sign stands under it")
    browser.press("Escape")
    faults.expect(browser.evaluate(FAULT) is None, "Esc takes it away")
    browser.evaluate("document.getElementById('text').setSelectionRange(0, 0)")
    browser.press("Enter", control=True)
    browser.wait(FAULT)
    faults.expect(browser.evaluate("document.getElementById('text').selectionStart") == original.index("nu*dx(u") + 6
                  and browser.evaluate("document.getElementById('run').hidden"), "solving goes to it, and begins nothing")

    # Columns count bytes of UTF-8, letters of the page do not.
    browser.evaluate("document.getElementById('text').select()")
    browser.write(original.replace("schema: 1", 'schema: 1\nlabels: {u: "äöü €", nothing: 1}'))
    browser.wait(FAULT)
    faults.expect(browser.evaluate(FAULT)["word"] == "nothing", "behind letters that are no ASCII, too")
    browser.evaluate("document.getElementById('text').select()")
    browser.write(original.replace("nu*dx(u", "nu*dx(v"))
    browser.wait(f"{FAULT} && {FAULT}.word === 'v'")

    # Help, and a key that is completed.
    select(browser, "nu*dx(v", "v")
    browser.write("u")
    browser.wait(f"{FAULT} === null && document.getElementById('fault').textContent === ''")
    select(browser, "  tolerance: 1.0e-8", "1.0e-8")
    browser.wait("document.getElementById('help').textContent.startsWith('resolution.tolerance Relative accuracy')")
    faults.expect(True, "the key at the caret is explained")
    browser.evaluate("(() => { const t = document.getElementById('text'); t.setSelectionRange(t.value.length, t.value.length); })()")
    browser.write("solv")
    browser.press(" ", control=True)
    words = browser.evaluate("[...document.querySelectorAll('#choices li')].map((one) => one.textContent)")
    browser.press("Enter")
    ended = browser.evaluate("document.getElementById('text').value.slice(-9)")
    faults.expect(words == ["solver"] and ended == "\nsolver: ", f"solv is completed: {words}, {ended!r}")
    select(browser, "\nsolver: ")
    browser.write("\n")
    browser.wait("document.getElementById('fault').textContent === ''")

    # Solve, look, play.
    browser.press("Enter", control=True)
    browser.wait(f"/s$/.test(document.getElementById('state').textContent) && {LIVE}")
    faults.expect(text_of(browser, "state").startswith("PASS"), f"solved: {text_of(browser, 'state')}, "
                  f"{browser.evaluate('document.querySelectorAll(`#ticks span`).length')} windows in the bar")
    result = case.parent / "compared.h5"
    subprocess.run([gwrm, "run", str(case), "-q", "-o", str(result)], check=True)
    places = [{"t": t, "x": x} for t in (0.1, 0.4, 0.9) for x in (0.2, 0.5, 0.77)]
    shown = browser.evaluate(f"{json.dumps(places)}.map((place) => {FRAME}.gwrmLive.answer.values("
                             f"{FRAME}.gwrmLive.answer.unknowns[0], place)[0])")
    expected = [float(subprocess.run([gwrm, "eval", str(result), "--at", f"t={p['t']},x={p['x']}", "--expr", "u", "--csv"],
                                     capture_output=True, text=True, check=True).stdout.split(",")[-1]) for p in places]
    worst = max(abs(a - b) for a, b in zip(shown, expected)) / max(map(abs, expected))
    faults.expect(worst <= ALLOWED, f"its values differ from gwrm eval by {worst:.1e}")
    if shots:
        shoot(browser, shots, "answer")
    before = browser.evaluate(f"[{FRAME}.gwrmLive.state.point.t, {FRAME}.document.getElementById('picture').toDataURL()]")
    browser.evaluate(f"{FRAME}.document.querySelector('.slider button').click()")
    time.sleep(1)
    browser.evaluate(f"{FRAME}.document.querySelector('.slider button').click()")
    after = browser.evaluate(f"[{FRAME}.gwrmLive.state.point.t, {FRAME}.document.getElementById('picture').toDataURL()]")
    faults.expect(after[0] != before[0] and after[1] != before[1], f"it plays: t = {before[0]:.3g}, then {after[0]:.3g}")

    # A long run: windows, pictures of them, and its end.
    browser.evaluate("document.getElementById('text').select()")
    browser.write(long_case)
    browser.wait("document.getElementById('system').textContent.includes('condition 4')")
    browser.press("Enter", control=True)
    browser.wait("document.querySelectorAll('#ticks span').length > 20")
    ends = []
    for _ in range(2):
        browser.wait(f"{LIVE} && {FRAME}.document.querySelector('.badge').textContent.startsWith('so far: ') && "
                     f"Number({FRAME}.document.querySelector('.badge').textContent.split(' ').pop()) > {ends[-1] if ends else 0}")
        ends.append(float(browser.evaluate(f"{FRAME}.document.querySelector('.badge').textContent").split()[-1]))
        browser.evaluate(f"{FRAME}.gwrmLive.move('x', 3.5)")
    if shots:
        shoot(browser, shots, "running")
    count = browser.evaluate("document.querySelectorAll('#ticks span').length")
    faults.expect(0 < ends[0] < ends[1], f"windows appear: {count} in the bar, pictures up to t = {ends[0]:g}, then {ends[1]:g}")
    browser.wait(f"{LIVE} && {FRAME}.gwrmLive.state.point.x === 3.5")
    browser.evaluate("document.getElementById('cancel').click()")
    took = browser.wait("document.getElementById('state').textContent.startsWith('cancelled') && "
                        "!document.getElementById('solve').disabled", 20)
    faults.expect(took < 10, f"cancelled after {took:.1f} s, {text_of(browser, 'state')}")
    browser.wait(f"{LIVE} && {FRAME}.document.querySelector('.badge').textContent === 'FAILED: interrupted'")
    faults.expect(browser.evaluate(f"{FRAME}.gwrmLive.state.point.x") == 3.5, "the point has stayed where it was moved")

    # The file.
    faults.expect(case.read_text(encoding="utf-8") == original, "the file is as it was")
    browser.press("s", control=True)
    browser.wait("document.getElementById('message').textContent === 'saved'")
    faults.expect(case.read_text(encoding="utf-8") == long_case, "Ctrl-S has saved the text")


def shoot(browser, shots, name):
    for scheme in ("light", "dark"):
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        time.sleep(0.2)
        browser.shot(shots / f"serve_{name}_{scheme}.png")
    browser.call("Emulation.setEmulatedMedia", features=[])


if __name__ == "__main__":
    main(sys.argv[1:])
