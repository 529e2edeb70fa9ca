"""Compares docs/output-format.md with result files of every problem module, and docs/converge.md with files of studies,
dataset by dataset, attribute by attribute.

    python format_test.py GWRM INPUTS DOCS

Everything in a file must stand in the document's tables, with its type and dimensions, and every row of the tables must
occur in some file. Python needs h5py.
"""
import os
import re
import subprocess
import sys
import tempfile

import h5py

RUNS = {  # name -> (case, overrides): all shapes that the document speaks of
    "parameters": ("burgers_viscosity", {"resolution.degree": "{t: 6, x: 12, nu: 4}"}),
    "distributions": ("uncertain_rod", {"resolution.degree": "{t: 6, x: 8, k: 3, h: 1}", "output.grid": "{t: 3, x: 5, k: 3, h: 2}",
                                        "verification.tolerance": "1"}),
    "subdomains": ("basdevant", {"resolution.tolerance": "1.0e-4"}),
    "dropped windows": ("wave_forced", {"output.coefficients": "none", "domain.t": "[0, 4]", "resolution.domains.t": "4"}),
    "numbers, no time": ("lane_emden", {}),
    "estimated errors": ("burgers", {"output.error": "on"}),
    "budget of the error": ("burgers", {"verification.estimate": "budget"}),
    "goals": ("heat_2d", {"output.grid": "{t: 3, x: 5, y: 5}"}),
    "branch": ("bratu_branch", {}),
    "modes over a parameter": ("drum_stretched", {"resolution.degree": "{q: 3, x: 10, y: 10}", "verification.tolerance": "1"}),
    "finite differences": ("sbp_annulus", {}),
    "recurrences": ("bvp_reaction", {"recurrence.intervals": "1024"}),
    "the sphere": ("ball_onset", {"output.grid": "{t: 3, r: 3, theta: 3, phi: 3}"}),
    "a shell": ("shell_onset", {"output.grid": "{t: 3, r: 3, theta: 3, phi: 3}"}),
}
STUDIES = {
    "degrees": ("burgers_degrees", {"convergence.vary": "{x: [6, 8, 10], t: [4, 5, 6]}"}),
    "no exact solution": ("wave_forced", {"convergence.vary": "{resolution.domains.t: [1, 2, 4]}"}),
    "grids": ("sbp_poisson", {"convergence.vary": "{sbp_sat.intervals: [4, 8, 16]}"}),
}
SCALE_ATTRIBUTES = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST"}
NAME = r"[A-Za-z_][A-Za-z0-9_]*"


def pattern(text):
    """A regular expression of a name with placeholders such as <axis>."""
    def part_pattern(part):
        return r"[\w.]+" if part == "<key>" else NAME if part.startswith("<") else re.escape(part)

    return "".join(part_pattern(part) for part in re.split(r"(<\w+>)", text))


def is_like(name, texts):
    return any(re.fullmatch(pattern(text), name) for text in texts)


class Document:
    """datasets: group -> [(name, type, dimensions)]; attributes: group -> [(name, of, type)]. Rows found are marked."""

    def __init__(self, path):
        self.datasets, self.attributes, self.found = {}, {}, set()
        group, table = None, None
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.startswith("##"):
                    heading = re.match(r"##+ (Root|/[\w/]+)", line)
                    group = heading and ("/" if heading[1] == "Root" else heading[1])
                cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
                if not cells:
                    table = None
                elif cells[0] in ("dataset", "attribute"):
                    table = self.datasets if cells[0] == "dataset" else self.attributes
                elif table is not None and group and not cells[0].startswith("-"):
                    names = [re.findall(r"`([^`]+)`", cell) for cell in cells]
                    if table is self.datasets:
                        table.setdefault(group, []).append((names[0][0], cells[1], names[2] or cells[2]))
                    else:
                        table.setdefault(group, []).append((names[0][0], names[1] or [cells[1]], cells[2]))

    def find_datasets(self, group, name, kind, dimensions):
        return [row for row in self.datasets.get(group, [])
                if is_like(name, [row[0]]) and row[1] == kind and self.same_dimensions(row[2], dimensions)]

    @staticmethod
    def same_dimensions(written, found):
        if written == "itself":
            return found == "itself"
        return found != "itself" and all(is_like(name, written) for name in found)

    def find_attributes(self, group, name, kind, of):
        return [row for row in self.attributes.get(group, []) if row[0] == name and row[2] == kind and is_like(of, row[1])]

    def rows(self):
        for group, rows in self.datasets.items():
            yield from ((group, "dataset", row[0]) for row in rows)
        for group, rows in self.attributes.items():
            yield from ((group, "attribute", row[0], tuple(row[1])) for row in rows)


def kind_of(dtype):
    return "text" if h5py.check_string_dtype(dtype) or dtype.kind in "SO" else dtype.name


def compare(document, file, errors, label):
    def check_attributes(group, of, item):
        for name in item.attrs:
            if name in SCALE_ATTRIBUTES:
                continue
            kind = kind_of(item.attrs.get_id(name).dtype)
            rows = document.find_attributes(group, name, kind, of)
            if not rows:
                errors.append(f"{label}: attribute {name} ({kind}) of {of} in {group} is not in the document")
            document.found.update((group, "attribute", row[0], tuple(row[1])) for row in rows)

    def visit(group, folder):
        check_attributes(group, "root" if group == "/" else "group", folder)
        for name, item in folder.items():
            if isinstance(item, h5py.Group):
                visit(group.rstrip("/") + "/" + name, item)
                continue
            dimensions = "itself" if item.is_scale else [scales[0].name.split("/")[-1] for scales in item.dims]
            rows = document.find_datasets(group, name, kind_of(item.dtype), dimensions)
            if not rows:
                errors.append(f"{label}: dataset {name} ({kind_of(item.dtype)}, {dimensions}) in {group} is not in the document")
            document.found.update((group, "dataset", row[0]) for row in rows)
            check_attributes(group, name, item)

    visit("/", file)


VERSIONS = {"format_version": 2, "study_version": 1}  # as the documents describe them


class Comparison:
    """One document against the files of one command."""

    def __init__(self, gwrm, inputs, folder):
        self.gwrm, self.inputs, self.folder, self.errors = gwrm, inputs, folder, []

    def files(self, command, cases, folder):
        for number, (label, (case, overrides)) in enumerate(cases.items()):
            output = os.path.join(folder, f"{command}_{number}.h5")
            words = [self.gwrm, command, os.path.join(self.inputs, f"{case}.yaml"), "--quiet", "--threads", "1", "-o", output]
            for key, value in overrides.items():
                words += ["--set", f"{key}={value}"]
            done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode not in (0, 6):  # 6: coarser than the case's own verification wants
                sys.exit(f"{label}: exit status {done.returncode}\n{done.stdout}")
            with h5py.File(output) as file:
                yield label, file

    def compare(self, path, groups, command, cases, version, optional=()):
        document = Document(path)
        if not groups <= set(document.datasets):
            sys.exit(f"tables of {path} were not found")
        for label, file in self.files(command, cases, self.folder):
            if int(file.attrs[version]) != VERSIONS[version]:
                self.errors.append(f"{label}: another {version}")
            compare(document, file, self.errors, label)
        for row in document.rows():
            if row not in document.found and row[0] not in optional:
                self.errors.append(f"no file has what {path} says: {row[1]} {row[2]} in {row[0]}")
        print(f"{len(document.found)} rows of {os.path.basename(path)} found in {len(cases)} files")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    gwrm, inputs, docs = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(gwrm, inputs, folder)
        comparison.compare(os.path.join(docs, "output-format.md"),
                           {"/", "/coefficients", "/windows", "/newton", "/verification", "/statistics"}, "run", RUNS,
                           "format_version", optional={"/profile", "/ranks"})  # of runs on a device, of ranks
        comparison.compare(os.path.join(docs, "converge.md"), {"/", "/varied", "/checks"}, "converge", STUDIES,
                           "study_version")
    if comparison.errors:
        sys.exit("\n".join(comparison.errors))


if __name__ == "__main__":
    main()
