// The length of the next window and the tails that decide on it, of hand-made windows by their definition.
#include "problems/time_spectral/step_control.hpp"

#include "problems/hand_made.hpp"

namespace gwrm::step_control_test {
namespace {

using test::HandMade;
using test::kLine;
using test::kPlane;

const std::string kOrdinary = R"yaml(
domain: {t: [0, 2]}
unknowns: [u]
equations: ["dt(u) = u"]
initial: {u: "1"}
resolution: {degree: {t: 5}}
)yaml";

double chebyshev(Index k, double xi) {
  return std::cos(static_cast<double>(k) * std::acos(xi));
}

double entry(const Array& a, Index i) {
  return a.data[static_cast<std::size_t>(i)];
}

// ---- the length of windows

TEST(NextLength, FollowsTheOrderOfTheMethod) {
  // A tail like h^K: at the length proposed it is 0.9^K times the tolerance.
  for (int K : {4, 12}) {
    for (double eta : {3e-9, 1e-8, 2e-8}) {
      const double h = next_length(0.1, eta, 1e-8, K, 3.0);
      EXPECT_NEAR(eta * std::pow(h / 0.1, K), std::pow(0.9, K) * 1e-8, 1e-13 * 1e-8) << K << " " << eta;
    }
  }
}

TEST(NextLength, ChangesByBoundedFactors) {
  EXPECT_DOUBLE_EQ(next_length(0.5, 0.0, 1e-8, 12, 3.0), 1.5);
  EXPECT_DOUBLE_EQ(next_length(0.5, 1e-300, 1e-8, 12, 3.0), 1.5);
  EXPECT_DOUBLE_EQ(next_length(0.5, 1e300, 1e-8, 4, 3.0), 0.1);
  EXPECT_DOUBLE_EQ(next_length(0.5, 1e-300, 1e-8, 12, 0.9), 0.45);  // after a rejected window it never grows
}

// ---- sizes and tails

// v follows u: what it holds may be an error of u.
const std::string kCoupledLine = R"yaml(
domain: {t: [0, 2], x: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) = dx(u,2)", "dt(v) = u"]
initial: {u: "0", v: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 5, x: 16}}
)yaml";

// v is alone in its equation: small by its units.
TEST(FieldScales, OfAFieldThatIsSmallByItsUnits) {
  HandMade made(kLine, {{4, {0.0, 0.25, 0.5, 1.0}}});
  made.fill([](std::size_t f, Index k, Index subdomain, Index l) {
    if (f == 0) return k == 0 && l <= 1 ? 3.0 + static_cast<double>(l) : 0.0;
    return k == 1 && l == 0 && subdomain == 1 ? 1e-9 : 0.0;
  });
  FieldScales sizes(made.model);
  sizes.update(made.window());
  EXPECT_NEAR(sizes.of(0), 5.0, 1e-13);
  EXPECT_NEAR(sizes.of(1), 1e-9 / std::sqrt(3.0), 1e-20);
}

TEST(FieldScales, AreTheLargestRootOfTheSumOfSquaresPerSubdomain) {
  HandMade made(kCoupledLine, {{4, {0.0, 0.25, 0.5, 1.0}}});
  made.fill([](std::size_t f, Index k, Index subdomain, Index l) {
    if (f == 0) return k == 0 && l <= 1 ? 3.0 + static_cast<double>(l) : 0.0;
    return k == 1 && l == 0 && subdomain == 1 ? 1e-9 : 0.0;
  });
  FieldScales sizes(made.model);
  EXPECT_EQ(sizes.of(0), 1.0);  // nothing seen
  sizes.update(made.window());
  EXPECT_NEAR(sizes.of(0), 5.0, 1e-13);   // 3, 4 on every subdomain
  EXPECT_NEAR(sizes.of(1), 5e-6, 1e-15);  // at least a millionth of the largest
  std::vector<Array> smaller = made.coefficients;
  for (double& value : smaller[0].data) value *= 0.1;
  sizes.update(made.model, smaller, made.subdomains);
  EXPECT_NEAR(sizes.of(0), 5.0, 1e-13);
}

// `exact` says that v is zero: what it holds is small against u, not against itself.
TEST(FieldScales, OfAFieldThatIsZero) {
  HandMade made(test::replaced(kLine, "resolution", "exact: {v: \"0\"}\nresolution"));
  made.fill([](std::size_t f, Index k, Index, Index l) {
    if (f == 0) return k == 0 && l == 0 ? 2.0 : 0.0;
    return 1e-5;
  });
  FieldScales sizes(made.model);
  EXPECT_EQ(sizes.of(1), 1.0);  // nothing seen
  sizes.update(made.window());
  EXPECT_EQ(sizes.of(0), 2.0);
  EXPECT_EQ(sizes.of(1), 2.0);
}

TEST(MeasureTails, OfALineAreThoseOfTheDefinition) {
  HandMade made(kLine, {{6, {0.0, 0.3, 0.5, 1.0}}});
  made.fill_at_random(3);
  FieldScales sizes(made.model);
  sizes.update(made.window());
  const Tails tails = measure_tails(made.window(), sizes);

  const Index n_times = 6, n = 7, n_space = 21;
  double time = 0.0;
  std::vector<double> space(3, 0.0);
  for (int f = 0; f < 2; ++f) {
    const Array& a = made.coefficients[static_cast<std::size_t>(f)];
    for (Index subdomain = 0; subdomain < 3; ++subdomain) {
      for (Index k = n_times - 2; k < n_times; ++k) {
        double sum = 0.0;
        for (Index l = 0; l < n; ++l) sum += std::abs(entry(a, k * n_space + subdomain * n + l));
        time = std::max(time, sum / sizes.of(f));
      }
      for (int i = 0; i < 9; ++i)
        for (Index l = n - 3; l < n; ++l) {
          double value = 0.0;
          for (Index k = 0; k < n_times; ++k)
            value += chebyshev(k, -1.0 + i / 4.0) * entry(a, k * n_space + subdomain * n + l);
          double& of_subdomain = space[static_cast<std::size_t>(subdomain)];
          of_subdomain = std::max(of_subdomain, std::abs(value) / sizes.of(f));
        }
    }
  }
  EXPECT_NEAR(tails.time, time, 1e-12 * time);
  ASSERT_EQ(tails.space.size(), 2u);
  EXPECT_TRUE(tails.space[0].empty());
  ASSERT_EQ(tails.space[1].size(), 3u);
  for (std::size_t p = 0; p < 3; ++p) EXPECT_NEAR(tails.space[1][p], space[p], 1e-12 * space[p]) << p;
}

// In two dimensions time counts by the largest value in Chebyshev points, space along each axis.
TEST(MeasureTails, OfAPlane) {
  HandMade made(kPlane, {{4, {0.0, 1.0}}, {6, {0.0, 3.0}}});
  made.fill_at_random(4);
  FieldScales sizes(made.model);
  sizes.update(made.window());
  const Tails tails = measure_tails(made.window(), sizes);
  const Array& a = made.coefficients[0];
  // The program's order is t, y, x.
  ASSERT_EQ(made.model.axes[1].name, "y");
  const Index n_y = a.shape[1], n_x = a.shape[2], n_times = a.shape[0];
  double time = 0.0;
  std::vector<double> along(2, 0.0);
  const auto gauss_point = [](Index j, Index n) {
    return std::cos(M_PI * (2.0 * double(j) + 1.0) / (2.0 * double(n)));
  };
  for (Index k = n_times - 2; k < n_times; ++k)
    for (Index i = 0; i < n_y; ++i)
      for (Index j = 0; j < n_x; ++j) {
        double value = 0.0;
        for (Index m = 0; m < n_y; ++m)
          for (Index l = 0; l < n_x; ++l)
            value += chebyshev(m, gauss_point(i, n_y)) * chebyshev(l, gauss_point(j, n_x)) *
                     entry(a, (k * n_y + m) * n_x + l);
        time = std::max(time, std::abs(value) / sizes.of(0));
      }
  for (int i = 0; i < 9; ++i)
    for (Index m = 0; m < n_y; ++m)
      for (Index l = 0; l < n_x; ++l) {
        double value = 0.0;
        for (Index k = 0; k < n_times; ++k) value += chebyshev(k, -1.0 + i / 4.0) * entry(a, (k * n_y + m) * n_x + l);
        if (m >= n_y - 3) along[0] = std::max(along[0], std::abs(value) / sizes.of(0));
        if (l >= n_x - 3) along[1] = std::max(along[1], std::abs(value) / sizes.of(0));
      }
  EXPECT_NEAR(tails.time, time, 1e-12 * time);
  EXPECT_EQ(tails.decay, (std::vector<std::vector<double>>{{}, {0.0}, {0.0}}));  // too few coefficients
  for (std::size_t d = 0; d < 2; ++d) {
    ASSERT_EQ(tails.space[d + 1].size(), 1u);
    EXPECT_NEAR(tails.space[d + 1][0], along[d], 1e-12 * along[d]);
  }
}

// Coefficients that fall by a constant factor per degree: it is found, and the degree it asks for is the one needed.
TEST(MeasureTails, FindTheDecayAlongAnAxis) {
  HandMade made(kPlane, {{40, {0.0, 1.0}}, {24, {0.0, 3.0}}});
  Array a(made.shape());
  const Index n_y = a.shape[1], n_x = a.shape[2];
  for (Index i = 0; i < n_y * n_x; ++i)  // the same at all times
    a.data[static_cast<std::size_t>(i)] = std::exp(-0.3 * double(i / n_x) - 0.5 * double(i % n_x));
  made.coefficients = {a};
  made.make_window();
  FieldScales sizes(made.model);
  sizes.update(made.window());
  const Tails tails = measure_tails(made.window(), sizes);
  EXPECT_NEAR(tails.decay[1][0], 0.3, 1e-9);
  EXPECT_NEAR(tails.decay[2][0], 0.5, 1e-9);
  std::vector<AxisDescription> subdomains = made.window().discretisation.subdomains();
  const int before = subdomains[1].degree;
  std::string limit;
  const double tolerance = tails.space[1][0] * std::exp(-0.3 * 20.0);
  ASSERT_TRUE(refine(made.model, tails, tolerance, Case::Resolution(), subdomains, limit));
  EXPECT_NEAR(subdomains[1].degree - before, 20 + std::log(2.0) / 0.3, 1.0);
}

// Coefficients exp(-sigma l) with sigma falling linearly in t: what is expected is what comes.
TEST(ExpectedTails, GoOnGrowing) {
  HandMade made(kPlane, {{40, {0.0, 1.0}}, {24, {0.0, 3.0}}});
  const Shape shape = made.shape();
  const Index n_times = shape[0], n_y = shape[1], n_x = shape[2];
  const auto along_y = [](double tau, Index m) { return std::exp(-(0.5 - 0.05 * tau) * double(m)); };
  // Chebyshev coefficients in t of these functions of tau, by the sum over the nodes.
  Array a(shape);
  for (Index m = 0; m < n_y; ++m)
    for (Index l = 0; l < n_x; ++l)
      for (Index k = 0; k < n_times; ++k) {
        double sum = 0.0;
        for (Index j = 0; j < n_times; ++j) {
          const double angle = M_PI * (double(j) + 0.5) / double(n_times);
          sum += along_y(std::cos(angle), m) * std::exp(-0.5 * double(l)) * std::cos(double(k) * angle);
        }
        a.data[static_cast<std::size_t>((k * n_y + m) * n_x + l)] = sum * (k == 0 ? 1.0 : 2.0) / double(n_times);
      }
  made.coefficients = {a};
  made.make_window();
  FieldScales sizes(made.model);
  sizes.update(made.window());
  const double h = made.window().end() - made.window().start(), size = sizes.of(0);
  const Tails expected = expected_tails(made.window(), sizes, 0.5 * h);  // tau = 2
  const auto first_of_last = static_cast<Index>(n_y - 3);
  EXPECT_NEAR(std::log(expected.space[1][0]), std::log(along_y(2.0, first_of_last) / size), 0.02);
  EXPECT_NEAR(expected.decay[1][0], 0.4, 1e-3);
  // What does not change is expected to stay; what is below round-off says nothing.
  EXPECT_NEAR(expected.space[2][0] * size, std::exp(-0.5 * double(n_x - 3)), 1e-6 * expected.space[2][0]);
  EXPECT_NEAR(expected.decay[2][0], 0.5, 1e-6);
}

TEST(MeasureTails, OfAnOrdinaryEquationHaveNoSpace) {
  HandMade made(kOrdinary);
  made.fill_at_random(5);
  FieldScales sizes(made.model);
  sizes.update(made.window());
  const Tails tails = measure_tails(made.window(), sizes);
  const Array& a = made.coefficients[0];
  EXPECT_NEAR(tails.time, std::max(std::abs(entry(a, 4)), std::abs(entry(a, 5))) / sizes.of(0), 1e-13);
  EXPECT_TRUE(tails.space[0].empty());
}

TEST(MeasureTails, NameTheWorst) {
  HandMade made(kLine, {{6, {0.0, 0.25, 0.5, 1.0}}});
  made.fill([](std::size_t f, Index k, Index subdomain, Index l) {
    if (k == 0 && l == 0) return 1.0;
    if (f == 1 && k == 0 && subdomain == 1 && l == 5) return 1e-3;
    return f == 0 && k == 5 && subdomain == 2 && l == 1 ? 1e-5 : 0.0;
  });
  FieldScales sizes(made.model);
  sizes.update(made.window());
  const Tails tails = measure_tails(made.window(), sizes);
  EXPECT_EQ(tails.worst_time, "u");
  EXPECT_NEAR(tails.time, 1e-5, 1e-9);
  EXPECT_EQ(tails.worst_space, "v along x, 0.25 to 0.5");
  EXPECT_NEAR(tails.space[1][1], 1e-3, 1e-6);
}

TEST(MeasureState, IsRelativeToTheLargestCoefficient) {
  const HandMade made(kLine, {{6, {0.0, 0.25, 1.0}}});
  Array u({1, 14}), v({1, 14});
  u.data[0] = -8.0;
  u.data[4] = 2e-3;  // one of the last three of the first subdomain
  u.data[3] = 5.0;   // none of them
  u.data[13] = -4e-5;
  v.data[7 + 4] = 1e-9;  // the only coefficient: as large as the field
  const Tails tails = measure_state(made.model, made.subdomains, {{u}, {v}});
  EXPECT_EQ(tails.time, 0.0);
  ASSERT_EQ(tails.space[1].size(), 2u);
  EXPECT_NEAR(tails.space[1][0], 2.5e-4, 1e-16);
  EXPECT_NEAR(tails.space[1][1], 1.0, 1e-15);
  EXPECT_EQ(tails.worst_space, "the initial value of v along x, 0.25 to 1");
  // A field that is zero has no tail.
  const Tails nothing = measure_state(made.model, made.subdomains, {{Array({1, 14})}, {Array({1, 14})}});
  EXPECT_EQ(nothing.space[1], (std::vector<double>{0.0, 0.0}));
}

TEST(LargestOf, TakesEachTailFromTheWorse) {
  const Tails a{1e-3, {{}, {1e-4, 1e-9}}, "ta", "xa"}, b{1e-5, {{}, {1e-6, 1e-2}}, "tb", "xb"};
  for (const Tails& both : {largest_of(a, b), largest_of(b, a)}) {
    EXPECT_EQ(both.time, 1e-3);
    EXPECT_EQ(both.worst_time, "ta");
    EXPECT_EQ(both.worst_space, "xb");
    EXPECT_EQ(both.space, (std::vector<std::vector<double>>{{}, {1e-4, 1e-2}}));
  }
}

}  // namespace
}  // namespace gwrm::step_control_test
