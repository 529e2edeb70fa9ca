"""All kinds of pictures, films and pages, by name. Imports nothing, so that `gwrm plot --help` can be asked anywhere."""

KINDS = {
    "profiles": "curves over x at several times",
    "map": "colours over x and t",
    "spacetime": "colours over x and t, evaluated between the samples",
    "snapshots": "colours over x and y at several times",
    "quiver": "arrows of a vector over x and y, at several times",
    "streamlines": "its streamlines",
    "slices": "colours on three planes through a point of x, y, z",
    "isosurfaces": "surfaces of one value in x, y, z (needs the Python package pyvista)",
    "trajectories": "curves over t",
    "parameter": "the field over a parameter, at several places or times",
    "branch": "norms over the constant that changes (`continue`), with folds",
    "modes": "the modes of an eigenvalue problem",
    "eigenvalues": "its eigenvalues in the complex plane, or over a parameter",
    "statistics": "mean, deviation and Sobol indices over the parameters",
    "coefficients": "decay of the coefficients along each dimension",
    "sphere": "colours over a sphere around the centre, of problem: ball",
    "meridian": "colours over a plane through the axis of the sphere",
    "spectrum": "decay of the coefficients in t, n, l and m, of problem: ball",
    "newton": "Newton corrections by iteration, iterations by window",
    "windows": "length, degrees and subdomains of the windows in time",
    "verification": "every check against its tolerance",
    "convergence": "errors of a study (the file of gwrm converge) with their law",
    "sweep": "a field over the values of gwrm sweep: lines, maps, small multiples, mean and deviation of samples",
}
OTHER_KINDS = {
    "film": "a .gif or .mp4 of the field over time",
    "report": "one HTML page about the run",
    "live": "one HTML page with sliders for time, parameters and places, summed from the series",
}
STYLES = ("screen", "paper", "talk")
MOST_BYTES = 2_000_000  # of a live page
