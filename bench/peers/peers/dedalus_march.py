"""Constant steps with Dedalus; multistep schemes get a start of their full order."""

RATIO, LEVELS = 1.25, 36


def starting_steps(step):
    """Four steps, divided: SBDF begins with one step of first order, which has to be short, and steps of variable
    multistep schemes may grow by little more than a quarter (with doubled steps the errors of the start grow too).
    The first is 4/1.25^36 = 1/800 of a step; then step/1.25^36, ..., step/1.25: together four steps."""
    return [4 * step * RATIO**-LEVELS] + [step * RATIO**-level for level in range(LEVELS, 0, -1)]


def march(solver, scheme, t, steps, sample):
    """Samples at all t, with `steps` steps (at least four) between neighbours."""
    step, answer = (t[1] - t[0]) / steps, [sample()]
    for interval in range(len(t) - 1):
        rest = steps
        if interval == 0 and scheme.startswith("SBDF"):
            for short in starting_steps(step):
                solver.step(short)
            rest -= 4
        for _ in range(rest):
            solver.step(step)
        answer.append(sample())
    return answer
