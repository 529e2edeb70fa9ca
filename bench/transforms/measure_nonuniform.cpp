#include "bench/transforms/measure_nonuniform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <numbers>
#include <numeric>
#include <ostream>
#include <span>

#include "bench/measure/bench_numbers.hpp"
#include "bench/measure/context_memory.hpp"
#include "bench/transforms/nonuniform_peer.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/transform/nonuniform_fourier.hpp"

namespace gwrm::bench {
namespace {

using Json = nlohmann::ordered_json;
using Complex = std::complex<double>;
using ExtendedComplex = std::complex<long double>;

constexpr const char* kPeer = "cufinufft";
const std::vector<std::string> kNonuniformVariants = {"points", "type_1", "type_2", "type_1_clustered"};
const std::vector<std::string> kDeviceVariants = {"points",           "type_1",       "type_2",
                                                  "type_1_clustered", "type_1_paper", kPeer};
constexpr std::array kTolerances = {1e-6, 1e-12};
constexpr Index kMostModes = Index{1} << 26;
constexpr std::size_t kCheckedCoefficients = 16;
constexpr int kSign = 1;
constexpr double kClusterSteps = 8.0;  // of a grid twice as fine as the modes

std::vector<Complex> complex_numbers(std::size_t n) {
  const std::vector<double> parts = sequence_of_numbers(2 * n);
  std::vector<Complex> numbers;
  for (std::size_t i = 0; i < n; ++i) numbers.emplace_back(parts[2 * i], parts[2 * i + 1]);
  return numbers;
}

ExtendedComplex wave(long double phase) {
  return {std::cos(phase), kSign * std::sin(phase)};
}

using Lists = std::vector<std::vector<double>>;  // coordinates of each dimension

// The transforms of one plan on the CPU, all arrays there.
class CpuTransforms {
 public:
  CpuTransforms(const Context& context, const Shape& modes, double tolerance)
      : n_threads_(context.n_threads()), plan_(modes, tolerance) {}

  void take(const Lists& x, const std::vector<Complex>& c, const std::vector<Complex>& F) {
    lists_.assign(x.begin(), x.end());
    c_ = &c, F_ = &F;
    set_points();
    modes_.assign(F.size(), kNone);
    values_.assign(c.size(), kNone);
    workspace_.resize(cpu::nonuniform_workspace(plan_, n_threads_));
  }
  void set_points() { plan_.set_points(lists_, n_threads_); }
  void type_1() { cpu::nonuniform_type1(plan_, kSign, c_->data(), modes_.data(), workspace_.data(), n_threads_); }
  void type_1_paper() {}  // on a device only
  template <class Report>
  bool measure_peer(const Report&) {
    return true;  // on a device only
  }
  void type_2() { cpu::nonuniform_type2(plan_, kSign, F_->data(), values_.data(), workspace_.data(), n_threads_); }
  std::vector<Complex> modes() const { return modes_; }
  std::vector<Complex> values() const { return values_; }

 private:
  static constexpr Complex kNone{std::numeric_limits<double>::quiet_NaN()};
  int n_threads_;
  NonuniformPlan plan_;
  std::vector<std::span<const double>> lists_;
  const std::vector<Complex>*c_ = nullptr, *F_ = nullptr;
  std::vector<Complex> modes_, values_, workspace_;
};

#if GWRM_HAVE_CUDA
// The same on a device.
class DeviceTransforms {
 public:
  DeviceTransforms(const Context& context, const Shape& modes, double tolerance)
      : context_(context), shape_(modes), tolerance_(tolerance), plan_(context, modes, tolerance) {}

  void take(const Lists& x, const std::vector<Complex>& c, const std::vector<Complex>& F) {
    const Complex none(std::numeric_limits<double>::quiet_NaN());
    memory_.clear();
    lists_.clear();
    for (const std::vector<double>& list : x) lists_.push_back(memory_.emplace_back(context_, list).data());
    arrays_.clear();
    for (const auto& array : {c, std::vector<Complex>(F.size(), none), F, std::vector<Complex>(c.size(), none)})
      arrays_.emplace_back(context_, array);
    set_points();
    plan_.check_points();
    workspace_ = std::make_unique<ContextArray<char>>(context_, cuda::nonuniform_workspace_bytes(plan_));
  }
  void set_points() { plan_.set_points(lists_, static_cast<Index>(arrays_[0].size())); }
  void type_1() { type_1(cuda::NonuniformSpreader::blocks); }
  void type_1_paper() { type_1(cuda::NonuniformSpreader::points); }
  void type_2() { cuda::nonuniform_type2(plan_, kSign, arrays_[2].data(), arrays_[3].data(), workspace_->data()); }
  std::vector<Complex> modes() const { return arrays_[1].values(); }
  std::vector<Complex> values() const { return arrays_[3].values(); }
  // The same numbers by cuFINUFFT; report(part, timing) after each of points, type_1 and type_2.
  template <class Report>
  bool measure_peer(const Report& report) {
    if (!have_nonuniform_peer()) return true;
    NonuniformPeer peer(shape_, kSign, tolerance_);
    const Index n = static_cast<Index>(arrays_[0].size());
    peer.set_points(lists_, n);
    const auto type_1 = [&] { peer.type_1(arrays_[0].data(), arrays_[1].data()); };
    const auto type_2 = [&] { peer.type_2(arrays_[2].data(), arrays_[3].data()); };
    for (const std::size_t out : {1U, 3U})  // what stands there is the other's
      arrays_[out].set(std::vector<Complex>(arrays_[out].size(), Complex(std::numeric_limits<double>::quiet_NaN())));
    const Timing first = cuda::time_peer_calls(type_1), second = cuda::time_peer_calls(type_2);
    const Timing points = cuda::time_peer_calls([&] { peer.set_points_of_type_1(lists_, n); });
    return report("points", points) & report("type_1", first) & report("type_2", second);
  }

 private:
  void type_1(cuda::NonuniformSpreader spreader) {
    cuda::nonuniform_type1(plan_, kSign, arrays_[0].data(), arrays_[1].data(), workspace_->data(), spreader);
  }
  Context context_;
  Shape shape_;
  double tolerance_;
  cuda::NonuniformPlan plan_;
  std::vector<const double*> lists_;
  std::vector<ContextArray<double>> memory_;
  std::vector<ContextArray<Complex>> arrays_;  // c, their modes; F, their values
  std::unique_ptr<ContextArray<char>> workspace_;
};
#endif

class NonuniformBench {
 public:
  NonuniformBench(const Context& context, const Ceilings& ceilings, const Shape& modes, Index n_points,
                  const std::vector<std::string>& variants, std::ostream& lines)
      : context_(context),
        ceilings_(ceilings),
        modes_(modes),
        variants_(variants),
        lines_(lines),
        n_points_(static_cast<std::size_t>(n_points)),
        n_modes_(static_cast<std::size_t>(
            std::accumulate(modes.begin(), modes.end(), Index{1}, [](Index a, Index b) { return a * b; }))),
        strengths_(complex_numbers(n_points_)),
        coefficients_(complex_numbers(n_modes_)) {
    const std::vector<double> numbers = sequence_of_numbers(n_points_ * modes.size());
    for (std::size_t d = 0; d < modes.size(); ++d) {
      x_.emplace_back();
      clustered_.emplace_back();
      for (std::size_t j = 0; j < n_points_; ++j) {
        x_.back().push_back(std::numbers::pi * numbers[j * modes.size() + d]);
        clustered_.back().push_back(x_.back().back() * kClusterSteps / (2.0 * static_cast<double>(modes[d])));
      }
    }
    if (is_wanted("points") || is_wanted("type_1") || is_wanted("type_1_paper") || is_wanted(kPeer))
      sums_ = sums_over_points(x_);
    if (is_wanted("type_1_clustered")) clustered_sums_ = sums_over_points(clustered_);
    if (is_wanted("points") || is_wanted("type_2") || is_wanted(kPeer))
      for (const std::size_t j : chosen(n_points_)) values_.push_back(sum_over_modes(j));
  }

  bool measure(double tolerance) const {
#if GWRM_HAVE_CUDA
    if (context_.backend() == Backend::cuda) return measure<DeviceTransforms>(tolerance);
#endif
    return measure<CpuTransforms>(tolerance);
  }

 private:
  bool is_wanted(const char* name) const {
    return std::find(variants_.begin(), variants_.end(), name) != variants_.end();
  }

  template <class Transforms>
  bool measure(double tolerance) const {
    Transforms transforms(context_, modes_, tolerance);
    transforms.take(x_, strengths_, coefficients_);
    const double d = static_cast<double>(modes_.size()), points = static_cast<double>(n_points_);
    const double least = points * (8.0 * d + 16.0) + 16.0 * static_cast<double>(n_modes_);
    bool right = true;
    if (is_wanted("points")) {
      const Timing timing = time_calls(context_, [&] { transforms.set_points(); });
      transforms.type_1();
      transforms.type_2();
      right = report("points", tolerance, timing, points * (20.0 * d + 4.0),
                     larger_error(error(transforms.modes(), sums_), error(transforms.values(), values_)),
                     sums_.size() + values_.size());
    }
    if (is_wanted("type_1")) {
      const Timing timing = time_calls(context_, [&] { transforms.type_1(); });
      right = report("type_1", tolerance, timing, least, error(transforms.modes(), sums_), sums_.size()) && right;
    }
    if (is_wanted("type_2")) {
      const Timing timing = time_calls(context_, [&] { transforms.type_2(); });
      right = report("type_2", tolerance, timing, least, error(transforms.values(), values_), values_.size()) && right;
    }
    if (is_wanted("type_1_paper")) {
      const Timing timing = time_calls(context_, [&] { transforms.type_1_paper(); });
      right = report("type_1_paper", tolerance, timing, least, error(transforms.modes(), sums_), sums_.size()) && right;
    }
    if (is_wanted(kPeer))
      right = transforms.measure_peer([&](const std::string& part, const Timing& timing) {
        const double first = error(transforms.modes(), sums_), second = error(transforms.values(), values_);
        const double bytes = part == "points" ? points * (20.0 * d + 4.0) : least;
        const double worst = part == "type_1" ? first : part == "type_2" ? second : larger_error(first, second);
        return report(fmt::format("{}_{}", kPeer, part), tolerance, timing, bytes, worst, kCheckedCoefficients);
      }) && right;
    if (is_wanted("type_1_clustered")) {
      transforms.take(clustered_, strengths_, coefficients_);
      const Timing timing = time_calls(context_, [&] { transforms.type_1(); });
      right = report("type_1_clustered", tolerance, timing, least, error(transforms.modes(), clustered_sums_),
                     clustered_sums_.size()) &&
              right;
    }
    return right;
  }

  // Of n outputs those that are checked, the first and the last among them.
  static std::vector<std::size_t> chosen(std::size_t n) {
    const std::size_t count = std::min(n, kCheckedCoefficients);
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(count == 1 ? 0 : i * (n - 1) / (count - 1));
    return result;
  }

  // F_n = sum_j c_j exp(i n.x_j) for the chosen modes, the last dimension fastest.
  std::vector<ExtendedComplex> sums_over_points(const Lists& x) const {
    const std::vector<std::size_t> places = chosen(n_modes_);
    std::vector<ExtendedComplex> sums(places.size());
#pragma omp parallel for num_threads(context_.n_threads()) schedule(dynamic)
    for (std::size_t i = 0; i < places.size(); ++i) {
      std::array<long double, 3> n{};
      Index rest = static_cast<Index>(places[i]);
      for (std::size_t d = modes_.size(); d-- > 0; rest /= modes_[d])
        n[d] = static_cast<long double>(rest % modes_[d] - modes_[d] / 2);
      for (std::size_t j = 0; j < n_points_; ++j) {
        long double phase = 0.0L;
        for (std::size_t d = 0; d < modes_.size(); ++d) phase += n[d] * x[d][j];
        sums[i] += static_cast<ExtendedComplex>(strengths_[j]) * wave(phase);
      }
    }
    return sums;
  }

  // c_j = sum_n F_n exp(i n.x_j), the exponential the product of one for each dimension.
  ExtendedComplex sum_over_modes(std::size_t j) const {
    std::array<std::vector<ExtendedComplex>, 3> waves;
    for (std::size_t d = 0; d < 3; ++d) {
      const Index n = d < modes_.size() ? modes_[d] : 1;
      for (Index m = 0; m < n; ++m)
        waves[d].push_back(d < modes_.size() ? wave(static_cast<long double>(m - n / 2) * x_[d][j])
                                             : ExtendedComplex(1.0L));
    }
    ExtendedComplex sum;
    std::size_t k = 0;
    for (const ExtendedComplex& first : waves[0])
      for (const ExtendedComplex& second : waves[1]) {
        const ExtendedComplex both = first * second;
        for (const ExtendedComplex& third : waves[2])
          sum += static_cast<ExtendedComplex>(coefficients_[k++]) * (both * third);
      }
    return sum;
  }

  // Of the chosen outputs, in the 2-norm.
  static double error(const std::vector<Complex>& found, const std::vector<ExtendedComplex>& exact) {
    const std::vector<std::size_t> places = chosen(found.size());
    long double difference = 0.0L, size = 0.0L;
    for (std::size_t i = 0; i < places.size(); ++i) {
      difference += std::norm(exact[i] - static_cast<ExtendedComplex>(found[places[i]]));
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
  std::vector<std::string> variants_;
  std::ostream& lines_;
  std::size_t n_points_, n_modes_;
  std::vector<Complex> strengths_, coefficients_;
  Lists x_, clustered_;
  std::vector<ExtendedComplex> sums_, clustered_sums_, values_;
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
  variants_of(options, kDeviceVariants);
  check_double_only(options, "non-uniform Fourier transforms are");
}

bool bench_nonuniform(const Context& context, const BenchOptions& options, std::ostream& lines) {
  const Ceilings ceilings = measure_ceilings(context);
  print_ceilings(context, ceilings, lines);
  const std::vector<std::string> variants =
      variants_of(options, context.backend() == Backend::cuda ? kDeviceVariants : kNonuniformVariants);
  bool right = true;
  for (const NonuniformWork& work : works_of(options)) {
    const NonuniformBench bench(context, ceilings, work.modes, work.n_points, variants, lines);
    for (const double tolerance : kTolerances) right = bench.measure(tolerance) && right;
  }
  return right;
}

}  // namespace gwrm::bench
