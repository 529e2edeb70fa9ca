"""Where there is something to see: the part of an axis in which curves differ, and curves of one scale."""

import numpy as np

MOST = 0.99  # of the variation is within the part
NARROW = 0.4  # of the axis: a longer part is no reason to leave out the rest
FEWEST = 10  # samples in the part; fewer make no curve
MARGIN = 0.25  # of the part's length, at each of its ends
SAME_SCALE = 5.0  # fields whose ranges differ by no more share a panel


def focus(places, curves):
    """(lower, upper) of the places in which the curves come to differ, or None where that is most of the axis.

    places   ascending (n)
    curves   (m, n); NaN is passed over
    The smallest interval that has 99 % of the total variation of all differences to the first curve: beyond it they are
    constant, however large the curves grow there (a call option far in the money).
    """
    if len(curves) < 2 or len(places) < 8:
        return None
    differences = np.nan_to_num(np.asarray(curves[1:], float) - curves[0])
    variation = np.abs(np.diff(differences, axis=1)).sum(axis=0)
    if not variation.sum() > 0:
        return None
    before = np.concatenate([[0.0], np.cumsum(variation)]) / variation.sum()  # up to each place
    ends = np.searchsorted(before, before + MOST - 1e-12)  # the first place that has enough, from each
    starts = np.flatnonzero(ends < len(places))
    lengths = places[ends[starts]] - places[starts]
    best = starts[np.argmin(lengths)]
    lower, upper = places[best], places[ends[best]]
    if upper - lower > NARROW * (places[-1] - places[0]) or ends[best] - best < FEWEST:
        return None
    margin = MARGIN * (upper - lower)
    return max(lower - margin, places[0]), min(upper + margin, places[-1])


def by_scale(fields):
    """The fields in groups for one panel each: of the same unit, and of ranges within a factor of 5; in their order."""
    groups = []
    for field in sorted(fields, key=_range, reverse=True):
        for group in groups:
            if _range(group[0]) <= SAME_SCALE * _range(field) and _unit(group[0]) == _unit(field):
                group.append(field)
                break
        else:
            groups.append([field])
    places = {id(field): place for place, field in enumerate(fields)}
    groups = [sorted(group, key=lambda field: places[id(field)]) for group in groups]
    return sorted(groups, key=lambda group: places[id(group[0])])


def _range(field):
    values = field.values[np.isfinite(field.values)]
    return float(max(values.max(), 0.0) - min(values.min(), 0.0)) if values.size else 0.0  # with zero in it


def _unit(field):
    return str(field.attrs.get("units", "1"))
