#!/usr/bin/env python3
"""The cases of docs/coming-from.md run as they stand there, pass, and give the numbers of other methods.

    coming_from.py GWRM SOURCE
"""
import json
import pathlib
import re
import sys
import unittest

from program import ProgramTest

SOURCE = None
# Title -> expression, where, value, how far the answer may be off: the case's tolerance times the size of the field.
VALUES = {
    # Fourier collocation with 256 and 384 points, integrating factor, Runge-Kutta of order 4 with 8000 and 12000 steps:
    # both have these digits.
    "KdV-Burgers equation on a circle": [("u", "t=4,x=5.5", 0.7653229264, 1e-5), ("u", "t=4,x=6.5", -0.1031277830, 1e-5),
                                         ("integral(u, x)", "t=4", 2.430003541618, 1e-5)],  # 10 exp(-3) I_0(3) at all times
    "Burgers equation between walls": [("u", "t=2,x=0.25", -0.2198857380, 1e-6)],
    "A linear two-point problem": [("u", "x=0", -0.50024910900742, 1e-10)],  # Chebyshev collocation, 41 and 61 points
    "A pendulum": [("u", "x=2", 2.82650180308, 1e-10)],  # shooting, Runge-Kutta of order 4 with 4000 steps
    "Quantum harmonic oscillator": [("lam", f"mode={n}", 2*n + 1, 1e-8) for n in range(6)],
    # The mean stays: exp(-4) I_0(3) I_0(1).
    "Heat in a square without flux": [("integral(integral(c, x), y)", "t=1", 0.11317974959953, 1e-5)],
    # As the first, 48 and 32 points along each axis.
    "Gray-Scott model, periodic": [("u", "t=20,x=0,y=0", 0.781064794, 1e-4), ("v", "t=20,x=0,y=0", 0.213799798, 1e-4)],
}


class ComingFrom(ProgramTest):
    def test_cases_of_the_page(self):
        page = (SOURCE / "docs/coming-from.md").read_text(encoding="utf-8")
        cases = re.findall(r"^```yaml\ntitle: ([^\n]*)\n(.*?)^```$", page, re.M | re.S)
        self.assertEqual([title for title, _ in cases], list(VALUES))
        self.assertEqual(page.count("```yaml\n"), len(cases))
        for title, text in cases:
            with self.subTest(title=title):
                self.text("case.yaml", f"title: {title}\n{text}")
                printed = self.checked("run", "case.yaml", "--threads", "1", "-o", "case.h5", "--overwrite")
                self.assertIn("\n  PASS\n", printed)
                self.assertIn("estimated error", printed)
                for expression, at, value, tolerance in VALUES[title]:
                    printed = self.checked("eval", "case.h5", "--at", at, "--expr", expression, "--json")
                    found = json.loads(printed)["points"][0]["values"][0]
                    self.assertLess(abs(found - value), tolerance * max(1, abs(value)), (expression, at))


if __name__ == "__main__":
    ComingFrom.program = pathlib.Path(sys.argv.pop(1)).resolve()
    SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
