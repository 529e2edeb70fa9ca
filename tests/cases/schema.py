#!/usr/bin/env python3
"""The schema for editors: inputs/case-schema.json is what `gwrm schema` prints, and every input names it.

    schema.py GWRM SOURCE
"""
import pathlib
import re
import sys
import unittest

from program import ProgramTest

SOURCE = None
MODELINE = re.compile(r"# yaml-language-server: \$schema=(\S+)")


class Schema(ProgramTest):
    def test_the_file_is_what_the_program_prints(self):
        self.assertEqual((SOURCE / "inputs/case-schema.json").read_text(encoding="utf-8"), self.checked("schema"),
                         "after a change of keys: gwrm schema > inputs/case-schema.json")

    def test_every_input_names_it(self):
        inputs = sorted((SOURCE / "inputs").glob("*.yaml"))
        self.assertGreater(len(inputs), 50)
        for case in inputs:
            named = MODELINE.fullmatch(case.read_text(encoding="utf-8").splitlines()[0])
            self.assertTrue(named, f"{case.name}: the first line has to be # yaml-language-server: $schema=case-schema.json")
            self.assertTrue((case.parent / named.group(1)).is_file(), case)

    def test_a_mistake_is_still_told_with_its_line(self):
        case = (SOURCE / "inputs/heat.yaml").read_text(encoding="utf-8").replace("boundary:", "bondary:")
        self.text("case.yaml", case)
        line = 1 + case[:case.index("bondary:")].count("\n")
        done = self.run_gwrm("check", "case.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"case.yaml:{line}:1", done.stderr)


if __name__ == "__main__":
    Schema.program = pathlib.Path(sys.argv.pop(1)).resolve()
    SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
