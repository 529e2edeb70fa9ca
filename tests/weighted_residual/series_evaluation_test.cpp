// Rows formed of Chebyshev series against the same rows formed on padded points, by every variant of the product; on
// random unknowns and states.
#include "weighted_residual/window/series_evaluation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>

#include "weighted_residual/assembled.hpp"

namespace gwrm::series_evaluation_test {
namespace {

using test::Assembled;
using test::random_vector;

struct SeriesCase {
  std::string name;
  std::string yaml;  // W stands for the weighting in time
};

void PrintTo(const SeriesCase& what, std::ostream* out) {
  *out << what.name;
}

const std::vector<SeriesCase> kCases = {{"Burgers", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = 0.1*dx(u,2)"]
initial: {u: "0"}
boundary: ["u(x=-1) = sin(t)", "u(x=2) = 0"]
resolution: {degree: {t: 5, x: 9}}
time: {weighting: W}
)yaml"},
                                        {"BurgersInTwoDimensions", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) + v*dy(u) = lap(u)/10", "dt(v) + u*dx(v) + v*dy(v) = lap(v)/10"]
initial: {u: "0", v: "0"}
boundary: ["u(x=-1) = y*t", "u(x=2) = 0", "u(y=0) = 0", "dy(u)(y=1) = x", "v(x=-1) = 0", "v(x=2) = 0", "v(y=0) = 0", "v(y=1) = u(y=1)"]
resolution: {degree: {t: 3, x: 5, y: 6}}
time: {weighting: W}
)yaml"},
                                        {"LorenzWithACoupledParameter", R"yaml(schema: 1
domain: {t: [0, 0.7], F: [1, 8]}
constants: {a: 0.25, b: 4, G: 1}
unknowns: [X, Y, Z]
equations: ["dt(X) = -Y^2 - Z^2 - a*X + a*F", "dt(Y) = X*Y - b*X*Z - Y + G", "dt(Z) = b*X*Y + X*Z - Z"]
initial: {X: "0.96", Y: "-1.1", Z: "0.5"}
resolution: {degree: {t: 7, F: 4}}
parameters: {method: coupled}
time: {weighting: W}
)yaml"},
                                        {"CubicWithDataAndPowers", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 1]}
unknowns: [u, w]
equations: ["dt(u) = dx(u^2*dx(u)) - (u + x)*(u - t) + u^3 + w/2", "dt(w) = dx(w,2) - u*w^2 + exp(x)/(4 + t)"]
initial: {u: "0", w: "0"}
boundary: ["u(x=0)^2 + dx(u)(x=0) = t", "u(x=1) = u(x=0.5)", "w(x=0) = 0", "dx(w)(x=1) = u(x=1)*w(x=1)"]
resolution: {degree: {t: 4, x: 7}}
time: {weighting: W}
)yaml"},
                                        {"FifthPowerSecondOrderInTime", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 1]}
unknowns: [u, {name: c, dims: [t]}]
equations: ["dt(u,2) + u*dt(u) = dx(u,2) + c*u^5 - u(x=0.25)*u", "dt(c) = -c^2 + u(x=0.3)*dx(u)(x=0.5)"]
initial: {u: "0", "dt(u)": "0", c: "1"}
boundary: ["u(x=0) = c", "u(x=1) = 0"]
resolution: {degree: {t: 4, x: 5}}
time: {weighting: W}
)yaml"},
                                        {"ThreeDimensionsAndMixedDerivative", R"yaml(schema: 1
domain: {t: [0, 0.7], x: [0, 1], y: [0, 1], z: [0, 2]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) + dy(u)*dz(u) = lap(u) + dx(dz(u))"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "dy(u)(y=0) = 0", "u(y=1) = 0", "u(z=0) = u(z=2)", "dz(u)(z=0) = dz(u)(z=2)"]
resolution: {degree: {t: 2, x: 3, y: 4, z: 3}}
time: {weighting: W}
)yaml"}};

// The same window with its products by a variant.
struct WithSeries {
  explicit WithSeries(const Assembled& a, ProductVariant variant, const Context& where)
      : context(where), plan(a.model, variant), system(context, a.model, plan, a.discretisation, a.state) {}
  Context context;
  SystemPlan plan;
  WindowSystem system;
};

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0.0, scale = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i])) return INFINITY;
    difference = std::max(difference, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return difference / scale;
}

// max_i sum_j |J_ij v_j|: the rounding of a product J v is relative to the terms it adds up, which may cancel.
double largest_sum_of_magnitudes(const std::vector<double>& matrix, const std::vector<double>& v) {
  const std::size_t n = v.size();
  std::vector<double> sums(n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) sums[i] += std::abs(matrix[i + n * j] * v[j]);
  return *std::max_element(sums.begin(), sums.end());
}

// Sums of some hundred products of size 1, in another order than on the points.
constexpr double kRounding = 1e-13;

void expect_the_same_rows(Assembled& a, ProductVariant variant, const Context& context) {
  WithSeries series(a, variant, context);
  const Index n = a.system.size();
  const std::vector<double> x = random_vector(n, 5), v = random_vector(n, 6);
  const std::vector<double> poison(x.size(), std::nan(""));

  std::vector<double> expected(x.size()), found = poison;
  a.system.residual(x, expected);
  series.system.residual(x, found);
  EXPECT_LT(relative_difference(found, expected), kRounding) << "residual";

  std::vector<double> matrix(x.size() * x.size()), other(matrix.size(), std::nan(""));
  std::fill(matrix.begin(), matrix.end(), 0.0);
  a.system.jacobian(x, matrix);
  series.system.jacobian(x, other);
  EXPECT_LT(relative_difference(other, matrix), kRounding) << "Jacobian";

  a.system.apply_jacobian(a.system.linearise(x), v, expected);
  found = poison;
  series.system.apply_jacobian(series.system.linearise(x), v, found);
  const double terms = largest_sum_of_magnitudes(matrix, v);
  for (Index i = 0; i < n; ++i)
    EXPECT_LT(std::abs(found[at(i)] - expected[at(i)]), kRounding * terms) << "Jacobian times a vector, row " << i;
}

class SeriesRows : public ::testing::TestWithParam<std::tuple<SeriesCase, const char*>> {
 protected:
  Assembled a_{std::regex_replace(std::get<0>(GetParam()).yaml, std::regex("\\bW\\b"), std::get<1>(GetParam()))};
};
INSTANTIATE_TEST_SUITE_P(Systems, SeriesRows,
                         ::testing::Combine(::testing::ValuesIn(kCases), ::testing::Values("chebyshev", "radau")),
                         [](const auto& what) { return std::get<0>(what.param).name + "_" + std::get<1>(what.param); });

TEST_P(SeriesRows, AreThoseOfThePaddedPoints) {
  ASSERT_EQ(series_unsupported_reason(a_.model, a_.plan), "");
  for (ProductVariant variant : {ProductVariant::automatic, ProductVariant::monolithic, ProductVariant::stride,
                                 ProductVariant::direct, ProductVariant::transform}) {
    SCOPED_TRACE(static_cast<int>(variant));
    expect_the_same_rows(a_, variant, a_.context);
  }
}

using DeviceSeriesRows = SeriesRows;
INSTANTIATE_TEST_SUITE_P(Systems, DeviceSeriesRows,
                         ::testing::Combine(::testing::ValuesIn(kCases), ::testing::Values("chebyshev", "radau")),
                         [](const auto& what) { return std::get<0>(what.param).name + "_" + std::get<1>(what.param); });

TEST_P(DeviceSeriesRows, AreThoseOfThePaddedPoints) {
  std::string why;
  if (find_device(why).empty()) GTEST_SKIP() << why;
  const Context device = Context::create(BackendChoice::cuda, 1);
  for (ProductVariant variant : {ProductVariant::automatic, ProductVariant::monolithic, ProductVariant::stride,
                                 ProductVariant::direct, ProductVariant::transform}) {
    SCOPED_TRACE(static_cast<int>(variant));
    expect_the_same_rows(a_, variant, device);
  }
}

// --- Burgers in one dimension by its definition, in extended precision: the unknowns' series summed at many points,
// the residual formed there and taken apart by sums of cosines. Shares nothing with the program.

using Real = long double;
constexpr int kDegreeT = 5, kDegreeX = 9, kPoints = 40;
constexpr Real kPi = 3.14159265358979323846264338327950288L;

Real angle_of(int point) {
  return kPi * (2 * point + 1) / (2 * kPoints);
}

// T_k, T_k' and T_k'' at cos(angle).
std::array<Real, 3> chebyshev_at(int k, Real angle) {
  const Real x = std::cos(angle), first = k * std::sin(k * angle) / std::sin(angle);
  return {std::cos(k * angle), first, (x * first - k * k * std::cos(k * angle)) / (1 - x * x)};
}

// c_0 .. c_K of int_{-1} sum a_k T_k, the term of degree K + 1 left out behind c_0 (the papers' integral form).
std::vector<Real> integrated(const std::vector<Real>& a) {
  const int K = static_cast<int>(a.size()) - 1;
  std::vector<Real> c(a.size() + 1, 0.0L);
  for (int k = 0; k <= K; ++k) {
    if (k == 0) c[1] += a[0];
    if (k == 1) c[2] += a[1] / 4;
    if (k < 2) continue;
    c[k + 1] += a[k] / (2 * (k + 1));
    c[k - 1] -= a[k] / (2 * (k - 1));
  }
  for (int k = 1; k <= K + 1; ++k) c[0] -= (k % 2 == 0 ? 1 : -1) * c[k];
  c.pop_back();
  return c;
}

// Modes k of t and l of x of dt(u) + u dx(u) - 0.1 dx(u,2), all of t and all but the two highest of x.
std::vector<double> burgers_rows(const std::vector<double>& w, const std::vector<double>& state) {
  const Real half_t = 0.35L, half_x = 1.5L;
  std::vector<std::vector<Real>> u(kDegreeX + 1);  // per mode of x, over the modes of t
  for (int l = 0; l <= kDegreeX; ++l) {
    std::vector<Real> column;
    for (int k = 0; k <= kDegreeT; ++k) column.push_back(w[k * (kDegreeX + 1) + l]);
    u[l] = integrated(column);
    for (Real& value : u[l]) value *= half_t;
    u[l][0] += state[l];
  }
  std::vector<Real> rows(at((kDegreeT + 1) * (kDegreeX - 1)), 0.0L);
  for (int i = 0; i < kPoints; ++i)
    for (int j = 0; j < kPoints; ++j) {
      Real value = 0, slope = 0, curvature = 0, rate = 0;
      for (int k = 0; k <= kDegreeT; ++k)
        for (int l = 0; l <= kDegreeX; ++l) {
          const auto [in_x, first, second] = chebyshev_at(l, angle_of(j));
          const Real in_t = chebyshev_at(k, angle_of(i))[0], a = u[l][k];
          value += a * in_t * in_x;
          slope += a * in_t * first / half_x;
          curvature += a * in_t * second / half_x / half_x;
          rate += w[k * (kDegreeX + 1) + l] * in_t * in_x;
        }
      const Real residual = rate + value * slope - 0.1L * curvature;
      for (int k = 0; k <= kDegreeT; ++k)
        for (int l = 0; l < kDegreeX - 1; ++l)
          rows[k * (kDegreeX - 1) + l] += (k == 0 ? 1 : 2) * (l == 0 ? 1 : 2) * residual * std::cos(k * angle_of(i)) *
                                          std::cos(l * angle_of(j)) / kPoints / kPoints;
    }
  return {rows.begin(), rows.end()};
}

TEST(SeriesEvaluation, FormsBurgersEquationAsItsDefinitionDoes) {
  Assembled a(std::regex_replace(kCases.front().yaml, std::regex("\\bW\\b"), "chebyshev"));
  const std::vector<double> x = random_vector(a.system.size(), 5);
  const std::vector<double> expected = burgers_rows(x, a.state.front().front().data);
  for (ProductVariant variant :
       {ProductVariant::monolithic, ProductVariant::stride, ProductVariant::direct, ProductVariant::transform}) {
    WithSeries series(a, variant, a.context);
    std::vector<double> f(x.size(), std::nan(""));
    series.system.residual(x, f);
    f.resize(expected.size());  // the rows of the equation come first
    EXPECT_LT(relative_difference(f, expected), 1e-14) << static_cast<int>(variant);
  }
}

// x^2 u dx(u) has modes up to L + (L - 1) + 2: more than the padded points of two factors keep apart, but not more than
// its series do, whatever the order of the factors.
TEST(SeriesEvaluation, KeepsTheModesOfPartialProductsThatCount) {
  const auto yaml = [](const std::string& term) {
    return "schema: 1\ndomain: {x: [-1, 1]}\nunknowns: [u]\nequations: [\"dx(u) = " + term +
           "\"]\nboundary: [\"u(x=-1) = 0\"]\nresolution: {degree: {x: 8}}\n";
  };
  std::vector<double> expected;
  for (const char* term : {"x^2*u*dx(u)", "(u*dx(u))*x^2", "(x*u)*(x*dx(u))", "u*(x^2*dx(u))"}) {
    Assembled a(yaml(term));
    WithSeries series(a, ProductVariant::direct, a.context);
    const std::vector<double> x = random_vector(a.system.size(), 5);
    std::vector<double> f(x.size());
    series.system.residual(x, f);
    if (expected.empty()) expected = f;
    EXPECT_LT(relative_difference(f, expected), 1e-14) << term;
  }
}

std::string unsupported_reason_of(const std::string& domain, const std::string& equation,
                                  const std::string& resolution) {
  const Model model =
      build_model(test::case_of("schema: 1\ndomain: " + domain + "\nunknowns: [u]\nequations: [\"" + equation +
                                "\"]\ninitial: {u: \"0\"}\nboundary: [\"u(x=1) = 0\"]\n" + resolution));
  return series_unsupported_reason(model, SystemPlan(model));
}

TEST(SeriesUnsupportedReason, SaysWhatIsNoProductOfSeries) {
  const std::string line = "{t: [0, 1], x: [1, 2]}", degrees = "resolution: {degree: {t: 4, x: 6}}\n";
  EXPECT_EQ(unsupported_reason_of(line, "dt(u) = u*dx(u)/(1 + x) + exp(x)*u^3", degrees), "");
  EXPECT_EQ(unsupported_reason_of(line, "dt(u) = dx(u) + exp(u)", degrees),
            "`exp(u)` is no polynomial in the unknowns");
  EXPECT_EQ(unsupported_reason_of(line, "dt(u) = dx(u)/(1 + u)", degrees),
            "`dx(u)/(1 + u)` is no polynomial in the unknowns");
  EXPECT_EQ(unsupported_reason_of(line, "dt(u) = dx(u) + integral(u^2, x)", degrees),
            "`integral(u^2, x)` is an integral");
  EXPECT_EQ(unsupported_reason_of(line, "dt(u) = u*dx(u)", "resolution: {degree: {t: 4, x: 6}, domains: {x: 2}}\n"),
            "x is divided into subdomains, and a product of series belongs to one interval");
  EXPECT_EQ(unsupported_reason_of("{t: [0, 1], x: {range: [1, 2], map: log}}", "dt(u) = u*dx(u)", degrees),
            "derivatives along x on its log map are no polynomials");
  EXPECT_EQ(unsupported_reason_of(line, "dt(u) = u*dx(u)", "resolution: {degree: {t: 4, x: 300}}\n"),
            "the equations are written in ultraspherical polynomials along x");
}

}  // namespace
}  // namespace gwrm::series_evaluation_test
