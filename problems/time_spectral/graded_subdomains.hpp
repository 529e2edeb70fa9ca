// Subdomains graded toward the ends of an axis, where walls meet in corners: there the solution is like r^alpha log r,
// its series along the axis falls by powers of the level, and neither a longer series nor a bisection gets far.
//
// power    s, where the coefficients a_n of the subdomain at an end of the axis fall like n^-s: those of x^alpha on [0,
// 1]
//          have s = 2 alpha + 1. Recognised by a_(n/4) / a_(n/2) = a_(n/2) / a_n, which for a series that falls
//          geometrically is the square root of it. The end: there the terms of the second half of the series add up, at
//          the other end they alternate.
// grading  the subdomain of length L is cut at sigma^k L, k = 1 .. m, sigma = 0.15 (close to (sqrt(2) - 1)^2, the best
//          ratio for such functions). What is singular is sigma^(alpha m) as large in the innermost piece: m follows
//          from the tail there. All others are analytic, their coefficients fall by rho = (1 + sqrt(sigma)) / (1 -
//          sqrt(sigma)) = 2.26 a level at the least: the degree follows from what is asked.
// Source: W. Gui, I. Babuska, The h, p and h-p versions of the finite element method in 1 dimension, part II, Numer.
// Math. 49 (1986) 613-657: the ratio; L. N. Trefethen, Approximation Theory and Approximation Practice (2013), chapters
// 7 and 8: how fast coefficients fall.
#pragma once

#include <array>
#include <vector>

#include "basis/axis_description.hpp"

namespace gwrm {

// s at the lower end of the first and at the upper end of the last subdomain; 0 where the series is none of powers, or
// one of too low a power (below 1.5: jumps, which no cut brings nearer), or too short to tell (degree below 16).
using EndPowers = std::array<double, 2>;
EndPowers end_powers(const Array& coefficients, int axis, const AxisDescription& subdomains);

// The degree at which a series with this tail at its end, falling by this power, has half the tolerance there.
int degree_by_power(int degree, double tail, double power, double tolerance);

// The subdomains with cuts toward the ends that have a power and a tail (per subdomain) above the tolerance; those that
// are given where grading would not take fewer coefficients along the axis than a series long enough.
AxisDescription graded(const AxisDescription& subdomains, const std::vector<double>& tails, const EndPowers& powers,
                       double tolerance, int max_degree);

// sigma.
inline constexpr double kGradingRatio = 0.15;

// The subdomains beside the place, if it is an edge, cut at `ratio` of their length from it until they are no longer
// than `spacing`; a whole axis is halved first, for the other end. No more than `most` subdomains.
AxisDescription cut_toward(AxisDescription subdomains, double place, double spacing, double ratio, int most);

// Whether the pieces p and p + 1 were made of one by a bisection or by a cut toward an end: what is left without the
// edge between them can still be made of the original subdomains by such divisions.
bool are_siblings(const AxisDescription& subdomains, const AxisDescription& original, Index p);

}  // namespace gwrm
