#include "bench/transforms/measure_legendre_rotations.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <ostream>
#include <string>
#include <vector>

#include "bench/measure/bench_numbers.hpp"
#include "bench/measure/context_memory.hpp"
#include "core/have_cuda.hpp"
#include "kernels/transform/legendre_rotations.hpp"

namespace gwrm::bench {
namespace {

using Json = nlohmann::ordered_json;

// All orders, one after the other, on either backend.
class AllOrders {
 public:
  AllOrders(const Context& context, Index degree, Index n_columns)
      : context_(context),
        grid_(std::make_shared<const LegendreRotationGrid>(degree, degree + 1)),
        n_columns_(n_columns) {
    std::size_t doubles = 0;
    for (Index m = 0; m <= degree; ++m) {
      plans_.emplace_back(grid_, m, degree - m + 1);
      starts_.push_back(n_coefficients_);
      n_coefficients_ += n_columns * (degree - m + 1);
      if (context.backend() == Backend::cpu)
        doubles = std::max(doubles, at(gwrm::cpu::legendre_rotations_workspace(plans_.back(), context.n_threads())));
    }
#if GWRM_HAVE_CUDA
    if (context.backend() == Backend::cuda) {
      const auto columns = gwrm::cuda::make_legendre_rotation_columns(context, grid_, n_columns, 1);
      for (const LegendreRotationPlan& plan : plans_) {
        transforms_.push_back(gwrm::cuda::make_legendre_rotation_transform(columns, plan));
        doubles = std::max(doubles, transforms_.back()->workspace_bytes() / sizeof(double));
      }
    }
#endif
    workspace_ = std::make_unique<ContextArray<double>>(context, doubles);
  }

  Index n_points() const {
    return grid_->n_points();
  }
  Index n_coefficients() const {
    return n_coefficients_;
  }
  Index n_values() const {
    return static_cast<Index>(plans_.size()) * n_columns_ * n_points();
  }
  Index start(Index m) const {
    return starts_[at(m)];
  }

  // `forward`: from values to coefficients.
  void run(bool forward, double* values, double* coefficients) const {
    for (std::size_t m = 0; m < plans_.size(); ++m) {
      double *f = values + static_cast<Index>(m) * n_columns_ * n_points(), *c = coefficients + starts_[m];
#if GWRM_HAVE_CUDA
      if (!transforms_.empty()) {
        if (forward)
          transforms_[m]->forward(f, c, workspace_->data());
        else
          transforms_[m]->backward(c, f, workspace_->data());
        continue;
      }
#endif
      if (forward)
        gwrm::cpu::legendre_rotations_forward(plans_[m], f, c, n_columns_, 1, workspace_->data(), context_.n_threads());
      else
        gwrm::cpu::legendre_rotations_backward(plans_[m], c, f, n_columns_, 1, workspace_->data(),
                                               context_.n_threads());
    }
  }

 private:
  const Context& context_;
  std::shared_ptr<const LegendreRotationGrid> grid_;
  Index n_columns_, n_coefficients_ = 0;
  std::vector<LegendreRotationPlan> plans_;
  std::vector<Index> starts_;
#if GWRM_HAVE_CUDA
  std::vector<std::unique_ptr<gwrm::cuda::LegendreRotationTransform>> transforms_;
#endif
  std::unique_ptr<ContextArray<double>> workspace_;
};

// Largest error over largest value of the first and the last column of every order at node k.
void compare_at(Index k, Index degree, Index n_columns, const AllOrders& orders, const std::vector<double>& a,
                const std::vector<double>& values, double& error, double& largest) {
  const Index n_points = orders.n_points();
  const long double theta =
      std::numbers::pi_v<long double> * static_cast<long double>(2 * k + 1) / static_cast<long double>(2 * n_points);
  const long double x = std::cos(theta), s = std::sin(theta);
  long double first = std::sqrt(0.5L);
  for (Index m = 0; m <= degree; ++m) {
    if (m > 0) first *= s * std::sqrt(static_cast<long double>(2 * m + 1) / static_cast<long double>(2 * m));
    const auto e = [m](Index l) {
      return std::sqrt(static_cast<long double>(l * l - m * m) / static_cast<long double>(4 * l * l - 1));
    };
    for (const Index column : {Index{0}, n_columns - 1}) {
      const double* const own = a.data() + orders.start(m) + column * (degree - m + 1);
      long double value = first, before = 0.0L, sum = 0.0L;
      for (Index l = m; l <= degree; ++l) {
        sum += value * own[l - m];
        const long double next = (x * value - e(l) * before) / e(l + 1);
        before = value;
        value = next;
      }
      const double found = values[at((m * n_columns + column) * n_points + k)];
      error = larger_error(error, static_cast<double>(std::abs(sum - found)));
      largest = std::max(largest, static_cast<double>(std::abs(sum)));
    }
  }
}

// Of a column: the chain, the connection, the cosine transform.
double operations(Index degree, Index m) {
  const double points = static_cast<double>(degree + 1), order = static_cast<double>(m);
  return 3.0 * (points - order / 2.0) * order + 0.5 * points * points + 2.5 * points * std::log2(points);
}

}  // namespace

bool measure_legendre_rotations(const Context& context, const Ceilings& ceilings, Index degree, Index batch,
                                const BenchOptions& options, std::ostream& lines) {
  const Index n_columns = 2 * batch;
  const AllOrders orders(context, degree, n_columns);
  const std::vector<double> a = sequence_of_numbers(at(orders.n_coefficients()));
  ContextArray<double> given(context, a), back(context, std::vector<double>(a.size(), NAN)),
      values(context, std::vector<double>(at(orders.n_values()), NAN));
  const Timing synthesis = time_calls(context, [&] { orders.run(false, values.data(), given.data()); });
  const Timing analysis = time_calls(context, [&] { orders.run(true, values.data(), back.data()); });

  const std::vector<double> f = values.values(), b = back.values();
  double error = 0.0, largest = 0.0;
  for (const Index k : {degree / 3, degree / 2, degree}) compare_at(k, degree, n_columns, orders, a, f, error, largest);
  error /= largest;
  for (std::size_t i = 0; i < a.size(); ++i) error = larger_error(error, std::abs(a[i] - b[i]));  // of numbers up to 1

  double flops = 0.0;
  for (Index m = 0; m <= degree; ++m) flops += operations(degree, m) * static_cast<double>(n_columns);
  // Values are as large as sqrt(degree) at the poles, of which each coefficient takes the rounding.
  const bool right = error <= 1e-14 * (1.0 + std::sqrt(static_cast<double>(degree)) / 10.0);
  for (const bool forward : {false, true}) {
    const std::string variant = forward ? "rotations_analysis" : "rotations_synthesis";
    if (!options.variants.empty() &&
        std::find(options.variants.begin(), options.variants.end(), variant) == options.variants.end())
      continue;
    const Timing& timing = forward ? analysis : synthesis;
    Json line{{"operation", "legendre"}, {"degree", degree}, {"batch", batch}, {"n_theta", orders.n_points()}};
    line["variant"] = variant;
    line.update(machine_of(context));
    line["threads"] = context.n_threads();
    line.update(times_of(timing));
    line.update(Json{{"gflops", 1e-9 * flops / timing.median},
                     {"of_matrix_ceiling", flops / timing.median / ceilings.matrix},
                     {"error", error_number(error)},
                     {"right", right}});
    lines << line.dump() << std::endl;
  }
  return right;
}

}  // namespace gwrm::bench
