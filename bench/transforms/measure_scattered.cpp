#include "bench/transforms/measure_scattered.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <ostream>

#include "bench/measure/bench_numbers.hpp"
#include "core/errors.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "output/evaluate_points.hpp"

namespace gwrm::bench {
namespace {

using Json = nlohmann::ordered_json;

const std::map<std::string, ScatteredMethod> kMethods = {{"sums", ScatteredMethod::sums},
                                                         {"transforms", ScatteredMethod::transforms},
                                                         {"automatic", ScatteredMethod::automatic}};
const std::vector<std::string> kScatteredVariants = {"sums", "transforms", "automatic"};
constexpr Index kMostCoefficients = Index{1} << 26;
constexpr std::size_t kCheckedPoints = 16;

class ScatteredBench {
 public:
  ScatteredBench(const Shape& shape, Index n_points) : shape_(shape) {
    constexpr std::array names{"z", "y", "x"};
    solution_.subdomains.emplace_back();
    FieldSolution field{"u", {}, {Array(shape)}};
    const std::vector<double> numbers = sequence_of_numbers(static_cast<std::size_t>(n_points) * shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d) {
      solution_.axes.push_back(
          {names[names.size() - shape.size() + d], AxisKind::space, -std::numbers::pi, std::numbers::pi});
      solution_.subdomains[0].push_back({static_cast<int>(shape[d] / 2), {-std::numbers::pi, std::numbers::pi}});
      solution_.subdomains[0].back().basis = kFourier;
      field.axes.push_back(static_cast<int>(d));
      points_.emplace_back();
      for (Index p = 0; p < n_points; ++p)
        points_.back().push_back(std::numbers::pi * numbers[static_cast<std::size_t>(p) * shape.size() + d]);
    }
    field.windows[0].data = sequence_of_numbers(field.windows[0].data.size());
    solution_.fields.push_back(std::move(field));
    expression::Symbols symbols;
    symbols.axes = solution_.axes;
    symbols.fields.push_back({"u", {}});
    for (const Axis& axis : solution_.axes) symbols.fields[0].dims.push_back(axis.name);
    pool_ = std::make_unique<expression::Pool>(symbols);
    u_ = expression::lower(*pool_, expression::parse(*pool_, SourceText::from_argument("u")));
  }

  bool measure(const Context& context, const std::string& variant, std::ostream& lines) const {
    ScatteredPoints points{points_[0].size(), {points_.begin(), points_.end()}};
    std::vector<double> values;
    const Timing timing = time_calls(context, [&] {
      values =
          evaluate_points(*pool_, solution_, std::span(&u_, 1), points, context.n_threads(), kMethods.at(variant))[0];
    });
    const std::vector<std::size_t> places = chosen(values.size());
    double error = 0.0, largest = 0.0;
    for (double value : values) largest = std::max(largest, std::abs(value));
    for (std::size_t p : places)
      error = larger_error(std::abs(values[p] - static_cast<double>(sum(p))) / largest, error);
    const double highest = static_cast<double>(*std::max_element(shape_.begin(), shape_.end())) / 2;
    const bool right = error <= 1e-13 + 5e-16 * highest;
    Json line{{"operation", "scattered"},
              {"shape", shape_text(shape_)},
              {"points", values.size()},
              {"variant", variant},
              {"precision", "double"}};
    line.update(machine_of(context));
    line["threads"] = context.n_threads();
    line.update(times_of(timing));
    line.update(Json{{"ns_per_point", 1e9 * timing.median / static_cast<double>(values.size())},
                     {"error", error_number(error)},
                     {"outputs_checked", places.size()},
                     {"right", right}});
    lines << line.dump() << std::endl;
    return right;
  }

 private:
  static std::vector<std::size_t> chosen(std::size_t n) {
    const std::size_t count = std::min(n, kCheckedPoints);
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(count == 1 ? 0 : i * (n - 1) / (count - 1));
    return result;
  }

  // 1, sin theta, cos theta, .. with theta = z + pi along each axis, the last one fastest.
  long double sum(std::size_t p) const {
    std::vector<long double> products{1.0L};
    for (std::size_t d = 0; d < shape_.size(); ++d) {
      const long double theta = static_cast<long double>(points_[d][p]) + static_cast<long double>(std::numbers::pi);
      // The length of the axis is twice pi as a double, whose turn is not quite one.
      const long double whole = 2.0L * static_cast<long double>(std::numbers::pi);
      const long double angle = theta / whole * 2.0L * std::numbers::pi_v<long double>;
      std::vector<long double> next;
      for (long double before : products)
        for (Index k = 0; k < shape_[d]; ++k) {
          const long double phase = static_cast<long double>((k + 1) / 2) * angle;
          next.push_back(before * (k == 0 ? 1.0L : k % 2 == 1 ? std::sin(phase) : std::cos(phase)));
        }
      products = std::move(next);
    }
    long double total = 0.0L;
    const std::vector<double>& a = solution_.fields[0].windows[0].data;
    for (std::size_t k = 0; k < a.size(); ++k) total += static_cast<long double>(a[k]) * products[k];
    return total;
  }

  Shape shape_;
  Solution solution_;
  std::vector<std::vector<double>> points_;
  std::unique_ptr<expression::Pool> pool_;
  expression::Expr u_ = nullptr;
};

std::vector<Shape> scattered_shapes(const BenchOptions& options) {
  std::vector<Shape> shapes;
  for (const std::string& text :
       options.shapes.empty() ? std::vector<std::string>{"257", "65x65", "33x33x33"} : options.shapes) {
    const Shape shape = shape_of(text);
    const bool is_odd = std::all_of(shape.begin(), shape.end(), [](Index n) { return n % 2 == 1; });
    double size = 1.0;
    for (const Index n : shape) size *= static_cast<double>(n);
    if (shape.size() > 3 || !is_odd || size > static_cast<double>(kMostCoefficients))
      throw CaseError(
          fmt::format("--shape: '{}': Fourier series have odd numbers of coefficients along one to three dimensions, "
                      "like 65x65, at "
                      "most {} in all",
                      text, kMostCoefficients));
    shapes.push_back(shape);
  }
  return shapes;
}

}  // namespace

void check_scattered(const BenchOptions& options) {
  scattered_shapes(options);
  counts_of(options.batches, {"100000"}, "--batch");
  variants_of(options, kScatteredVariants);
  check_double_only(options, "series at points are");
}

bool bench_scattered(const Context& context, const BenchOptions& options, std::ostream& lines) {
  if (context.backend() == Backend::cuda)
    throw CaseError("bench: Fourier series at points are summed on a CPU: --backend cpu");
  bool right = true;
  for (const Shape& shape : scattered_shapes(options))
    for (const Index n_points : counts_of(options.batches, {"100000"}, "--batch")) {
      const ScatteredBench bench(shape, n_points);
      for (const std::string& variant : variants_of(options, kScatteredVariants))
        right = bench.measure(context, variant, lines) && right;
    }
  return right;
}

}  // namespace gwrm::bench
