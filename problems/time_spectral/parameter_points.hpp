// The collocation points of the parameters solved point by point, and the way back to one polynomial.
#pragma once

#include <span>
#include <vector>

#include "output/solution.hpp"
#include "problems/time_spectral/march.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

// Every combination of the points of each collocated parameter, as many as it has coefficients, the last parameter
// fastest: one value per axis of the model each (only the collocated ones are set). One empty-handed point if there are
// none. MemoryError for more than four million.
std::vector<std::vector<double>> parameter_points(const Model& model);

// The model with these subdomains of the collocated parameters, and its own along all other axes.
Model with_parameter_degrees(Model model, const std::vector<AxisDescription>& subdomains);

// A few combinations of values that are no such points, where an interpolant of the answer may be furthest from it: the
// ends of all parameters, the middle between two points, and ends taken in turn. (Of a parameter with a distribution
// between the points beside the ends of what is likely: there the error of the interpolant is several times its root
// mean square in the density, which bounds the errors of mean and standard deviation.) One value per axis of the model
// each; the empty-handed point without collocated parameters.
//
// of_run, a window at all parameter_points(): besides, of the middles between neighbouring points, the five (of several
// parameters four) where the last quarter of the terms of its series is largest, in proportion to the fields; what
// follows behind the last term is largest near those. Of slowly falling series the largest error there was 0.46 to 1.04
// times the true one, at ends and one middle alone 0.13 to 82 times.
std::vector<std::vector<double>> points_between(const Model& model, const MarchWindow* of_run = nullptr);
// By how much an error at these values, where interpolants are furthest off, exceeds its root mean square in the
// density, at least 1: (K(z)/(M + 2))^(1/2), K = sum_k p_k(z)^2 over the orthonormal polynomials up to p_(M+1), whose
// mean over the density is M + 2; of several parameters with distributions the largest, as the error may be that of
// one.
double excess_over_mean_square(const Model& model, const std::vector<double>& values);
// Values of a parameter beyond what is likely count for nothing: neither errors there nor the size of the answer,
// beside which others would look small.
bool is_likely_point(const Model& model, const std::vector<double>& point);
// What each of parameter_points() counts for in the polynomial through them at these values.
std::vector<double> interpolation_weights(const Model& model, const std::vector<double>& values);

// The polynomial through the window's points of the parameters, a window at the points that `weights` belong to.
MarchWindow interpolated(const MarchWindow& window, const std::vector<std::vector<double>>& weights);

// Axes and fields, no windows yet.
Solution empty_solution(const Model& model);
// Windows at all points -> one solution with coefficients in the parameters too. Without parameters the arrays are
// those of the windows: nothing is copied.
Solution assemble_solution(const Model& model, std::vector<MarchWindow> windows);

// How well the collocated parameters are resolved: the last two levels along each of them, over all windows seen.
class ParameterTails {
 public:
  explicit ParameterTails(const Model& model);
  void update(const Solution& part);
  // The largest over the fields of: largest of these coefficients over the field's largest coefficient; with a
  // distribution times the largest value of the last function where the parameter is likely.
  double along(int axis) const;

 private:
  const Model& model_;
  std::vector<double> sizes_;               // per field
  std::vector<std::vector<double>> tails_;  // per field, per axis
};

}  // namespace gwrm
