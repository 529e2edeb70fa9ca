#include "bench/transforms/measure_cosine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <ostream>

#include "bench/measure/bench_numbers.hpp"
#include "bench/measure/context_memory.hpp"
#include "bench/transforms/real_transform.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/transform/cosine_transform.hpp"

namespace gwrm::bench {
namespace {

using Json = nlohmann::ordered_json;
#if GWRM_HAVE_CUDA
using gwrm::cuda::CosineWay;
#endif

// In the order of CosineKind.
const std::vector<std::string> kCosineVariants = {"cosine_1", "cosine_2", "cosine_3", "cosine_4",
                                                  "sine_1",   "sine_2",   "sine_3",   "sine_4"};
constexpr Index kLongest = Index{1} << 20;

CosineKind kind_of(const std::string& variant) {
  return static_cast<CosineKind>(std::find(kCosineVariants.begin(), kCosineVariants.end(), variant) -
                                 kCosineVariants.begin());
}

// C[k, n] = cos or sin(pi numerator / denominator).
long double matrix_entry(CosineKind kind, Index length, Index k, Index n) {
  Index numerator = 0, denominator = 2 * length;
  switch (kind) {
    case CosineKind::cosine_1:
      numerator = k * n, denominator = length - 1;
      break;
    case CosineKind::cosine_2:
      numerator = k * (2 * n + 1);
      break;
    case CosineKind::cosine_3:
      numerator = n * (2 * k + 1);
      break;
    case CosineKind::sine_1:
      numerator = (k + 1) * (n + 1), denominator = length + 1;
      break;
    case CosineKind::sine_2:
      numerator = (k + 1) * (2 * n + 1);
      break;
    case CosineKind::sine_3:
      numerator = (n + 1) * (2 * k + 1);
      break;
    case CosineKind::cosine_4:
    case CosineKind::sine_4:
      numerator = (2 * n + 1) * (2 * k + 1), denominator = 4 * length;
      break;
  }
  const long double phase = std::numbers::pi_v<long double> * static_cast<long double>(numerator % (2 * denominator)) /
                            static_cast<long double>(denominator);
  return kind < CosineKind::sine_1 ? std::cos(phase) : std::sin(phase);
}

class CosineBench {
 public:
  CosineBench(const Context& context, const Ceilings& ceilings, Index length, Index batch, std::ostream& lines)
      : context_(context),
        ceilings_(ceilings),
        length_(length),
        batch_(batch),
        lines_(lines),
        x_(sequence_of_numbers(static_cast<std::size_t>(length * batch))),
        memory_(context, x_) {}

  bool measure(const std::string& variant) {
    const CosinePlan plan(kind_of(variant), length_);
    bool right = true;
    for (const bool interleaved : {false, true}) right = measure(plan, variant, interleaved) && right;
#if GWRM_HAVE_CUDA
    if (context_.backend() == Backend::cuda && plan.kind() == CosineKind::cosine_2) {
      right = measure(plan, "cosine_2_cufft", false, CosineWay::library) && right;
      right = measure_real_transform() && right;
    }
#endif
    return right;
  }

 private:
  // [line][row] of what a variant should give, and where it lies.
  using Exact = std::function<long double(Index line, Index row)>;
  using Place = std::function<std::size_t(Index line, Index row)>;

#if GWRM_HAVE_CUDA
  bool measure(const CosinePlan& plan, const std::string& name, bool interleaved,
               CosineWay way = CosineWay::automatic) {
    if (context_.backend() == Backend::cpu) return measure_on_cpu(plan, name, interleaved);
    const Index outer = interleaved ? 1 : batch_, inner = interleaved ? batch_ : 1;
    const auto transform = gwrm::cuda::make_cosine_transform(context_, plan, outer, inner, way);
    ContextArray<char> workspace(context_, std::max<std::size_t>(1, transform->workspace_bytes()));
    ContextArray<double> y(context_, nothing());
    const Timing timing =
        time_calls(context_, [&] { transform->run(memory_.data(), length_, y.data(), length_, {}, workspace.data()); });
    return report(plan.kind(), name, interleaved, timing, y.values());
  }

  // cuFFT from real lines to half of their spectra: the least that a library moves and computes for such lines.
  bool measure_real_transform() {
    const cuda::RealTransform transform(context_, length_, batch_);
    const Index n_rows = length_ / 2 + 1;
    ContextArray<char> workspace(context_, std::max<std::size_t>(1, transform.workspace_bytes()));
    ContextArray<double> spectra(context_, static_cast<std::size_t>(2 * n_rows * batch_));
    const Timing timing =
        time_calls(context_, [&] { transform.run(memory_.data(), spectra.data(), workspace.data()); });
    const auto exact = [&](Index line, Index row) {  // real and imaginary parts in turn
      long double sum = 0.0L;
      for (Index j = 0; j < length_; ++j) {
        const long double phase = 2.0L * std::numbers::pi_v<long double> *
                                  static_cast<long double>(row / 2 * j % length_) / static_cast<long double>(length_);
        sum += (row % 2 == 0 ? std::cos(phase) : -std::sin(phase)) * x_[place(line, j, false)];
      }
      return sum;
    };
    const auto found_at = [&](Index line, Index row) { return static_cast<std::size_t>(2 * n_rows * line + row); };
    return report("cufft_real", false, timing, spectra.values(), 2 * n_rows, exact, found_at);
  }
#else
  bool measure(const CosinePlan& plan, const std::string& name, bool interleaved) {
    return measure_on_cpu(plan, name, interleaved);
  }
#endif

  bool measure_on_cpu(const CosinePlan& plan, const std::string& name, bool interleaved) {
    std::vector<double> y = nothing();
    const Timing timing = time_calls(context_, [&] {
      gwrm::cpu::cosine_transform(plan, x_.data(), length_, y.data(), length_, interleaved ? 1 : batch_,
                                  interleaved ? batch_ : 1);
    });
    return report(plan.kind(), name, interleaved, timing, y);
  }

  std::vector<double> nothing() const {
    return std::vector<double>(x_.size(), std::numeric_limits<double>::quiet_NaN());
  }

  std::size_t place(Index line, Index i, bool interleaved) const {
    return static_cast<std::size_t>(interleaved ? i * batch_ + line : line * length_ + i);
  }

  double error(const std::vector<double>& y, Index n_rows, const Exact& exact, const Place& place_of,
               Index& n_checked) const {
    constexpr Index kOutputs = 16;
    const Index n = std::min(kOutputs, n_rows);
    long double error = 0.0L, largest = 0.0L;
    for (const Index line : {Index{0}, batch_ - 1}) {
      for (Index i = 0; i < n_rows; ++i)
        largest = std::max(largest, std::abs(static_cast<long double>(y[place_of(line, i)])));
      for (Index i = 0; i < n; ++i) {
        const Index k = n == 1 ? 0 : i * (n_rows - 1) / (n - 1);
        const long double here = std::abs(exact(line, k) - y[place_of(line, k)]);
        error = larger_error(error, here);
      }
    }
    n_checked = n * std::min<Index>(2, batch_);
    return static_cast<double>(largest > 0.0L ? error / largest : error);
  }

  bool report(CosineKind kind, const std::string& variant, bool interleaved, const Timing& timing,
              const std::vector<double>& y) {
    const auto exact = [&](Index line, Index row) {
      long double sum = 0.0L;
      for (Index j = 0; j < length_; ++j) sum += matrix_entry(kind, length_, row, j) * x_[place(line, j, interleaved)];
      return sum;
    };
    return report(variant, interleaved, timing, y, length_, exact,
                  [&](Index line, Index row) { return place(line, row, interleaved); });
  }

  bool report(const std::string& variant, bool interleaved, const Timing& timing, const std::vector<double>& y,
              Index n_rows, const Exact& exact, const Place& place_of) {
    // Tests hold 4e-16 log2 N (docs/spectral-transforms.md); one rounding more for the shortest.
    const double allowed = 4e-16 * (1.0 + std::log2(static_cast<double>(length_)));
    Index n_checked = 0;
    const double largest = error(y, n_rows, exact, place_of, n_checked);
    const bool right = largest <= allowed;
    const double n_numbers = static_cast<double>(x_.size()), bytes = 2.0 * sizeof(double),
                 traffic = n_numbers * bytes / timing.median;
    Json line{{"operation", "dct"}, {"length", length_},
              {"batch", batch_},    {"layout", interleaved ? "interleaved" : "contiguous"},
              {"variant", variant}, {"precision", "double"}};
    line.update(machine_of(context_));
    line["threads"] = context_.n_threads();
    line.update(times_of(timing));
    line.update(Json{{"numbers_per_s", n_numbers / timing.median},
                     {"bytes_per_number", bytes},
                     {"gbytes_per_s", 1e-9 * traffic},
                     {"of_copy_ceiling", traffic / ceilings_.copy},
                     {"error", error_number(largest)},
                     {"outputs_checked", n_checked},
                     {"right", right}});
    lines_ << line.dump() << std::endl;
    return right;
  }

  const Context& context_;
  const Ceilings& ceilings_;
  Index length_, batch_;
  std::ostream& lines_;
  std::vector<double> x_;
  ContextArray<double> memory_;
};

std::vector<Index> cosine_lengths(const BenchOptions& options) {
  return counts_of(options.shapes, {"64", "256", "1000", "1024", "4096"}, "--shape");
}
std::vector<Index> cosine_batches(const BenchOptions& options) {
  return counts_of(options.batches, {"10000"}, "--batch");
}

}  // namespace

void check_cosine(const BenchOptions& options) {
  const std::vector<std::string> variants = variants_of(options, kCosineVariants);
  for (const Index n : cosine_lengths(options)) {
    if (n > kLongest) throw CaseError(fmt::format("--shape: lines of at most {} numbers are transformed", kLongest));
    if (n < 2 && std::count(variants.begin(), variants.end(), "cosine_1") > 0)
      throw CaseError("--shape: cosine_1 needs lines of 2 numbers or more");
  }
  cosine_batches(options);
  check_double_only(options, "cosine and sine transforms are");
}

bool bench_cosine(const Context& context, const BenchOptions& options, std::ostream& lines) {
  const Ceilings ceilings = measure_ceilings(context);
  print_ceilings(context, ceilings, lines);
  bool right = true;
  for (const Index length : cosine_lengths(options))
    for (const Index batch : cosine_batches(options)) {
      CosineBench bench(context, ceilings, length, batch, lines);
      for (const std::string& variant : variants_of(options, kCosineVariants)) right = bench.measure(variant) && right;
    }
  return right;
}

}  // namespace gwrm::bench
