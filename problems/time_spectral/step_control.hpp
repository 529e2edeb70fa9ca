// How well a solved window is resolved, and what to do about it.
//
// time    eta = largest over the last two coefficients in t of the sum over space of their magnitudes (on several axes,
//         of their values in space), over the field's size;
//         the next length is h * clip(0.9 (tol_t / eta)^(1/K), ..).
// space   tail of a subdomain = largest of its last three coefficients at nine times, over the field's size. In one
//         dimension a subdomain above tol_x is bisected, and two siblings are merged where the last four coefficients
//         of the merged expansion fall below 0.02 tol_x; in two and three the degree of the axis changes.
// Source: numerics.md 5 of the project's method notes, where the factors were measured.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "problems/time_spectral/window.hpp"

namespace gwrm {

struct StepTolerances {
  double time = 0.0, space = 0.0;
};
// Tails that keep the error of the whole run below `tolerance` relative to the field's size.
StepTolerances step_tolerances(const Model& model, double tolerance);

// Root of the sum of squared coefficients, per field: the largest yet seen.
class FieldSizes {
 public:
  explicit FieldSizes(const Model& model) : sizes_(model.fields.size(), 0.0) {}
  void see(const Window& window);
  // coefficients: per field, with one extent per axis of the model.
  void see(const Model& model, const std::vector<Array>& coefficients, const std::vector<AxisPieces>& pieces);
  // At least a millionth of the largest field.
  double of(int field) const;

 private:
  std::vector<double> sizes_;
};

struct Tails {
  double time = 0.0;
  std::vector<std::vector<double>> space;  // per axis, per piece; empty for other axes
  std::string worst_time, worst_space;     // "u", "u along x near x = 0.3": for messages
  // Per axis: by how much the logarithm of the coefficients falls per degree towards the end; 0: not known.
  std::vector<double> decay{};
};
Tails measure_tails(const Window& window, const FieldSizes& sizes);
// Of initial values: space only, relative to their own size.
Tails measure_state(const Model& model, const std::vector<AxisPieces>& pieces, const State& state);
Tails largest_of(const Tails& a, const Tails& b);

// Length of the next window after one of length h.
double next_length(double h, double eta, double tolerance, int K, double most_growth);

// Finer pieces along the axes of space whose tails are above the tolerance; false if nothing has to change. `limit` is
// set if one of the limits forbids what is needed, with a sentence that says which.
bool refine(const Model& model, const Tails& tails, double tolerance, const Case::Resolution& limits,
            std::vector<AxisPieces>& pieces, std::string& limit);

// Coarser pieces for the next window, judged at the end of this one (all parameter points).
void coarsen(const Model& model, std::span<const std::unique_ptr<Window>> windows, const FieldSizes& sizes,
             double tolerance, std::vector<AxisPieces>& pieces);

}  // namespace gwrm
