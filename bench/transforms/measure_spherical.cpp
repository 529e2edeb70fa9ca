#include "bench/transforms/measure_spherical.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <ostream>

#include "bench/measure/bench_numbers.hpp"
#include "bench/transforms/measure_legendre_rotations.hpp"
#include "bench/transforms/spherical_transforms.hpp"
#include "core/errors.hpp"
#include "kernels/transform/gauss_legendre.hpp"

namespace gwrm::bench {
namespace {

using Json = nlohmann::ordered_json;
using Complex = std::complex<double>;

const std::vector<std::string> kLegendreVariants = {"synthesis", "analysis", "rotations_synthesis",
                                                    "rotations_analysis"};
const std::vector<std::string> kSphericalVariants = {"synthesis", "analysis", "vector_synthesis", "vector_analysis"};

// Coefficients in (-1, 1) without a pattern; those of order 0 are real.
std::vector<Complex> coefficients(Index degree, Index batch) {
  std::vector<Complex> a;
  std::uint64_t state = 1;
  const auto next = [&state] {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state >> 11) * 0x1p-52 - 1.0;
  };
  for (Index b = 0; b < batch; ++b)
    for (Index m = 0; m <= degree; ++m)
      for (Index l = m; l <= degree; ++l) a.emplace_back(next(), m == 0 ? 0.0 : next());
  return a;
}

// F_m of all orders at node i, in more digits than a rounded theta has, by the recurrence along the degree.
std::vector<std::complex<long double>> row_of(const AssociatedLegendrePlan& plan, const GaussHalf& nodes,
                                              const Complex* a, Index i) {
  const Index pair = std::min(i, plan.n_theta() - 1 - i);
  const long double x = i == pair ? nodes.cosine[at(pair)] : -nodes.cosine[at(pair)];
  const long double s = std::sqrt(nodes.sine_squared[at(pair)]);
  long double first = std::sqrt(0.5L);
  std::vector<std::complex<long double>> row;
  for (Index m = 0; m <= plan.degree(); ++m) {
    if (m > 0) first *= s * std::sqrt(static_cast<long double>(2 * m + 1) / static_cast<long double>(2 * m));
    const auto e = [m](Index l) {
      return std::sqrt(static_cast<long double>(l * l - m * m) / static_cast<long double>(4 * l * l - 1));
    };
    long double value = first, before = 0.0L;
    std::complex<long double> sum = 0.0L;
    for (Index l = m; l <= plan.degree(); ++l) {
      sum += value * std::complex<long double>(a[plan.coefficient_place(m) + l - m]);
      const long double next = (x * value - e(l) * before) / e(l + 1);
      before = value;
      value = next;
    }
    row.push_back(sum);
  }
  return row;
}

double round_trip(const std::vector<Complex>& a, const std::vector<Complex>& b, Index degree, bool vectors) {
  double error = 0.0, largest = 0.0;
  std::size_t i = 0;
  while (i < a.size())
    for (Index m = 0; m <= degree; ++m)
      for (Index l = m; l <= degree; ++l, ++i) {
        const double scale = vectors ? std::sqrt(static_cast<double>(l * (l + 1))) : 1.0;
        error = larger_error(error, scale * std::abs(a[i] - b[i]));
        largest = std::max(largest, scale * std::abs(a[i]));
      }
  return error / largest;
}

struct Measurement {
  const Context& context;
  const Ceilings& ceilings;
  std::string operation;
  Index degree, batch;
  std::ostream& lines;

  bool report(const std::string& variant, const Timing& timing, Index n_theta, Index n_phi, double components,
              double error) const {
    // Vectors take more roundings, which shows at low degrees, where a group of nodes reaches from pole to equator.
    const double allowed = (components > 1.0 ? 3e-15 : 2e-15) * (1.0 + std::sqrt(static_cast<double>(degree) / 100.0));
    const double pairs = static_cast<double>((n_theta + 1) / 2);
    const double functions = 0.5 * static_cast<double>((degree + 1) * (degree + 2));
    const double flops = 2.0 * 5.0 * pairs * functions * static_cast<double>(batch) * components;
    Json line{{"operation", operation}, {"degree", degree}, {"batch", batch}, {"n_theta", n_theta}};
    if (n_phi > 0) line["n_phi"] = n_phi;
    line["variant"] = variant;
    line.update(machine_of(context));
    line["threads"] = context.n_threads();
    line.update(times_of(timing));
    line.update(Json{{"gflops", 1e-9 * flops / timing.median},
                     {"of_matrix_ceiling", flops / timing.median / ceilings.matrix},
                     {"error", error_number(error)},
                     {"right", error <= allowed}});
    lines << line.dump() << std::endl;
    return error <= allowed;
  }
};

bool wanted(const BenchOptions& options, const std::string& variant) {
  return options.variants.empty() ||
         std::find(options.variants.begin(), options.variants.end(), variant) != options.variants.end();
}

std::vector<Index> rows_of(Index n) {
  return {n / 3, n / 2, std::min(n - 1, 2 * n / 3)};
}

// Numbers that are none until they are computed.
ContextArray<Complex> no_coefficients(const Context& context, std::size_t n) {
  return ContextArray<Complex>(context, std::vector<Complex>(n, {NAN, NAN}));
}
ContextArray<double> no_values(const Context& context, Index n) {
  return ContextArray<double>(context, std::vector<double>(at(n), NAN));
}

bool measure_legendre(const Measurement& with, const BenchOptions& options) {
  const AssociatedLegendrePlan plan(with.degree, with.degree + 1);
  LegendreTransform transform(with.context, plan, with.batch);
  const std::vector<Complex> a = coefficients(with.degree, with.batch);
  ContextArray<Complex> given(with.context, a), back = no_coefficients(with.context, a.size());
  ContextArray<double> memory = no_values(with.context, with.batch * plan.n_values());
  const Timing forward = time_calls(with.context, [&] { transform.synthesis(given.data(), memory.data()); });
  std::vector<double> values = memory.values();

  // F_m at the southern and northern nodes of some pairs
  const GaussHalf nodes = gauss_legendre_half(plan.n_theta());
  double error = 0.0, largest = 0.0;
  for (const Index i : rows_of(plan.n_theta())) {
    const auto row = row_of(plan, nodes, a.data(), i);
    const Index pair = std::min(i, plan.n_theta() - 1 - i);
    for (Index m = 0; m <= with.degree; ++m) {
      const double* v = values.data() + (m * plan.n_groups() + pair / 8) * 32 + pair % 8;
      const double sign = pair == i ? 1.0 : -1.0;
      const Complex found(v[0] + sign * v[16], v[8] + sign * v[24]);
      error = larger_error(error, static_cast<double>(std::abs(std::complex<long double>(found) - row[at(m)])));
      largest = std::max(largest, static_cast<double>(std::abs(row[at(m)])));
    }
  }
  error /= largest;

  // The parts that analysis takes are the sums and differences of both nodes, twice the parts of synthesis.
  for (double& value : values) value *= 2.0;
  memory.set(values);
  const Timing backward = time_calls(with.context, [&] { transform.analysis(memory.data(), back.data()); });
  error = larger_error(error, round_trip(a, back.values(), with.degree, false));
  bool right = true;
  if (wanted(options, "synthesis")) right = with.report("synthesis", forward, plan.n_theta(), 0, 1.0, error);
  if (wanted(options, "analysis")) right = with.report("analysis", backward, plan.n_theta(), 0, 1.0, error) && right;
  return right;
}

bool measure_scalars(const Measurement& with, const BenchOptions& options) {
  const SphericalPlan plan(with.degree, with.degree + 1, smooth_length(2 * with.degree + 1));
  SphericalTransform transform(with.context, plan, with.batch);
  const std::vector<Complex> a = coefficients(with.degree, with.batch);
  ContextArray<Complex> given(with.context, a), back = no_coefficients(with.context, a.size());
  ContextArray<double> memory = no_values(with.context, with.batch * plan.n_points());
  const Timing forward = time_calls(with.context, [&] { transform.synthesis(given.data(), memory.data()); });
  const Timing backward = time_calls(with.context, [&] { transform.analysis(memory.data(), back.data()); });
  const std::vector<double> f = memory.values();
  const GaussHalf nodes = gauss_legendre_half(plan.n_theta());
  double error = 0.0, largest = 0.0;
  for (const Index i : rows_of(plan.n_theta())) {
    const auto row = row_of(plan.legendre(), nodes, a.data(), i);
    for (const Index j : rows_of(plan.n_phi())) {
      long double sum = row[0].real();
      for (Index m = 1; m <= with.degree; ++m)
        sum += 2.0L * (row[at(m)] * std::polar(1.0L, 2.0L * std::numbers::pi_v<long double> *
                                                         static_cast<long double>(m * j % plan.n_phi()) /
                                                         static_cast<long double>(plan.n_phi())))
                          .real();
      sum /= std::sqrt(2.0L * std::numbers::pi_v<long double>);
      error = larger_error(error, static_cast<double>(std::abs(sum - f[at(i * plan.n_phi() + j)])));
    }
  }
  for (const double value : f) largest = std::max(largest, std::abs(value));
  error = larger_error(error / largest, round_trip(a, back.values(), with.degree, false));
  bool right = true;
  if (wanted(options, "synthesis")) right = with.report("synthesis", forward, plan.n_theta(), plan.n_phi(), 1.0, error);
  if (wanted(options, "analysis"))
    right = with.report("analysis", backward, plan.n_theta(), plan.n_phi(), 1.0, error) && right;
  return right;
}

bool measure_vectors(const Measurement& with, const BenchOptions& options) {
  const VectorSphericalPlan plan(with.degree, with.degree + 2, smooth_length(2 * with.degree + 1));
  VectorTransform transform(with.context, plan, with.batch);
  std::vector<Complex> s = coefficients(with.degree, with.batch);
  for (Index k = 0; k < with.batch; ++k) s[at(k * plan.n_coefficients())] = 0.0;
  std::vector<Complex> curl = s;
  for (std::size_t i = 0; i < curl.size(); ++i) curl[i] = -0.5 * s[i];
  ContextArray<Complex> given_s(with.context, s), given_t(with.context, curl),
      back_s = no_coefficients(with.context, s.size()), back_t = no_coefficients(with.context, s.size());
  ContextArray<double> u_theta = no_values(with.context, with.batch * plan.n_points()),
                       u_phi = no_values(with.context, with.batch * plan.n_points());
  const Timing forward = time_calls(
      with.context, [&] { transform.synthesis(given_s.data(), given_t.data(), u_theta.data(), u_phi.data()); });
  const Timing backward =
      time_calls(with.context, [&] { transform.analysis(u_theta.data(), u_phi.data(), back_s.data(), back_t.data()); });
  const double error = larger_error(round_trip(s, back_s.values(), with.degree, true),
                                    round_trip(curl, back_t.values(), with.degree, true));
  bool right = true;
  if (wanted(options, "vector_synthesis"))
    right = with.report("vector_synthesis", forward, plan.n_theta(), plan.n_phi(), 3.0, error);
  if (wanted(options, "vector_analysis"))
    right = with.report("vector_analysis", backward, plan.n_theta(), plan.n_phi(), 3.0, error) && right;
  return right;
}

std::vector<std::string> spherical_shapes(const BenchOptions& options) {
  return options.shapes.empty() ? std::vector<std::string>{"63", "127", "255", "511", "1023"} : options.shapes;
}
std::vector<std::string> spherical_batches(const BenchOptions& options) {
  return options.batches.empty() ? std::vector<std::string>{"1"} : options.batches;
}

}  // namespace

void check_spherical(const std::string& operation, const BenchOptions& options) {
  for (const std::string& shape : spherical_shapes(options))
    if (count_of(shape, "--shape") >= kLargestDegree)
      throw CaseError(fmt::format("--shape: degrees of {} operations are below {}", operation, kLargestDegree));
  for (const std::string& batch : spherical_batches(options)) count_of(batch, "--batch");
  variants_of(options, operation == "legendre" ? kLegendreVariants : kSphericalVariants);
  for (const std::string& precision : options.precisions)
    if (precision != "double") throw CaseError(fmt::format("--precision: {} operations are in double", operation));
}

bool bench_spherical(const Context& context, const std::string& operation, const BenchOptions& options,
                     std::ostream& lines) {
  const Ceilings ceilings = measure_ceilings(context);
  print_ceilings(context, ceilings, lines);
  bool right = true;
  for (const std::string& shape : spherical_shapes(options))
    for (const std::string& batch : spherical_batches(options)) {
      const Measurement with{context, ceilings, operation, count_of(shape, "--shape"), count_of(batch, "--batch"),
                             lines};
      if (operation == "legendre") {
        if (wanted(options, "synthesis") || wanted(options, "analysis"))
          right = measure_legendre(with, options) && right;
        if (wanted(options, "rotations_synthesis") || wanted(options, "rotations_analysis"))
          right = measure_legendre_rotations(context, ceilings, with.degree, with.batch, options, lines) && right;
        continue;
      }
      if (wanted(options, "synthesis") || wanted(options, "analysis")) right = measure_scalars(with, options) && right;
      if (wanted(options, "vector_synthesis") || wanted(options, "vector_analysis"))
        right = measure_vectors(with, options) && right;
    }
  return right;
}

}  // namespace gwrm::bench
