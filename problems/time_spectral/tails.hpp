// How well a solved window is resolved: the sizes of its last coefficients.
//
// time    largest over the last two coefficients in t of the sum over space of their magnitudes (on several axes, of
//         their values in space), over the field's size
// space   of a subdomain, the largest of its last three coefficients at nine times, over the field's size; on several
//         axes slowly falling series count for more (weigh_by_decay)
// Source: docs/numerics.md 5.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "problems/time_spectral/graded_subdomains.hpp"
#include "problems/time_spectral/multiplier_size.hpp"
#include "problems/time_spectral/window.hpp"
#include "weighted_residual/model/size_coupling.hpp"

namespace gwrm {

// Root of the sum of squared coefficients, per field: the largest yet seen.
class FieldScales {
 public:
  explicit FieldScales(const Model& model);
  void update(const Window& window);
  // coefficients: per field, with one extent per axis of the model.
  void update(const Model& model, const std::vector<Array>& coefficients,
              const std::vector<AxisDescription>& subdomains, int n_threads = 1);
  void update(const std::vector<double>& sizes);  // per field
  // At least that of an unknown that a condition hands its values from, as v(x=0) = u(x=1): its errors come along. At
  // least a millionth of the largest field, but of one that is small by its units (size_coupling.hpp); of a
  // multiplier of what that may make of it in a window of this length (multiplier_size.hpp); of a field that is zero
  // (`exact`) the size of the largest: what it holds are the errors of the others, and no resolution makes them small
  // against themselves.
  double of(int field, double window_length = std::numeric_limits<double>::infinity()) const;
  const std::vector<double>& seen() const { return sizes_; }  // per field; 0: nothing but zero

 private:
  void find_small_by_units();

  const Model* model_;
  std::vector<double> sizes_;
  std::vector<bool> by_units_;                    // per field: small by these alone
  std::shared_ptr<const SizeCoupling> coupling_;  // made where one is small
  std::vector<bool> is_zero_;
  std::vector<std::vector<int>> from_;  // per field: those that conditions hand its values from
  std::vector<SizeOfMultiplier> multipliers_;
};

struct Tails {
  double time = 0.0;
  std::vector<std::vector<double>> space;  // per axis, per subdomain; empty for other axes
  std::string worst_time, worst_space;     // "u", "u along x near x = 0.3": for messages
  // Per axis, per subdomain: by how much the logarithm of the coefficients falls per level towards the end; 0: not
  // known.
  std::vector<std::vector<double>> decay{};
  // Per axis: of the field with the largest tail in the first and last subdomain; empty: not known.
  std::vector<EndPowers> powers{};
  std::vector<double> time_of{};  // per field, `time` is the largest; empty: not known
};
// levels: how many last ones of a subdomain are looked at along each axis, where that is more than kTailModes.
// ignored: unknowns whose tails do not count (flow_start.hpp); empty: all do.
// coefficients: per field, instead of those of the window (side_corners.hpp); null: these.
Tails measure_tails(const Window& window, const FieldScales& sizes, std::span<const int> levels = {},
                    const std::vector<bool>& ignored = {}, const std::vector<Array>* coefficients = nullptr);
// Of initial values: space only, relative to their own size.
Tails measure_state(const Model& model, const std::vector<AxisDescription>& subdomains, const State& state);
Tails largest_of(const Tails& a, const Tails& b);

// Tails in space to be expected at the end of a window of length `next` behind this one, if they go on growing as they
// did in its second half.
Tails expected_tails(const Window& window, const FieldScales& sizes, double next, std::span<const int> levels = {});

// Largest size of each coefficient in t (the first axis of `a`) as functions of space: on a single axis the sum of the
// magnitudes of a subdomain's coefficients, a bound; on several the largest value in points, where that sum would
// exceed it too far.
std::vector<double> sizes_in_time(const Context& context, const Array& a, int time, const Model& model,
                                  const std::vector<AxisDescription>& subdomains);

// Largest of the last levels of each subdomain along the axis (basis/levels.hpp).
std::vector<double> subdomain_tails(const Array& a, int axis, const AxisDescription& subdomains, int n_levels);
inline constexpr int kTailModes = 3;  // levels of a subdomain
int tail_levels(std::span<const int> levels, int axis);

}  // namespace gwrm
