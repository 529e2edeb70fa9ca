#include "bench/transforms/measure_fourier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <ostream>

#include "bench/measure/bench_numbers.hpp"
#include "bench/measure/context_memory.hpp"
#include "bench/transforms/series_on_device.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/transform/fourier_series.hpp"
#include "kernels/transform/tensor_transform.hpp"

namespace gwrm::bench {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> kFourierVariants = {"synthesis", "synthesis_matrix", "analysis", "analysis_matrix"};
constexpr Index kMostPoints = 1 << 15;

// phi_k(theta_j), theta_j = 2 pi (j + 1/2) / n, the phase reduced as whole numbers.
long double function_at(Index k, Index j, Index n) {
  const Index wavenumber = (k + 1) / 2, half_steps = wavenumber * (2 * j + 1) % (2 * n);
  const long double phase =
      std::numbers::pi_v<long double> * static_cast<long double>(half_steps) / static_cast<long double>(n);
  return k % 2 == 1 ? std::sin(phase) : std::cos(phase);
}

long double entry(FourierSeries::Kind kind, Index row, Index column, Index n) {
  if (kind == FourierSeries::Kind::synthesis) return function_at(column, row, n);
  return function_at(row, column, n) * (row == 0 ? 1.0L : 2.0L) / static_cast<long double>(n);
}

Matrix matrix_of(const FourierSeries& series) {
  Matrix matrix(series.rows(), series.cols());
  for (Index row = 0; row < matrix.rows(); ++row)
    for (Index column = 0; column < matrix.cols(); ++column)
      matrix(row, column) = static_cast<double>(entry(series.kind(), row, column, series.n_points()));
  return matrix;
}

struct Tensor {
  Index outer, n_points, inner;
  Index degree() const { return (n_points - 1) / 3; }
};

class FourierBench {
 public:
  FourierBench(const Context& context, const Ceilings& ceilings, const Tensor& tensor, std::ostream& lines)
      : context_(context), ceilings_(ceilings), tensor_(tensor), lines_(lines) {}

  bool measure(const std::string& variant) {
    const FourierSeries series(
        variant.starts_with("synthesis") ? FourierSeries::Kind::synthesis : FourierSeries::Kind::analysis,
        tensor_.degree(), tensor_.n_points, 0);
    const bool by_matrix = variant.ends_with("_matrix");
    const std::vector<double> x = sequence_of_numbers(count(series.cols()));
    std::vector<double> y(count(series.rows()), std::numeric_limits<double>::quiet_NaN());
#if GWRM_HAVE_CUDA
    if (context_.backend() == Backend::cuda) {
      if (!by_matrix && !cuda::has_fast_series(series)) return true;
      const Matrix matrix = by_matrix ? matrix_of(series) : Matrix();
      const cuda::SeriesOnDevice on_device(context_, series, by_matrix ? &matrix : nullptr);
      ContextArray<double> from(context_, x), to(context_, y);
      const Timing timing =
          time_calls(context_, [&] { on_device.run(from.data(), tensor_.outer, tensor_.inner, to.data()); });
      return report(series, variant, timing, x, to.values());
    }
#endif
    if (!by_matrix)
      return report(series, variant,
                    time_calls(context_, [&] { series.apply(1.0, x.data(), tensor_.outer, tensor_.inner, y.data()); }),
                    x, y);
    BlockMatrix matrix(matrix_of(series));
    matrix.split_parity();
    const Shape shape{tensor_.outer, series.cols(), tensor_.inner};
    const Timing timing =
        time_calls(context_, [&] { gwrm::cpu::block_transform(x.data(), shape, 1, matrix, y.data()); });
    return report(series, variant, timing, x, y);
  }

 private:
  std::size_t count(Index along) const {
    return static_cast<std::size_t>(tensor_.outer * along * tensor_.inner);
  }

  double error(const FourierSeries& series, const std::vector<double>& x, const std::vector<double>& y,
               Index& n_checked) const {
    constexpr Index kOutputs = 16;
    const Index rows = series.rows(), cols = series.cols(), inner = tensor_.inner, n = std::min(kOutputs, rows);
    long double error = 0.0L, largest = 0.0L;
    n_checked = 0;
    for (const Index line : {Index{0}, tensor_.outer * inner - 1}) {
      const Index o = line / inner, i = line % inner;
      for (Index row = 0; row < rows; ++row)
        largest = std::max(
            largest, std::abs(static_cast<long double>(y[static_cast<std::size_t>((o * rows + row) * inner + i)])));
      for (Index k = 0; k < n; ++k, ++n_checked) {
        const Index row = n == 1 ? 0 : k * (rows - 1) / (n - 1);
        long double sum = 0.0L;
        for (Index column = 0; column < cols; ++column)
          sum += entry(series.kind(), row, column, series.n_points()) *
                 x[static_cast<std::size_t>((o * cols + column) * inner + i)];
        error = larger_error(error, std::abs(sum - y[static_cast<std::size_t>((o * rows + row) * inner + i)]));
      }
    }
    return static_cast<double>(largest > 0.0L ? error / largest : error);
  }

  bool report(const FourierSeries& series, const std::string& variant, const Timing& timing,
              const std::vector<double>& x, const std::vector<double>& y) {
    // 1e-16 log2 n of the largest term, and the rounding of products with a matrix (docs/spectral-transforms.md).
    const double allowed = 4e-16 * (2.0 + std::log2(static_cast<double>(tensor_.n_points)));
    Index n_checked = 0;
    const double largest = error(series, x, y, n_checked);
    const bool right = largest <= allowed;
    const double bytes = sizeof(double) * static_cast<double>(x.size() + y.size()), traffic = bytes / timing.median;
    Json line{{"operation", "fourier"},
              {"shape", shape_text({tensor_.outer, tensor_.n_points, tensor_.inner})},
              {"degree", tensor_.degree()},
              {"variant", variant},
              {"precision", "double"}};
    line.update(machine_of(context_));
    line["threads"] = context_.n_threads();
    line.update(times_of(timing));
    line.update(Json{{"bytes", bytes},
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
  Tensor tensor_;
  std::ostream& lines_;
};

// Both axes of planes at 12 times, without shapes.
std::vector<Tensor> tensors_of(const BenchOptions& options) {
  std::vector<Tensor> tensors;
  for (const std::string& text : options.shapes) {
    const Shape shape = shape_of(text);
    if (shape.size() != 3) throw CaseError("--shape: OUTERxPOINTSxINNER, as 12x200x200");
    if (shape[1] < 4 || shape[1] > kMostPoints)
      throw CaseError(fmt::format("--shape: 4 to {} points, not {}", kMostPoints, shape[1]));
    tensors.push_back({shape[0], shape[1], shape[2]});
  }
  if (tensors.empty())
    for (const Index n : {40, 64, 125, 200, 400}) tensors.insert(tensors.end(), {{12, n, n}, {12 * n, n, 1}});
  return tensors;
}

}  // namespace

void check_fourier(const BenchOptions& options) {
  variants_of(options, kFourierVariants);
  tensors_of(options);
  if (!options.batches.empty()) throw CaseError("--batch: the lines of Fourier series are in --shape");
  check_double_only(options, "Fourier series are");
}

bool bench_fourier(const Context& context, const BenchOptions& options, std::ostream& lines) {
  const Ceilings ceilings = measure_ceilings(context);
  print_ceilings(context, ceilings, lines);
  bool right = true;
  for (const Tensor& tensor : tensors_of(options)) {
    FourierBench bench(context, ceilings, tensor, lines);
    for (const std::string& variant : variants_of(options, kFourierVariants)) right = bench.measure(variant) && right;
  }
  return right;
}

}  // namespace gwrm::bench
