"""All problems, by kind: one module each, with a list PROBLEMS."""
import re

from . import (aliased, branches, corners, differences, evolution, flows, growth, hidden, ill_posed, interfaces, linked,
               modes, ordinary, parameters, periodic, plane, plane_in_time, slow, steady, sudden, systems, volume)

ALL = [problem for module in (ordinary, systems, evolution, steady, branches, plane, plane_in_time, volume, parameters,
                              hidden, ill_posed, differences, growth, aliased, periodic, slow, interfaces, modes, linked,
                              sudden, flows, corners)
       for problem in module.PROBLEMS]
assert len({problem.name for problem in ALL}) == len(ALL), "two problems of the same name"
for problem in ALL:  # no program is told the answer
    assert not re.search(r"^ *(exact|values|verification):", problem.case, re.MULTILINE), problem.name
