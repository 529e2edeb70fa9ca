#include "bench/stencil/measure_stencil.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <ostream>
#include <set>

#include "bench/measure/bench_numbers.hpp"
#include "bench/measure/context_memory.hpp"
#include "bench/stencil/device_stencil.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "kernels/stencil/second_differences.hpp"

namespace gwrm::bench {
namespace {

using Json = nlohmann::ordered_json;
using Weights = std::vector<long double>;

const std::vector<std::string> kVariants = {"order_2", "order_4"};
constexpr Index kFewest = 6;             // points along an axis: one-sided rows of order 4
constexpr Index kMost = Index{1} << 30;  // in all: 8 GiB a field
constexpr double kBytes = 32.0;          // a point
constexpr std::array kAxes = {2, 1, 0};  // of f, g and e: x, y, z in the shape nz x ny x nx
constexpr double kAllowed = 4e-15;       // up to 18 terms, each with some roundings of at most 1.1e-16

// p''(i) = sum_j weights[j] value_j for the polynomial p through the points 0 .. n - 1, from Lagrange's form:
//   l_j''(i) = sum_(a != j) sum_(b != j, a) prod_(c != j, a, b) (i - c) / prod_(c != j) (j - c).
Weights second_derivative(int n, int i) {
  Weights weights;
  for (int j = 0; j < n; ++j) {
    long double sum = 0.0L, below = 1.0L;
    for (int a = 0; a < n; ++a) {
      if (a == j) continue;
      below *= j - a;
      for (int b = 0; b < n; ++b) {
        if (b == j || b == a) continue;
        long double product = 1.0L;
        for (int c = 0; c < n; ++c)
          if (c != j && c != a && c != b) product *= i - c;
        sum += product;
      }
    }
    weights.push_back(sum / below);
  }
  return weights;
}

// The row of a point: its points from `first` on (modulo n if periodic).
struct Row {
  Index first;
  Weights weights;

  Row(Index i, Index n, int order, StencilBoundary boundary) {
    const int radius = order / 2, width = order + 2;
    const bool inside = boundary == StencilBoundary::periodic || (i >= radius && i < n - radius);
    first = inside ? i - radius : i < radius ? 0 : n - width;
    weights = second_derivative(inside ? 2 * radius + 1 : width, static_cast<int>(i - first));
  }
};

class StencilBench {
 public:
  StencilBench(const Context& context, const Ceilings& ceilings, const Shape& shape, std::ostream& lines)
      : context_(context), ceilings_(ceilings), shape_(shape), lines_(lines), out_(context, 0) {
    grid_ = {shape[2],
             shape[1],
             shape[0],
             1.0 / static_cast<double>(shape[2]),
             1.0 / static_cast<double>(shape[1]),
             1.0 / static_cast<double>(shape[0])};
    const auto n = static_cast<std::size_t>(grid_.size());
    const std::vector<double> numbers = sequence_of_numbers(3 * n);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto start = numbers.begin() + static_cast<std::ptrdiff_t>(k * n);
      fields_[k].assign(start, start + static_cast<std::ptrdiff_t>(n));
      memory_.emplace_back(context, fields_[k]);
    }
  }

  bool measure(const std::string& variant) {
    const int order = variant == "order_2" ? 2 : 4;
    bool right = true;
    for (const StencilBoundary boundary : {StencilBoundary::periodic, StencilBoundary::one_sided}) {
      grid_.boundary = boundary;
      check_second_differences(grid_, order);
      out_ = ContextArray<double>(context_,
                                  std::vector<double>(fields_[0].size(), std::numeric_limits<double>::quiet_NaN()));
      const Timing timing = time_calls(context_, [&] { differences(order); });
      right = report(variant, order, timing) && right;
    }
    return right;
  }

 private:
  void differences(int order) {
    const double *f = memory_[0].data(), *g = memory_[1].data(), *e = memory_[2].data();
#if GWRM_HAVE_CUDA
    if (context_.backend() == Backend::cuda)
      return cuda::second_differences(context_, grid_, order, f, g, e, out_.data());
#endif
    gwrm::cpu::second_differences(grid_, order, f, g, e, out_.data(), context_.n_threads());
  }

  std::size_t place(const std::array<Index, 3>& point) const {
    return static_cast<std::size_t>((point[0] * shape_[1] + point[1]) * shape_[2] + point[2]);
  }

  // Of one point, over the moduli of its terms.
  double error_at(const std::array<Index, 3>& point, int order, double found) const {
    long double sum = 0.0L, size = 0.0L;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto axis = static_cast<std::size_t>(kAxes[k]);
      const Index n = shape_[axis];
      const Row row(point[axis], n, order, grid_.boundary);
      const long double scale = static_cast<long double>(n) * static_cast<long double>(n);  // 1 / h^2
      for (std::size_t j = 0; j < row.weights.size(); ++j) {
        std::array<Index, 3> other = point;
        other[axis] = (row.first + static_cast<Index>(j) + n) % n;
        const long double term = scale * row.weights[j] * fields_[k][place(other)];
        sum += term;
        size += std::abs(term);
      }
    }
    return static_cast<double>(std::abs(sum - found) / size);
  }

  double error(int order, int& n_checked) const {
    const std::vector<double> out = out_.values();
    std::array<std::set<Index>, 3> indices;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Index n = shape_[axis];
      indices[axis] = {0, 1, n / 2, n - 2, n - 1};
    }
    double worst = 0.0;
    for (const Index z : indices[0])
      for (const Index y : indices[1])
        for (const Index x : indices[2]) {
          const double here = error_at({z, y, x}, order, out[place({z, y, x})]);
          worst = larger_error(worst, here);
          ++n_checked;
        }
    return worst;
  }

  bool report(const std::string& variant, int order, const Timing& timing) {
    int n_checked = 0;
    const double largest = error(order, n_checked);
    const bool right = largest <= kAllowed;
    const double points = static_cast<double>(grid_.size()) / timing.median, traffic = kBytes * points;
    Json line{{"operation", "stencil"},
              {"shape", shape_text(shape_)},
              {"boundary", grid_.boundary == StencilBoundary::periodic ? "periodic" : "one_sided"},
              {"variant", variant},
              {"precision", "double"}};
    line.update(machine_of(context_));
    line["threads"] = context_.n_threads();
    line.update(times_of(timing));
    line.update(Json{{"points_per_s", points},
                     {"bytes_per_point", kBytes},
                     {"gbytes_per_s", 1e-9 * traffic},
                     {"of_copy_ceiling", traffic / ceilings_.copy},
                     {"error", error_number(largest)},
                     {"points_checked", n_checked},
                     {"right", right}});
    lines_ << line.dump() << std::endl;
    return right;
  }

  const Context& context_;
  const Ceilings& ceilings_;
  Shape shape_;
  std::ostream& lines_;
  StencilGrid grid_;
  std::array<std::vector<double>, 3> fields_;  // f, g, e
  std::vector<ContextArray<double>> memory_;
  ContextArray<double> out_;
};

std::vector<Shape> shapes_of(const BenchOptions& options) {
  std::vector<Shape> shapes;
  for (const std::string& text :
       options.shapes.empty() ? std::vector<std::string>{"64x64x64", "256x256x256", "400x400x400"} : options.shapes) {
    const Shape shape = shape_of(text);
    if (shape.size() != 3)
      throw CaseError(fmt::format("--shape: '{}' is no grid in space; write NZxNYxNX, like 256x256x256", text));
    double size = 1.0;
    for (const Index n : shape) {
      if (n < kFewest) throw CaseError(fmt::format("--shape: stencils need {} points along every axis", kFewest));
      size *= static_cast<double>(n);
    }
    if (size > static_cast<double>(kMost)) throw CaseError(fmt::format("--shape: at most {} points in all", kMost));
    shapes.push_back(shape);
  }
  return shapes;
}

}  // namespace

void check_stencil(const BenchOptions& options) {
  shapes_of(options);
  if (!options.batches.empty()) throw CaseError("--batch: stencils work on one grid");
  variants_of(options, kVariants);
  check_double_only(options, "stencils are");
}

bool bench_stencil(const Context& context, const BenchOptions& options, std::ostream& lines) {
  const Ceilings ceilings = measure_ceilings(context);
  print_ceilings(context, ceilings, lines);
  bool right = true;
  for (const Shape& shape : shapes_of(options)) {
    StencilBench bench(context, ceilings, shape, lines);
    for (const std::string& variant : variants_of(options, kVariants)) right = bench.measure(variant) && right;
  }
  return right;
}

}  // namespace gwrm::bench
