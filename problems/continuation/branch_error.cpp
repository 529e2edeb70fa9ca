#include "problems/continuation/branch_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "basis/axis_basis.hpp"
#include "core/errors.hpp"
#include "core/log.hpp"
#include "kernels/linear_algebra/dense_lu.hpp"
#include "problems/continuation/branch_window.hpp"
#include "problems/time_spectral/finer_comparison.hpp"
#include "problems/time_spectral/memory_estimate.hpp"
#include "problems/time_spectral/time_spectral.hpp"
#include "solver/bordered_system.hpp"
#include "solver/dense_solver.hpp"
#include "weighted_residual/window/window_start.hpp"

namespace gwrm {
namespace {

std::vector<AxisDescription> refined(const Model& model, std::vector<AxisDescription> subdomains, int (*degree)(int)) {
  for (int axis = 0; axis < static_cast<int>(subdomains.size()); ++axis)
    if (model.is_modal(axis)) subdomains[axis].degree = degree(subdomains[axis].degree);
  return subdomains;
}

// The branch's own subdomains come first in memory, the finer ones have to fit beside them.
std::string excess(const Case& the_case, const WindowSystem& system, const std::vector<AxisDescription>& subdomains) {
  return memory_excess(the_case, system.model(), system.plan(), {LinearMethod::dense, "bordered by the branch"},
                       subdomains);
}

std::vector<AxisDescription> finer_subdomains(const Case& the_case, const WindowSystem& system) {
  const std::vector<AxisDescription> own = system.discretisation().subdomains();
  std::vector<AxisDescription> finer = refined(system.model(), own, finer_degree);
  if (!excess(the_case, system, finer).empty()) finer = refined(system.model(), own, least_finer_degree);
  if (const std::string text = excess(the_case, system, finer); !text.empty())
    throw MemoryError("not enough memory: " + text);
  return finer;
}

class FinerBranch {
 public:
  FinerBranch(const Case& the_case, const WindowSystem& system, const std::vector<BranchPoint>& points)
      : system_(system),
        model_(system.model()),
        coupling_(model_),
        own_(system.discretisation().subdomains()),
        finer_(finer_subdomains(the_case, system)),
        window_(steady_window(system.context(), model_, system.plan(), finer_)),
        bordered_(window_.system, free_row(window_.system)),
        lu_(make_dense_lu(system.context())),
        newton_(finer_newton(newton_options(the_case), the_case.verification.tolerance)),
        largest_(model_.fields.size()) {
    for (int axis = 0; axis < static_cast<int>(model_.axes.size()); ++axis) places_.push_back(places(finer_[axis]));
    for (int f = 0; f < n_fields(); ++f)
      for (const BranchPoint& point : points)
        largest_[f].size = std::max(largest_[f].size, largest_magnitude(values(system_, own_, point.x, f).data));
    std::vector<double> weights(static_cast<std::size_t>(window_.system.size()));
    for (int f = 0; f < n_fields(); ++f) {
      const auto first = weights.begin() + window_.system.layouts()[f].offset;
      std::fill(first, weights.begin() + end_of(f), size_of(f));
    }
    bordered_.set_least_weights(std::move(weights));
  }

  // How Newton's iteration ended; e is taken over where it succeeded.
  NewtonStatus compare(const BranchPoint& point, const std::function<bool()>& interrupted) {
    std::vector<Array> own;
    for (int f = 0; f < n_fields(); ++f) own.push_back(system_.coefficients(point.x, f));
    window_.change_x() = unknowns_from(window_.system, own, own_);
    bordered_.set_border(border_at(changing_most(point)), window_.x());
    DenseSolver corrections(bordered_, *lu_);
    const NewtonResult result = newton(bordered_, window_.change_x(), newton_, corrections, interrupted);
    if (succeeded(result.status)) take_over(point);
    return result.status;
  }

  bool beyond_linear() const {
    for (int f = 0; f < n_fields(); ++f)
      if (largest_[f].error > kBeyondLinear * size_of(f)) return true;
    return false;
  }

  void all_lost() {
    for (Largest& largest : largest_) largest.error = largest.at_end = std::numeric_limits<double>::infinity();
  }

  std::vector<FieldError> errors() const {
    std::vector<FieldError> errors;
    for (int f = 0; f < n_fields(); ++f) {
      const Largest& largest = largest_[f];
      errors.push_back({model_.fields[f].name, relative_error(largest.error, size_of(f)), largest.at,
                        relative_error(largest.at_end, size_of(f)), 0.0});
      errors.back().at.resize(model_.axes.size() + 1, std::numeric_limits<double>::quiet_NaN());
    }
    return errors;
  }

 private:
  // Of one field over the branch, absolute.
  struct Largest {
    double error = 0.0;
    std::vector<double> at;  // s, then the coordinates
    double at_end = 0.0;
    double size = 0.0;  // of U
  };
  struct Place {
    int field = 0;
    std::vector<double> at;
  };

  int n_fields() const { return static_cast<int>(model_.fields.size()); }
  std::ptrdiff_t end_of(int f) const {
    return f + 1 < n_fields() ? window_.system.layouts()[f + 1].offset : window_.system.size();
  }

  double size_of(int field) const {
    std::vector<double> sizes;
    for (const Largest& largest : largest_) sizes.push_back(largest.size);
    return reference_size(model_, coupling_, sizes, at(field));
  }

  Array values(const WindowSystem& system, const std::vector<AxisDescription>& subdomains, std::span<const double> x,
               int field) const {
    return values_at(system_.context(), model_, model_.fields[field], system.coefficients(x, field), subdomains,
                     places_);
  }

  std::vector<double> coordinates(int field, const Array& values, Index entry) const {
    return coordinates_of(model_, model_.fields[field], values.shape, entry, places_, {});
  }

  // Where dU/ds or dp/ds is largest, relative to the size of what changes.
  Place changing_most(const BranchPoint& point) const {
    Place most;
    double largest = -1.0;
    for (int f = 0; f < n_fields(); ++f) {
      const Array change = values(system_, own_, point.tangent, f);
      const Distance from_zero = largest_distance(std::vector<double>(change.data.size(), 0.0), change.data);
      const double relative = relative_error(from_zero.value, size_of(f));
      if (!(relative > largest)) continue;
      largest = relative;
      most = {f, coordinates(f, change, from_zero.at)};
    }
    return most;
  }

  // The value of a field at a place as a row over the finer unknowns.
  std::vector<double> border_at(const Place& place) const {
    std::vector<double> row = {1.0};
    for (int axis : model_.fields[place.field].axes) {
      const Matrix along = make_basis(finer_[axis])->at(std::span(&place.at[at(axis)], 1)).dense();
      std::vector<double> product;
      for (double outer : row)
        for (Index k = 0; k < along.cols(); ++k) product.push_back(outer * along(0, k));
      row = std::move(product);
    }
    std::vector<double> border(static_cast<std::size_t>(window_.system.size()), 0.0);
    std::copy(row.begin(), row.end(), border.begin() + window_.system.layouts()[place.field].offset);
    return border;
  }

  void take_over(const BranchPoint& point) {
    for (int f = 0; f < n_fields(); ++f) {
      Largest& largest = largest_[f];
      const Array u = values(system_, own_, point.x, f);
      const Distance distance = largest_distance(u.data, values(window_.system, finer_, window_.x(), f).data);
      largest.at_end = distance.value;
      if (!(distance.value > largest.error)) continue;
      largest.error = distance.value;
      largest.at = coordinates(f, u, distance.at);
      largest.at.insert(largest.at.begin(), point.s);
    }
  }

  const WindowSystem& system_;
  const Model& model_;
  SizeCoupling coupling_;
  const std::vector<AxisDescription> own_, finer_;
  Window window_;  // on the finer subdomains
  BorderedSystem bordered_;
  const std::unique_ptr<DenseLu> lu_;
  const NewtonOptions newton_;
  std::vector<std::vector<double>> places_;  // per axis
  std::vector<Largest> largest_;             // per field
};

ErrorEstimate missing(const std::string& why) {
  ErrorEstimate estimate;
  estimate.status = ErrorEstimate::Status::missing;
  estimate.reason = why;
  return estimate;
}

}  // namespace

ErrorEstimate estimate_branch_error(const Case& the_case, const WindowSystem& system,
                                    const std::vector<BranchPoint>& points, const std::function<bool()>& interrupted) {
  try {
    const LogTime time("estimating the error");
    FinerBranch finer(the_case, system, points);
    for (const BranchPoint& point : points) {
      const NewtonStatus status = finer.compare(point, interrupted);
      if (succeeded(status)) continue;
      if (status == NewtonStatus::interrupted || !finer.beyond_linear())
        return missing(fmt::format("the finer equations were not solved at {} = {:.6g}: {}",
                                   the_case.continuation.parameter, point.x.back(), to_string(status)));
      finer.all_lost();
      break;
    }
    ErrorEstimate estimate;
    estimate.status = ErrorEstimate::Status::made;
    estimate.fields = finer.errors();
    return estimate;
  } catch (const MemoryError& error) {
    return missing(error.what());
  } catch (const std::bad_alloc&) {
    return missing("there is not enough memory for the finer points");
  }
}

Losses branch_losses(const WindowSystem& system, const std::vector<BranchPoint>& points) {
  const Model& model = system.model();
  Losses worst(model.axes.size());
  for (int f = 0; f < static_cast<int>(model.fields.size()); ++f) {
    const FieldModel& field = model.fields[at(f)];
    Losses losses(model.axes.size());
    double size = 0.0;
    for (const BranchPoint& point : points) {
      const Array coefficients = system.coefficients(point.x, f);
      size = std::max(size, largest_magnitude(coefficients.data));
      Losses of_point(model.axes.size());
      for (int axis : field.axes)
        if (model.is_modal(axis))
          of_point[at(axis)] = sums_behind(coefficients, at(axis), system.discretisation().subdomains()[at(axis)],
                                           LevelSize::mean_square, field.n_lower[at(axis)]);
      take_larger(losses, of_point);
    }
    if (size > 0.0) take_larger(worst, losses, 1.0 / size);
  }
  return worst;
}

}  // namespace gwrm
