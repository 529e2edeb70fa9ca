#!/usr/bin/env python3
"""Completions and manual page against what --help says: every option of every command is in them. The scripts run in the
shells that this machine has.

    completions.py GWRM README
"""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

GWRM = README = None
# bash itself, its word list as the shell makes it.
ASK_BASH = """
source /dev/stdin <<'SCRIPT'
{script}
SCRIPT
COMP_WORDS=({words}) COMP_CWORD={place}
_gwrm
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def said(*words):
    return subprocess.run([GWRM, *words], capture_output=True, text=True, check=True).stdout


def options_in(text):
    """Of a help text: the names in front of the columns."""
    names = set()
    for line in text.splitlines():
        if found := re.match(r"  (-[\w-]+(?:,-[\w-]+)*)", line):
            names.update(found.group(1).split(","))
    return names


class Completions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        help_text = said("--help")
        cls.commands = re.findall(r"^  (\w+) {2,}", help_text[help_text.index("Subcommands:"):], re.M)
        cls.options = {"": options_in(help_text)}
        for command in cls.commands:
            if command != "plot":  # its help is another program's
                cls.options[command] = options_in(said(command, "--help"))
        cls.scripts = {shell: said("--completions", shell) for shell in ("bash", "zsh", "fish")}

    def bash(self, *words):
        text = ASK_BASH.format(script=self.scripts["bash"], words=" ".join(f"'{word}'" for word in words),
                               place=len(words) - 1)
        done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split())

    def test_what_help_says_was_understood(self):
        self.assertIn("run", self.commands)
        self.assertGreater(len(self.commands), 10)
        self.assertLessEqual({"-o", "--output", "--set", "-q", "--threads", "-h", "--help"}, self.options["run"])
        self.assertEqual(self.options[""], {"-h", "--help", "--version", "--completions", "--manual-page"})

    def test_bash(self):
        self.assertEqual(self.bash("gwrm", ""), set(self.commands))
        self.assertEqual(self.bash("gwrm", "re"), {"rerun"})
        self.assertEqual(self.bash("gwrm", "-"), self.options[""])
        for command, options in self.options.items():
            if command:
                self.assertEqual(self.bash("gwrm", command, "-"), options, command)
        self.assertEqual(self.bash("gwrm", "run", "a.yaml", "--ba"), {"--backend"})
        self.assertEqual(self.bash("gwrm", "run", "--backend", ""), {"auto", "cpu", "cuda"})
        self.assertEqual(self.bash("gwrm", "run", "--backend", "=", "c"), {"cpu", "cuda"})
        self.assertEqual(self.bash("gwrm", "export", "--format", ""), {"xdmf", "vtk", "csv"})
        self.assertEqual(self.bash("gwrm", "--completions", ""), {"bash", "zsh", "fish"})
        for words in (["run", ""], ["run", "-o", ""], ["plot", ""]):  # names of files: readline's own
            self.assertEqual(self.bash("gwrm", *words), set())

    def test_zsh(self):
        script = self.scripts["zsh"]
        self.assertTrue(script.startswith("#compdef gwrm\n"))
        for command, options in self.options.items():
            begin = script.index(f"\n        {command})") if command else 0
            section = script[begin:script.index(";;" if command else "1:command", begin)]
            for option in options:
                self.assertRegex(section, rf"[{{,)' ]{re.escape(option)}[+=,}}']", f"{command} {option}")
        if shutil.which("zsh"):
            done = subprocess.run(["zsh", "-f", "-c", f"autoload -U compinit; compinit -D\n{script}"], capture_output=True,
                                  text=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_fish(self):
        script = self.scripts["fish"]
        for command, options in self.options.items():
            here = f"'__fish_seen_subcommand_from {command}'" if command else "'__fish_use_subcommand'"
            lines = [line for line in script.splitlines() if here in line]
            names = {"--" + name for line in lines for name in re.findall(r" -l ([\w-]+)", line)}
            names |= {"-" + name for line in lines for name in re.findall(r" -s (\w)\b", line)}
            self.assertEqual(names, options, command)
        if shutil.which("fish"):
            ask = f"{script}\ncomplete -C 'gwrm run --ba'\ncomplete -C 'gwrm run --backend c'\ncomplete -C 'gwrm re'\n"
            done = subprocess.run(["fish", "--no-config", "-c", ask], capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            self.assertEqual([line.split("\t")[0] for line in done.stdout.splitlines()], ["--backend", "cpu", "cuda", "rerun"])

    def test_manual_page(self):
        page = said("--manual-page")
        plain = page.replace("\\-", "-")
        for command, options in self.options.items():
            if not command:
                continue
            begin = plain.index(f".SS \\fBgwrm {command}\\fR")
            section = plain[begin:re.compile(r"\n\.S[SH]").search(plain, begin + 3).start()]
            common = plain[plain.index(".SH OPTIONS OF THE COMMANDS"):plain.index(".SH OPTIONS WITHOUT A COMMAND")]
            for option in options:
                self.assertRegex(section + common, rf"\\fB{option}\\fR", f"{command} {option}")
        for option in self.options[""]:
            self.assertIn(f"\\fB{option}\\fR", plain[plain.index(".SH OPTIONS WITHOUT"):])
        statuses = re.findall(r"^\| (\d+) \| (.*) \|$", pathlib.Path(README).read_text(encoding="utf-8"), re.M)
        self.assertEqual(re.findall(r"^\.TP\n\\fB(\d+)\\fR\n(.*)$", plain, re.M), statuses)
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbou"], input=page, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, r"(?m)^SYNOPSIS\n +gwrm run \[options\] \[case\]$")
            self.assertRegex(done.stdout, r"(?m)^ +-o, --output FILE$")


if __name__ == "__main__":
    GWRM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    README = sys.argv.pop(1)
    unittest.main()
