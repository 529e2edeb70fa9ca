#include "bench/banded/measure_isolated.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "bench/measure/bench_numbers.hpp"
#include "bench/measure/context_memory.hpp"
#include "core/errors.hpp"
#include "kernels/banded/bidiagonal.hpp"

namespace gwrm::bench {
namespace {

__extension__ typedef __float128 Quadruple;
using Json = nlohmann::ordered_json;

constexpr Index kSystems = 4;
constexpr double kAllowed = 3e-13;  // of 1000 rows; the error at l = 0 grows as their number
const std::vector<std::string> kIsolatedVariants = {"sequential", "hybrid", "cyclic_reduction"};

struct IsolatedShape {
  Index n, l;
};

Quadruple root(Quadruple a) {
  Quadruple r = std::sqrt(static_cast<double>(a));
  for (int i = 0; i < 2; ++i) r = (r + a / r) / 2;
  return r;
}

// z_{n+1} / g_n of every row.
std::vector<double> couplings(const IsolatedShape& shape) {
  const Quadruple a = Quadruple(-0.5), b = shape.l - Quadruple(0.5);
  std::vector<double> s;
  for (Index n = 0; n < shape.n; ++n) {
    const Quadruple m = n, next = n + 1;
    const Quadruple g = n == 0 ? 2 * (b + 1) / (a + b + 2)
                               : 2 * (m + b + 1) * (m + a + b + 1) / ((2 * m + a + b + 1) * (2 * m + a + b + 2));
    const Quadruple z = 2 * next * (next + a) / ((2 * next + a + b) * (2 * next + a + b + 1));
    s.push_back(n + 1 == shape.n ? 0.0 : static_cast<double>(root(z / g)));
  }
  return s;
}

double largest_error(const std::vector<double>& s, const std::vector<double>& y, const std::vector<double>& x) {
  const std::size_t n = s.size();
  double worst = 0.0;
  for (std::size_t b = 0; b * n < y.size(); ++b) {
    Quadruple behind = 0;
    for (std::size_t i = n; i-- > 0;) {
      behind = y[b * n + i] - s[i] * behind;
      worst = larger_error(worst, std::abs(static_cast<double>(x[b * n + i] - behind)));
    }
  }
  return worst;
}

std::vector<IsolatedShape> shapes_of(const BenchOptions& options) {
  std::vector<IsolatedShape> all;
  if (options.shapes.empty()) {
    for (Index l : {0, 1, 2, 4, 7, 10, 20, 50, 100, 150, 200, 400, 700, 1000}) all.push_back({1000, l});
    for (Index n : {16, 32, 64, 128, 256, 512, 1024, 2048}) all.push_back({n, 2 * n});  // the report's fixed ratio
  }
  for (const std::string& text : options.shapes) {
    const auto cross = text.find('x');
    if (cross == std::string::npos)
      throw CaseError("--shape: '" + text + "' is no number of rows and order l; for example 1000x7");
    const std::string order = text.substr(cross + 1);
    all.push_back({count_of(text.substr(0, cross), "--shape"), order == "0" ? 0 : count_of(order, "--shape")});
  }
  return all;
}

}  // namespace

void check_isolated(const BenchOptions& options) {
  shapes_of(options);
  variants_of(options, kIsolatedVariants);
  if (!options.batches.empty()) throw CaseError("--batch: isolated solves have 4 systems");
  check_double_only(options, "isolated systems are solved");
}

bool bench_isolated(const Context& context, const BenchOptions& options, std::ostream& lines) {
  const Ceilings ceilings = measure_ceilings(context);
  print_ceilings(context, ceilings, lines);
  const bool cpu = context.backend() == Backend::cpu;
  bool all_right = true;
  for (const IsolatedShape& shape : shapes_of(options))
    for (const std::string& variant : variants_of(options, kIsolatedVariants)) {
      const bool reduction = variant == "cyclic_reduction";
      if (cpu != (variant == "sequential") || (reduction && shape.n > 2048)) continue;
      const BandedShape batch{shape.n, kSystems, BatchLayout::contiguous};
      const std::vector<double> s = couplings(shape),
                                y = sequence_of_numbers(static_cast<std::size_t>(shape.n * kSystems));
      const auto plan = make_bidiagonal_plan<double>(context, batch, {s.data(), nullptr, Side::upper, 1},
                                                     cpu         ? BandedVariant::automatic
                                                     : reduction ? BandedVariant::cyclic_reduction
                                                                 : BandedVariant::hybrid);
      ContextArray<double> right_hand_sides(context, y), solution(context, y);
      const Timing timing = time_calls(context, [&] { plan->solve(right_hand_sides.data(), solution.data()); });
      const double error = largest_error(s, y, solution.values());
      const bool right = error <= kAllowed * std::max(1.0, 1e-3 * static_cast<double>(shape.n));
      Json line{{"operation", "isolated"}, {"rows", shape.n},    {"order", shape.l},
                {"batch", kSystems},       {"variant", variant}, {"precision", "double"}};
      line.update(machine_of(context));
      line.update(times_of(timing));
      const double traffic = 16.0 * static_cast<double>(shape.n * kSystems) / timing.median;
      line.update(Json{{"of_copy_ceiling", traffic / ceilings.copy}, {"error", error_number(error)}, {"right", right}});
      lines << line.dump() << std::endl;
      all_right = all_right && right;
    }
  return all_right;
}

}  // namespace gwrm::bench
