#include "bench/transforms/measure_nonuniform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <numeric>
#include <ostream>
#include <span>

#include "bench/measure/bench_numbers.hpp"
#include "core/errors.hpp"
#include "kernels/transform/nonuniform_fourier.hpp"

namespace gwrm::bench {
namespace {

using Json = nlohmann::ordered_json;
using Complex = std::complex<double>;
using Extended = std::complex<long double>;

const std::vector<std::string> kVariants = {"points", "type_1", "type_2"};
constexpr std::array kTolerances = {1e-6, 1e-12};
constexpr Index kMostModes = Index{1} << 26;
constexpr std::size_t kChecked = 16;
constexpr int kSign = 1;

std::vector<Complex> complex_numbers(std::size_t n) {
  const std::vector<double> parts = sequence_of_numbers(2 * n);
  std::vector<Complex> numbers;
  for (std::size_t i = 0; i < n; ++i) numbers.emplace_back(parts[2 * i], parts[2 * i + 1]);
  return numbers;
}

Extended wave(long double phase) {
  return {std::cos(phase), kSign * std::sin(phase)};
}

class NonuniformBench {
 public:
  NonuniformBench(const Context& context, const Ceilings& ceilings, const Shape& modes, Index n_points,
                  std::ostream& lines)
      : context_(context),
        ceilings_(ceilings),
        modes_(modes),
        lines_(lines),
        n_points_(static_cast<std::size_t>(n_points)),
        n_modes_(static_cast<std::size_t>(
            std::accumulate(modes.begin(), modes.end(), Index{1}, [](Index a, Index b) { return a * b; }))),
        strengths_(complex_numbers(n_points_)),
        coefficients_(complex_numbers(n_modes_)) {
    const std::vector<double> numbers = sequence_of_numbers(n_points_ * modes.size());
    for (std::size_t d = 0; d < modes.size(); ++d) {
      x_.emplace_back();
      for (std::size_t j = 0; j < n_points_; ++j) x_.back().push_back(std::numbers::pi * numbers[j * modes.size() + d]);
    }
    for (const std::size_t k : chosen(n_modes_)) sums_.push_back(sum_over_points(k));
    for (const std::size_t j : chosen(n_points_)) values_.push_back(sum_over_modes(j));
  }

  bool measure(double tolerance, const std::vector<std::string>& variants) const {
    const auto wanted = [&](const char* name) {
      return std::find(variants.begin(), variants.end(), name) != variants.end();
    };
    const int n_threads = context_.n_threads();
    const std::vector<std::span<const double>> lists(x_.begin(), x_.end());
    NonuniformPlan plan(modes_, tolerance);
    const auto set_points = [&] { plan.set_points(lists, n_threads); };
    set_points();
    const Complex none(std::numeric_limits<double>::quiet_NaN());
    std::vector<Complex> F(n_modes_, none), c(n_points_, none), workspace(cpu::nonuniform_workspace(plan, n_threads));
    const auto type_1 = [&] {
      cpu::nonuniform_type1(plan, kSign, strengths_.data(), F.data(), workspace.data(), n_threads);
    };
    const auto type_2 = [&] {
      cpu::nonuniform_type2(plan, kSign, coefficients_.data(), c.data(), workspace.data(), n_threads);
    };

    const double d = static_cast<double>(modes_.size()), points = static_cast<double>(n_points_);
    const double least = points * (8.0 * d + 16.0) + 16.0 * static_cast<double>(n_modes_);
    bool right = true;
    if (wanted("points")) {
      const Timing timing = time_calls(context_, set_points);
      type_1();
      type_2();
      right = report("points", tolerance, timing, points * (20.0 * d + 4.0),
                     larger_error(error(F, sums_), error(c, values_)), sums_.size() + values_.size());
    }
    if (wanted("type_1")) {
      const Timing timing = time_calls(context_, type_1);
      right = report("type_1", tolerance, timing, least, error(F, sums_), sums_.size()) && right;
    }
    if (wanted("type_2")) {
      const Timing timing = time_calls(context_, type_2);
      right = report("type_2", tolerance, timing, least, error(c, values_), values_.size()) && right;
    }
    return right;
  }

 private:
  // Of n outputs those that are checked, the first and the last among them.
  static std::vector<std::size_t> chosen(std::size_t n) {
    const std::size_t count = std::min(n, kChecked);
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(count == 1 ? 0 : i * (n - 1) / (count - 1));
    return result;
  }

  // F_n = sum_j c_j exp(i n.x_j) for mode number k, the last dimension fastest.
  Extended sum_over_points(std::size_t k) const {
    std::vector<long double> n(modes_.size());
    Index rest = static_cast<Index>(k);
    for (std::size_t d = modes_.size(); d-- > 0; rest /= modes_[d])
      n[d] = static_cast<long double>(rest % modes_[d] - modes_[d] / 2);
    Extended sum;
    for (std::size_t j = 0; j < n_points_; ++j) {
      long double phase = 0.0L;
      for (std::size_t d = 0; d < n.size(); ++d) phase += n[d] * x_[d][j];
      sum += static_cast<Extended>(strengths_[j]) * wave(phase);
    }
    return sum;
  }

  // c_j = sum_n F_n exp(i n.x_j), the exponential the product of one for each dimension.
  Extended sum_over_modes(std::size_t j) const {
    std::array<std::vector<Extended>, 3> waves;
    for (std::size_t d = 0; d < 3; ++d) {
      const Index n = d < modes_.size() ? modes_[d] : 1;
      for (Index m = 0; m < n; ++m)
        waves[d].push_back(d < modes_.size() ? wave(static_cast<long double>(m - n / 2) * x_[d][j]) : Extended(1.0L));
    }
    Extended sum;
    std::size_t k = 0;
    for (const Extended& first : waves[0])
      for (const Extended& second : waves[1]) {
        const Extended both = first * second;
        for (const Extended& third : waves[2]) sum += static_cast<Extended>(coefficients_[k++]) * (both * third);
      }
    return sum;
  }

  // Of the chosen outputs, in the 2-norm.
  static double error(const std::vector<Complex>& found, const std::vector<Extended>& exact) {
    const std::vector<std::size_t> places = chosen(found.size());
    long double difference = 0.0L, size = 0.0L;
    for (std::size_t i = 0; i < places.size(); ++i) {
      difference += std::norm(exact[i] - static_cast<Extended>(found[places[i]]));
      size += std::norm(exact[i]);
    }
    return static_cast<double>(std::sqrt(difference / size));
  }

  bool report(const std::string& variant, double tolerance, const Timing& timing, double bytes, double error,
              std::size_t n_checked) const {
    // The contract's 10 tolerances, and what the points' own rounding moves the highest modes.
    const double highest = static_cast<double>(*std::max_element(modes_.begin(), modes_.end()));
    const bool right = error <= 10.0 * tolerance + 2e-16 * (highest + std::log2(highest) + 1.0);
    const double traffic = bytes / timing.median;
    Json line{{"operation", "nonuniform"}, {"shape", shape_text(modes_)}, {"points", n_points_},
              {"tolerance", tolerance},    {"variant", variant},          {"precision", "double"}};
    line.update(machine_of(context_));
    line["threads"] = context_.n_threads();
    line.update(times_of(timing));
    line.update(Json{{"points_per_s", static_cast<double>(n_points_) / timing.median},
                     {"gbytes_per_s", 1e-9 * traffic},
                     {"of_copy_ceiling", traffic / ceilings_.copy},
                     {"error", error_number(error)},
                     {"outputs_checked", n_checked},
                     {"right", right}});
    lines_ << line.dump() << std::endl;
    return right;
  }

  const Context& context_;
  const Ceilings& ceilings_;
  Shape modes_;
  std::ostream& lines_;
  std::size_t n_points_, n_modes_;
  std::vector<Complex> strengths_, coefficients_;
  std::vector<std::vector<double>> x_;  // of each dimension
  std::vector<Extended> sums_, values_;
};

struct NonuniformWork {
  Shape modes;
  Index n_points;
};

std::vector<NonuniformWork> works_of(const BenchOptions& options) {
  std::vector<NonuniformWork> works;
  for (const std::string& text :
       options.shapes.empty() ? std::vector<std::string>{"262144", "1024x1024", "64x64x64"} : options.shapes) {
    const Shape modes = shape_of(text);
    if (modes.size() > 3)
      throw CaseError(fmt::format("--shape: '{}': modes have one to three dimensions, like 1024x1024", text));
    double size = 1.0;
    for (const Index n : modes) size *= static_cast<double>(n);
    if (size > static_cast<double>(kMostModes))
      throw CaseError(fmt::format("--shape: at most {} modes in all", kMostModes));
    for (const Index n_points : counts_of(options.batches, {std::to_string(static_cast<Index>(size))}, "--batch"))
      works.push_back({modes, n_points});
  }
  return works;
}

}  // namespace

void check_nonuniform(const BenchOptions& options) {
  works_of(options);
  variants_of(options, kVariants);
  check_double_only(options, "non-uniform Fourier transforms are");
}

bool bench_nonuniform(const Context& context, const BenchOptions& options, std::ostream& lines) {
  const Ceilings ceilings = measure_ceilings(context);
  print_ceilings(context, ceilings, lines);
  bool right = true;
  for (const NonuniformWork& work : works_of(options)) {
    const NonuniformBench bench(context, ceilings, work.modes, work.n_points, lines);
    for (const double tolerance : kTolerances)
      right = bench.measure(tolerance, variants_of(options, kVariants)) && right;
  }
  return right;
}

}  // namespace gwrm::bench
