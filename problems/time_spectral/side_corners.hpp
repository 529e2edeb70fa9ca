// Corners of steady problems where the data of two sides, or of two parts of a side, do not fit together: there the
// solution jumps or is like r^a, and no series in x and y gets near it.
//
// corner   A point along two axes of space: the values that two sides that meet prescribe differ there; or one
//          prescribes a value and the other holds a derivative along itself, as a clamped and a free side of an elastic
//          body, or both prescribe the same derivatives with different values; or along a side the data of a condition
//          jump, or its kind changes, by step(), sign() and the like.
// graded   The subdomains of automatic runs are cut toward it at 0.15 of their length (graded_subdomains.hpp), until
//          they are no longer than
//            w = 0.02 s 0.15^(k - 1)
//          s the shorter of the lengths of the subdomains beside it along both axes.
// left out The k innermost cells: in the first a polynomial misses half the jump, and of that every further cell keeps
//          a hundredth or less. (Laplace's equation with a jump of values, degree 20: 7.5e-4 of the jump in the third
//          cell, 3.6e-6 in the fourth, 5e-9 in the fifth.) k is half the decimals of the tolerance, and 2 more where
//          values jump, 1 more where the kind of condition does.
// Source   docs/numerics.md 6; for the grading see graded_subdomains.hpp.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "case/case.hpp"
#include "output/left_out.hpp"
#include "problems/time_spectral/tails.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

struct SideCorner {
  std::array<int, 2> axes{-1, -1};
  std::array<double, 2> places{};
  std::string text;     // "\"f(x=0) = 0\" and \"f(y=1) = -1\" differ by 1"
  std::string what;     // "f jumps by 1"
  double widths = 0.0;  // within so many lengths of the innermost subdomains nothing is judged
  int jump = 1;         // 2: of values, 1: of derivatives
};

// Of automatic steady runs with two or more axes of space; of others none.
std::vector<SideCorner> side_corners(const Case& the_case, const Model& model);

// The model with its first subdomains graded toward these corners; as many as resolution.limits.domains allows.
Model graded_toward_corners(const Case& the_case, Model model);

// The subdomains with one more level toward each: what lies in the innermost cells of one solution is outside of those
// of the other.
std::vector<AxisDescription> with_another_level(const std::vector<SideCorner>& corners,
                                                std::vector<AxisDescription> subdomains);

// On these subdomains.
std::vector<LeftOut> left_out_of(const std::vector<SideCorner>& corners,
                                 const std::vector<AxisDescription>& subdomains);

// What a user reads of each.
std::vector<std::string> describe(const Model& model, const std::vector<SideCorner>& corners);

// Tails of a steady problem at all points of the parameters, without the cells where nothing is judged: what is
// singular there says nothing of sizes and tails elsewhere. sizes: known before; levels: see measure_tails().
Tails judged_tails(std::span<const std::unique_ptr<Window>> windows, FieldScales sizes, std::span<const int> levels,
                   const std::vector<SideCorner>& corners);

}  // namespace gwrm
