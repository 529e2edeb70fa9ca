// Times of an evaluation, a residual, a Jacobian and its factorisation over the resolution, to compare with the orders
// of their formulas. Each run first checks its result against an evaluation that shares nothing with the timed code (a
// closed form, sums over coefficients, an exact difference), and fails instead of reporting a time for a wrong one; the
// counter `checked` is the number of values compared. bench/orders/plot_orders.py fits the exponents.
//
// Letters: N coefficients per dimension, K time nodes, M = (3N - 1)/2 padded points, n = K N unknowns. The argument of
// a run is N, or n for the Jacobian and its factorisation. Orders count multiply-adds: run on one core, with
// OPENBLAS_NUM_THREADS and OMP_NUM_THREADS set to 1, or the number of threads changes with N.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "basis/chebyshev.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "kernels/linear_algebra/dense_lu.hpp"
#include "kernels/product/chebyshev_product.hpp"
#include "kernels/transform/tensor_transform.hpp"
#include "output/evaluate.hpp"
#include "problems/registry.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace {

using namespace gwrm;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Accepts the run if every value is within `tolerance` of the expected one; a NaN is not.
bool check(benchmark::State& state, std::span<const double> values, std::span<const double> expected,
           double tolerance) {
  bool good = values.size() == expected.size();
  for (std::size_t i = 0; good && i < values.size(); ++i) good = std::abs(values[i] - expected[i]) <= tolerance;
  if (!good) state.SkipWithError("the result is wrong");
  state.counters["checked"] = static_cast<double>(values.size());
  return good;
}

double largest(std::span<const double> values) {
  double result = 0.0;
  for (double value : values) result = std::max(result, std::abs(value));
  return result;
}

std::vector<double> random_vector(std::size_t n, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> values(n);
  for (double& value : values) value = uniform(generator);
  return values;
}

// ---- Evaluation -----------------------------------------------------------------------------------------------------

// a_k = r^k, k < N, with r^N = base^2: no coefficient is negligible, and with z = r exp(i theta), x = cos theta,
// sum a_k T_k(x) = Re (1 - z^N) / (1 - z).
struct GeometricSeries {
  Index n;
  double ratio;

  GeometricSeries(Index n_coefficients, double base) : n(n_coefficients), ratio(std::pow(base, 2.0 / n_coefficients)) {}
  double coefficient(Index k) const { return std::pow(ratio, static_cast<double>(k)); }
  double sum_of_coefficients() const { return (1.0 - coefficient(n)) / (1.0 - ratio); }
  double value(double x) const {
    const long double theta = std::acos(static_cast<long double>(x)), r = ratio;
    const std::complex<long double> z = std::polar(r, theta);
    const auto z_to_n = std::polar(std::pow(r, static_cast<long double>(n)), theta * static_cast<long double>(n));
    return static_cast<double>(((1.0L - z_to_n) / (1.0L - z)).real());
  }
};

// A field with N geometric coefficients per dimension, its values at N points per dimension.
struct GeometricField {
  Solution solution;
  GridPoints grid;
  std::vector<double> expected;
  double tolerance = 0.0;

  GeometricField(std::size_t n_dimensions, Index N) {
    const bool plane = n_dimensions == 2;
    if (plane) solution.axes.push_back({"y", AxisKind::space, -1.0, 1.0, MapKind::linear});
    solution.axes.push_back({"x", AxisKind::space, -1.0, 1.0, MapKind::linear});
    solution.subdomains = {std::vector<AxisDescription>(n_dimensions, {static_cast<int>(N) - 1, {-1.0, 1.0}})};
    solution.fields = {{"u", {}, {Array(Shape(n_dimensions, N))}}};
    for (std::size_t axis = 0; axis < n_dimensions; ++axis) {
      solution.fields[0].axes.push_back(static_cast<int>(axis));
      grid.push_back(random_vector(static_cast<std::size_t>(N), 1 + static_cast<unsigned>(axis)));
    }
    const GeometricSeries along_y(N, 0.2), along_x(N, 0.1);  // differ, so that exchanged dimensions are found out
    const Index n_rows = plane ? N : 1;
    for (Index k = 0; k < n_rows; ++k)
      for (Index l = 0; l < N; ++l) {
        coefficients().data[k * N + l] = (plane ? along_y.coefficient(k) : 1.0) * along_x.coefficient(l);
        expected.push_back((plane ? along_y.value(grid[0][k]) : 1.0) * along_x.value(grid.back()[l]));
      }
    // A sum of N rounded terms per dimension.
    const double scale = along_x.sum_of_coefficients() * (plane ? along_y.sum_of_coefficients() : 1.0);
    tolerance = 2.0 * static_cast<double>(n_dimensions) * static_cast<double>(N) * kEpsilon * scale;
  }

  Array& coefficients() { return solution.fields[0].windows[0]; }
};

// One dimension: the N x N matrix T_k(x_i) and its product with the coefficients, O(N^2). Two: two such matrices,
// O(N^2), and two products of N x N matrices, O(N^3), where the double sum at every point would be O(N^4). A cosine
// costs as much as hundreds of multiply-adds, so that the measured order of the second lies between 2 and 3 and rises
// with N.
void evaluation(benchmark::State& state, std::size_t n_dimensions) {
  const GeometricField field(n_dimensions, state.range(0));
  expression::Symbols symbols{field.solution.axes, {{"u", {}}}, {}};
  for (const Axis& axis : symbols.axes) symbols.fields[0].dims.push_back(axis.name);
  expression::Pool pool(symbols);
  const expression::Expr u = lower(pool, parse(pool, SourceText::from_argument("u")));
  const Array values = evaluate(pool, field.solution, u, field.grid);
  if (!check(state, values.data, field.expected, field.tolerance)) return;
  for (auto _ : state) benchmark::DoNotOptimize(evaluate(pool, field.solution, u, field.grid).data.data());
}

// The same in two dimensions with the matrices T_k(x_i) at hand: two products of N x N matrices, O(N^3).
void evaluation_prepared(benchmark::State& state) {
  GeometricField field(2, state.range(0));
  std::vector<Matrix> at_points;
  for (const std::vector<double>& points : field.grid)
    at_points.push_back(point_matrix(AxisMap(-1.0, 1.0), state.range(0) - 1, points));
  const std::vector<const Matrix*> matrices = {&at_points[0], &at_points[1]};
  const Array values = cpu::tensor_transform(field.coefficients(), matrices);
  if (!check(state, values.data, field.expected, field.tolerance)) return;
  for (auto _ : state) benchmark::DoNotOptimize(cpu::tensor_transform(field.coefficients(), matrices).data.data());
}

// Clenshaw's recurrence: three operations per coefficient and point, O(N) at a fixed number of points.
void evaluation_clenshaw(benchmark::State& state) {
  const Index N = state.range(0);
  const GeometricSeries series(N, 0.1);
  std::vector<double> coefficients, expected, values;
  for (Index k = 0; k < N; ++k) coefficients.push_back(series.coefficient(k));
  const std::vector<double> points = random_vector(64, 1);
  for (double x : points) {
    expected.push_back(series.value(x));
    values.push_back(clenshaw(coefficients, x));
  }
  if (!check(state, values, expected, 2.0 * static_cast<double>(N) * kEpsilon * series.sum_of_coefficients())) return;
  for (auto _ : state)
    for (double x : points) benchmark::DoNotOptimize(clenshaw(coefficients, x));
}

// ---- Burgers' equation by sums over coefficients --------------------------------------------------------------------

// Calls row(a, b, stride) for every line of coefficients along the axis: entry k of it is at a[k * stride].
template <class Row>
void for_each_line(const Array& from, Array& to, std::size_t axis, Row row) {
  Index stride = 1;
  for (std::size_t i = axis + 1; i < from.shape.size(); ++i) stride *= from.shape[i];
  const Index block = stride * from.shape[axis], block_to = stride * to.shape[axis];
  for (Index o = 0; o < from.size() / block; ++o)
    for (Index i = 0; i < stride; ++i) row(&from.data[o * block + i], &to.data[o * block_to + i], stride);
}

// b_{k-1} = b_{k+1} + 2 k a_k, b_0 halved.
Array derivative(const Array& a, std::size_t axis) {
  Array b(a.shape);
  const Index N = a.shape[axis];
  for_each_line(a, b, axis, [N](const double* from, double* to, Index stride) {
    for (Index k = N - 1; k > 0; --k)
      to[(k - 1) * stride] = (k + 1 < N ? to[(k + 1) * stride] : 0.0) + 2.0 * static_cast<double>(k) * from[k * stride];
    to[0] *= 0.5;
  });
  return b;
}

// T_k(+-1) = (+-1)^k.
Array at_end(const Array& a, std::size_t axis, double end) {
  Shape shape = a.shape;
  shape[axis] = 1;
  Array sum(shape);
  const Index N = a.shape[axis];
  for_each_line(a, sum, axis, [N, end](const double* from, double* to, Index stride) {
    for (Index k = 0; k < N; ++k) *to += (k % 2 == 0 ? 1.0 : end) * from[k * stride];
  });
  return sum;
}

// The first n_kept[i] coefficients of each dimension, appended to the rows.
void append_leading(std::vector<double>& rows, const Array& a, const Shape& n_kept) {
  for (Index flat = 0; flat < a.size(); ++flat) {
    bool kept = true;
    Index rest = flat;
    for (std::size_t i = a.shape.size(); i-- > 0; rest /= a.shape[i]) kept = kept && rest % a.shape[i] < n_kept[i];
    if (kept) rows.push_back(a.data[flat]);
  }
}

// a + factor b
Array plus(Array a, double factor, const Array& b) {
  for (std::size_t i = 0; i < a.data.size(); ++i) a.data[i] += factor * b.data[i];
  return a;
}

constexpr double kStart = 0.0, kEnd = 0.5, kViscosity = 0.1;

// Burgers' equation in one or two space dimensions on [-1, 1], with a trial solution that is quadratic in time,
// u = u0 + t v + t^2/2 w, so that its K >= 2 time nodes represent it exactly.
struct Burgers {
  std::size_t n_space;
  Index N;
  Model model;
  SystemPlan plan;
  Context context;
  Discretisation discretisation;
  Array u0, v, w;
  State state;
  WindowSystem system;

  Burgers(std::size_t n_space_dimensions, Index n_coefficients, Index n_time_nodes)
      : n_space(n_space_dimensions),
        N(n_coefficients),
        model(build_model(read_case_text(case_text(n_time_nodes), "bench.yaml"))),
        plan(model),
        context(Context::create(BackendChoice::cpu, 1)),
        discretisation(model, model.subdomains, std::vector<double>(model.axes.size(), 0.0), kStart, kEnd),
        u0(smooth_series(1)),
        v(smooth_series(2)),
        w(smooth_series(3)),
        state(initial_state()),
        system(context, model, plan, discretisation, state) {}

  std::string case_text(Index n_time_nodes) const {
    const std::string nu = std::to_string(kViscosity), degree = std::to_string(N - 1);
    const std::string time = "{t: " + std::to_string(n_time_nodes) + ", x: " + degree;
    if (n_space == 1)
      return "schema: 1\ndomain: {t: [0, 1], x: [-1, 1]}\nunknowns: [u]\nequations: [\"dt(u) = " + nu +
             "*dx(u,2) - u*dx(u)\"]\ninitial: {u: \"0\"}\nboundary: [\"u(x=-1) = 0\", \"u(x=1) = 0\"]\n" +
             "resolution: {degree: " + time + "}}\n";
    return "schema: 1\ndomain: {t: [0, 1], x: [-1, 1], y: [-1, 1]}\nunknowns: [u]\nequations: [\"dt(u) = " + nu +
           "*lap(u) - u*(dx(u) + dy(u))\"]\ninitial: {u: \"0\"}\nboundary: [\"u(y=-1) = 0\", \"u(y=1) = 0\", " +
           "\"u(x=-1) = 0\", \"u(x=1) = 0\"]\nresolution: {degree: " + time + ", y: " + degree + "}}\n";
  }

  // Coefficients that fall like k^-3, so that second derivatives stay of order one.
  Array smooth_series(unsigned seed) const {
    Array a(Shape(n_space, N));
    a.data = random_vector(a.data.size(), seed);
    for (Index flat = 0; flat < a.size(); ++flat)
      for (Index rest = flat, i = 0; i < static_cast<Index>(n_space); ++i, rest /= N)
        a.data[flat] *= std::pow(1.0 + static_cast<double>(rest % N), -3.0);
    return a;
  }

  State initial_state() const {
    Array at_start = u0;
    at_start.shape.insert(at_start.shape.begin(), 1);
    return {{at_start}};
  }

  Array rate(double t) const { return plus(v, t, w); }  // du/dt, the system's unknowns
  Array value(double t) const { return plus(plus(u0, t, v), t * t / 2.0, w); }

  std::vector<double> unknowns() const {
    std::vector<double> x;
    for (double t : discretisation.points(0)) append_leading(x, rate(t), Shape(n_space, N));
    return x;
  }

  // The rows as weighted_residual/window/window_system.hpp orders them; the axes are (t, y, x) or (t, x).
  std::vector<double> expected_residual() const {
    const Vector& times = discretisation.points(0);
    std::vector<double> rows;
    for (double t : times) {
      const Array u = value(t);
      Array residual = rate(t), slopes(u.shape);
      for (std::size_t axis = 0; axis < n_space; ++axis) {
        const Array slope = derivative(u, axis);
        slopes = plus(std::move(slopes), 1.0, slope);
        residual = plus(std::move(residual), -kViscosity, derivative(slope, axis));
      }
      residual = plus(std::move(residual), 1.0, chebyshev_product(context, u, slopes, ProductVariant::direct));
      append_leading(rows, residual, Shape(n_space, N - 2));
    }
    for (std::size_t axis = 0; axis < n_space; ++axis) {
      Shape n_kept(n_space, N);
      std::fill(n_kept.begin() + static_cast<Index>(axis) + 1, n_kept.end(), N - 2);
      for (double end : {-1.0, 1.0})
        for (double t : times) {
          Array u_at_end = at_end(value(t), axis, end);
          for (double& coefficient : u_at_end.data) coefficient *= 2.0 / (kEnd - kStart);  // the scale of conditions
          append_leading(rows, u_at_end, n_kept);
        }
    }
    return rows;
  }
};

// ---- The system -----------------------------------------------------------------------------------------------------

// Every derivative of u that the equation holds goes from coefficients to points, the residual back: K matrix products.
// One space dimension: K vectors by M x N matrices and M by K x K, O(K N M + K^2 M) = O(K N^2) for N > K.
// Two: y and x in turn, O(K (N^2 M + N M^2)) = O(K N^3).
void residual(benchmark::State& state, std::size_t n_space, Index n_time_nodes) {
  Burgers burgers(n_space, state.range(0), n_time_nodes);
  // The sums take longer than many residuals, and a run is entered several times.
  static std::map<std::pair<std::size_t, Index>, std::vector<double>> expected_residuals;
  std::vector<double>& expected = expected_residuals[{n_space, state.range(0)}];
  if (expected.empty()) expected = burgers.expected_residual();
  const std::vector<double> x = burgers.unknowns();
  std::vector<double> f(x.size());
  burgers.system.residual(x, f);
  // A second derivative is up to N times as large at the end points as its coefficients are, and cancels to them.
  const double tolerance = 10.0 * static_cast<double>(state.range(0)) * kEpsilon * largest(expected);
  if (!check(state, f, expected, tolerance)) return;
  for (auto _ : state) {
    burgers.system.residual(x, f);
    benchmark::DoNotOptimize(f.data());
  }
}

constexpr Index kJacobianTimeNodes = 8;

// n = K N. Every term with a coefficient g(t, x) is applied along t by the K^2 x K and along x by the N^2 x M matrix of
// products test x trial (weighted_residual/window/linear_block.hpp): O(K^2 N^2 M) = O(n^2 M) with t first, O(K N^2 M +
// K^3 N^2) with x first; either is O(n^3) at fixed K, next to the O(n^2) of adding each block to the matrix.
void jacobian(benchmark::State& state) {
  const Index n = state.range(0);
  Burgers burgers(1, n / kJacobianTimeNodes, kJacobianTimeNodes);
  const std::vector<double> x = burgers.unknowns(), direction = random_vector(x.size(), 4);
  std::vector<double> matrix(static_cast<std::size_t>(n * n));
  burgers.system.jacobian(x, matrix);
  // The residual is quadratic in x: J(x) d = (f(x + d) - f(x - d)) / 2 without a discretisation error.
  std::vector<double> ahead = x, behind = x, f_ahead(x.size()), f_behind(x.size()), values(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) ahead[i] += direction[i], behind[i] -= direction[i];
  burgers.system.residual(ahead, f_ahead);
  burgers.system.residual(behind, f_behind);
  for (std::size_t i = 0; i < x.size(); ++i) f_ahead[i] = (f_ahead[i] - f_behind[i]) / 2.0;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) values[i] += matrix[i + j * n] * direction[j];
  if (!check(state, values, f_ahead, 10.0 * static_cast<double>(n) * kEpsilon * largest(f_ahead))) return;
  for (auto _ : state) {
    burgers.system.jacobian(x, matrix);
    benchmark::DoNotOptimize(matrix.data());
  }
}

// Gaussian elimination of the Jacobian: sum_k 2 k^2 = 2/3 n^3 flops; copying, scaling and the estimate of the condition
// are O(n^2).
void factorisation(benchmark::State& state) {
  const Index n = state.range(0);
  Burgers burgers(1, n / kJacobianTimeNodes, kJacobianTimeNodes);
  std::vector<double> matrix(static_cast<std::size_t>(n * n));
  burgers.system.jacobian(burgers.unknowns(), matrix);
  const std::vector<double> right_hand_side = random_vector(static_cast<std::size_t>(n), 4);
  const auto lu = cpu::make_dense_lu();
  if (lu->factor(matrix, n) != LuStatus::regular) {
    state.SkipWithError("the matrix counts as singular");
    return;
  }
  std::vector<double> solution = right_hand_side, product(solution.size(), 0.0);
  lu->solve(solution);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) product[i] += matrix[i + j * n] * solution[j];
  // Backward stability: A x - b is of the size of n eps |A| |x|.
  const double tolerance = static_cast<double>(n) * kEpsilon * largest(matrix) * largest(solution);
  if (!check(state, product, right_hand_side, tolerance)) return;
  for (auto _ : state) benchmark::DoNotOptimize(lu->factor(matrix, n));
}

BENCHMARK_CAPTURE(evaluation, grid_1d, 1)->RangeMultiplier(2)->Range(32, 1024)->UseRealTime();
BENCHMARK_CAPTURE(evaluation, grid_2d, 2)->RangeMultiplier(2)->Range(32, 1024)->UseRealTime();
BENCHMARK(evaluation_prepared)->RangeMultiplier(2)->Range(32, 1024)->UseRealTime();
BENCHMARK(evaluation_clenshaw)->RangeMultiplier(4)->Range(16, 16384)->UseRealTime();
BENCHMARK_CAPTURE(residual, burgers_1d, 1, 8)->RangeMultiplier(2)->Range(16, 1024)->UseRealTime();
BENCHMARK_CAPTURE(residual, burgers_2d, 2, 4)->RangeMultiplier(2)->Range(8, 128)->UseRealTime();
BENCHMARK(jacobian)->RangeMultiplier(2)->Range(64, 2048)->UseRealTime();
BENCHMARK(factorisation)->RangeMultiplier(2)->Range(64, 2048)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
