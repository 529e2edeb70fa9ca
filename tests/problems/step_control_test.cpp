// What an automatic run decides from a window: hand-made windows, their tails by the definition.
#include "problems/time_spectral/step_control.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include "problems/run_case.hpp"

namespace gwrm {
namespace {

using test::expect_holds;

const std::string kLine = R"yaml(
domain: {t: [0, 2], x: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) = dx(u,2)", "dt(v) = v"]
initial: {u: "0", v: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 5, x: 16}}
)yaml";

const std::string kPlane = R"yaml(
domain: {t: [0, 2], x: [0, 1], y: [0, 3]}
unknowns: [u]
equations: ["dt(u) = lap(u)"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=3) = 0"]
resolution: {degree: {t: 5, x: 10, y: 12}}
)yaml";

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

// A window whose fields have these Chebyshev coefficients.
struct HandMade {
  Context context = Context::create(BackendChoice::cpu, 1);
  Model model;
  SystemPlan plan;
  std::vector<AxisPieces> pieces;
  std::vector<Array> coefficients;
  std::vector<std::unique_ptr<Window>> windows;  // one

  HandMade(const std::string& yaml, const std::vector<AxisPieces>& space)
      : model(build_model(read_case_text(yaml, "test.yaml"))), plan(model), pieces(model.pieces) {
    for (std::size_t i = 0; i < space.size(); ++i) pieces[i + 1] = space[i];  // time is the first axis
  }
  explicit HandMade(const std::string& yaml) : HandMade(yaml, {}) {}

  Shape shape() const {
    Shape extents;
    for (const AxisPieces& of_axis : pieces) extents.push_back(of_axis.n_coefficients());
    return extents;
  }

  void fill_at_random(unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (std::size_t f = 0; f < model.fields.size(); ++f) {
      coefficients.emplace_back(shape());
      for (double& value : coefficients.back().data) value = uniform(random);
    }
    make_window();
  }

  // Each field gets a(piece, l) along x for the k-th coefficient in t.
  void fill(const std::function<double(std::size_t field, Index k, Index piece, Index l)>& a) {
    for (std::size_t f = 0; f < model.fields.size(); ++f) {
      coefficients.emplace_back(shape());
      const Index n = pieces[1].degree + 1, n_space = pieces[1].n_coefficients();
      for (Index i = 0; i < coefficients.back().size(); ++i)
        coefficients.back().data[static_cast<std::size_t>(i)] = a(f, i / n_space, i % n_space / n, i % n);
    }
    make_window();
  }

  Window& window() { return *windows.front(); }

  void make_window() {
    State state;  // sum over k of (-1)^k a_k
    for (const Array& a : coefficients) {
      Shape extents = a.shape;
      extents[0] = 1;
      Array start(extents);
      for (Index i = 0; i < a.size(); ++i)
        start.data[static_cast<std::size_t>(i % start.size())] +=
            (i / start.size() % 2 == 0 ? 1.0 : -1.0) * a.data[static_cast<std::size_t>(i)];
      state.push_back({start});
    }
    windows.push_back(std::make_unique<Window>(context, model, plan, pieces, std::vector<double>(pieces.size(), 0.0),
                                               0.0, 0.5, std::move(state)));
    window().x = unknowns_from(window().system, coefficients);
  }
};

double entry(const Array& a, Index i) {
  return a.data[static_cast<std::size_t>(i)];
}

// Coefficient l on a piece, by the sum over 256 Gauss points.
double series_of(const std::function<double(double)>& f, const AxisPieces& pieces, Index piece, Index l) {
  const double lower = pieces.edges[static_cast<std::size_t>(piece)];
  const double upper = pieces.edges[static_cast<std::size_t>(piece) + 1];
  double sum = 0.0;
  for (int i = 0; i < 256; ++i) {
    const double angle = (i + 0.5) * std::numbers::pi / 256.0;
    sum += f(0.5 * (lower + upper) + 0.5 * (upper - lower) * std::cos(angle)) *
           std::cos(static_cast<double>(l) * angle);
  }
  return (l == 0 ? 1.0 : 2.0) * sum / 256.0;
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

TEST(FieldSizes, AreTheLargestRootOfTheSumOfSquaresPerPiece) {
  HandMade made(kLine, {{4, {0.0, 0.25, 0.5, 1.0}}});
  made.fill([](std::size_t f, Index k, Index piece, Index l) {
    return f == 0 ? (k == 0 && l <= 1 ? 3.0 + 1.0 * static_cast<double>(l) : 0.0) : (k == 1 && l == 0 && piece == 1 ? 1e-9 : 0.0);
  });
  FieldSizes sizes(made.model);
  EXPECT_EQ(sizes.of(0), 1.0);  // nothing seen
  sizes.see(made.window());
  EXPECT_NEAR(sizes.of(0), 5.0, 1e-13);   // 3, 4 on every piece
  EXPECT_NEAR(sizes.of(1), 5e-6, 1e-15);  // at least a millionth of the largest
  std::vector<Array> smaller = made.coefficients;
  for (double& value : smaller[0].data) value *= 0.1;
  sizes.see(made.model, smaller, made.pieces);
  EXPECT_NEAR(sizes.of(0), 5.0, 1e-13);
}

TEST(MeasureTails, OfALineAreThoseOfTheDefinition) {
  HandMade made(kLine, {{6, {0.0, 0.3, 0.5, 1.0}}});
  made.fill_at_random(3);
  FieldSizes sizes(made.model);
  sizes.see(made.window());
  const Tails tails = measure_tails(made.window(), sizes);

  const Index n_times = 6, n = 7, n_space = 21;
  double time = 0.0;
  std::vector<double> space(3, 0.0);
  for (int f = 0; f < 2; ++f) {
    const Array& a = made.coefficients[static_cast<std::size_t>(f)];
    for (Index piece = 0; piece < 3; ++piece) {
      for (Index k = n_times - 2; k < n_times; ++k) {
        double sum = 0.0;
        for (Index l = 0; l < n; ++l) sum += std::abs(entry(a, k * n_space + piece * n + l));
        time = std::max(time, sum / sizes.of(f));
      }
      for (int i = 0; i < 9; ++i)
        for (Index l = n - 3; l < n; ++l) {
          double value = 0.0;
          for (Index k = 0; k < n_times; ++k)
            value += chebyshev(k, -1.0 + i / 4.0) * entry(a, k * n_space + piece * n + l);
          double& of_piece = space[static_cast<std::size_t>(piece)];
          of_piece = std::max(of_piece, std::abs(value) / sizes.of(f));
        }
    }
  }
  EXPECT_NEAR(tails.time, time, 1e-12 * time);
  ASSERT_EQ(tails.space.size(), 2u);
  EXPECT_TRUE(tails.space[0].empty());
  ASSERT_EQ(tails.space[1].size(), 3u);
  for (std::size_t p = 0; p < 3; ++p) EXPECT_NEAR(tails.space[1][p], space[p], 1e-12 * space[p]) << p;
}

// In two dimensions time counts by the root of the sum of squares, space along each axis.
TEST(MeasureTails, OfAPlane) {
  HandMade made(kPlane, {{4, {0.0, 1.0}}, {6, {0.0, 3.0}}});
  made.fill_at_random(4);
  FieldSizes sizes(made.model);
  sizes.see(made.window());
  const Tails tails = measure_tails(made.window(), sizes);
  const Array& a = made.coefficients[0];
  // The program's order is t, y, x.
  ASSERT_EQ(made.model.axes[1].name, "y");
  const Index n_y = a.shape[1], n_x = a.shape[2], n_times = a.shape[0];
  double time = 0.0;
  std::vector<double> along(2, 0.0);
  for (Index k = n_times - 2; k < n_times; ++k) {
    double sum = 0.0;
    for (Index i = 0; i < n_y * n_x; ++i) sum += entry(a, k * n_y * n_x + i) * entry(a, k * n_y * n_x + i);
    time = std::max(time, std::sqrt(sum) / sizes.of(0));
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
  for (std::size_t d = 0; d < 2; ++d) {
    ASSERT_EQ(tails.space[d + 1].size(), 1u);
    EXPECT_NEAR(tails.space[d + 1][0], along[d], 1e-12 * along[d]);
  }
}

TEST(MeasureTails, OfAnOrdinaryEquationHaveNoSpace) {
  HandMade made(kOrdinary);
  made.fill_at_random(5);
  FieldSizes sizes(made.model);
  sizes.see(made.window());
  const Tails tails = measure_tails(made.window(), sizes);
  const Array& a = made.coefficients[0];
  EXPECT_NEAR(tails.time, std::max(std::abs(entry(a, 4)), std::abs(entry(a, 5))) / sizes.of(0), 1e-13);
  EXPECT_TRUE(tails.space[0].empty());
}

TEST(MeasureTails, NameTheWorst) {
  HandMade made(kLine, {{6, {0.0, 0.25, 0.5, 1.0}}});
  made.fill([](std::size_t f, Index k, Index piece, Index l) {
    if (k == 0 && l == 0) return 1.0;
    if (f == 1 && k == 0 && piece == 1 && l == 5) return 1e-3;
    return f == 0 && k == 5 && piece == 2 && l == 1 ? 1e-5 : 0.0;
  });
  FieldSizes sizes(made.model);
  sizes.see(made.window());
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
  u.data[4] = 2e-3;  // one of the last three of the first piece
  u.data[3] = 5.0;   // none of them
  u.data[13] = -4e-5;
  v.data[7 + 4] = 1e-9;  // the only coefficient: as large as the field
  const Tails tails = measure_state(made.model, made.pieces, {{u}, {v}});
  EXPECT_EQ(tails.time, 0.0);
  ASSERT_EQ(tails.space[1].size(), 2u);
  EXPECT_NEAR(tails.space[1][0], 2.5e-4, 1e-16);
  EXPECT_NEAR(tails.space[1][1], 1.0, 1e-15);
  EXPECT_EQ(tails.worst_space, "the initial value of v along x, 0.25 to 1");
  // A field that is zero has no tail.
  const Tails nothing = measure_state(made.model, made.pieces, {{Array({1, 14})}, {Array({1, 14})}});
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

// ---- finer

Tails tails_of(std::vector<std::vector<double>> space) {
  return {0.0, std::move(space), "", ""};
}

TEST(Refine, HalvesTheSubdomainsThatAreAboveTheTolerance) {
  const HandMade made(kLine, {{8, {0.0, 0.25, 0.5, 1.0}}});
  std::vector<AxisPieces> pieces = made.pieces;
  std::string limit;
  EXPECT_TRUE(refine(made.model, tails_of({{}, {1e-5, 1e-9, 2e-6}}), 1e-6, {}, pieces, limit));
  EXPECT_EQ(pieces[1], (AxisPieces{8, {0.0, 0.125, 0.25, 0.5, 0.75, 1.0}}));
  EXPECT_EQ(pieces[0], made.pieces[0]);
  EXPECT_EQ(limit, "");

  pieces = made.pieces;
  EXPECT_FALSE(refine(made.model, tails_of({{}, {1e-6, 1e-9, 0.0}}), 1e-6, {}, pieces, limit));
  EXPECT_EQ(pieces, made.pieces);
  EXPECT_EQ(limit, "");
}

TEST(Refine, SaysWhichLimitItMeetsInOneDimension) {
  const HandMade made(kLine, {{8, {0.0, 0.25, 0.5, 1.0}}});
  const auto limit_of = [&](const std::vector<double>& tails, const Case::Resolution& limits) {
    std::vector<AxisPieces> pieces = made.pieces;
    std::string limit;
    refine(made.model, tails_of({{}, tails}), 1e-6, limits, pieces, limit);
    return limit;
  };
  Case::Resolution limits;
  limits.max_domains = 4;
  EXPECT_EQ(limit_of({1.0, 0.0, 0.0}, limits), "");
  expect_holds(limit_of({1.0, 1.0, 0.0}, limits), "3 subdomains along x are not enough (resolution.limits.domains)");

  const HandMade thin(kLine, {{8, {0.0, 0.5, 0.5 + 1.5e-7, 1.0}}});
  std::vector<AxisPieces> pieces = thin.pieces;
  std::string limit;
  refine(thin.model, tails_of({{}, {0.0, 1.0, 0.0}}), 1e-6, {}, pieces, limit);
  expect_holds(limit, "not smooth near x = 0.5");
  expect_holds(limit, "length 1.5e-07");
}

// The degrees of two and three dimensions grow to where geometric decay meets half the tolerance, at most twofold.
TEST(Refine, RaisesTheDegreeInSeveralDimensions) {
  const HandMade made(kPlane, {{10, {0.0, 3.0}}, {20, {0.0, 1.0}}});
  const auto degrees = [&](double along_y, double along_x, int most, std::string& limit) {
    Case::Resolution limits;
    limits.max_degree = most;
    std::vector<AxisPieces> pieces = made.pieces;
    limit.clear();
    EXPECT_TRUE(refine(made.model, tails_of({{}, {along_y}, {along_x}}), 5e-7, limits, pieces, limit));
    for (std::size_t axis = 0; axis < pieces.size(); ++axis) EXPECT_EQ(pieces[axis].edges, made.pieces[axis].edges);
    return std::pair(pieces[1].degree, pieces[2].degree);
  };
  std::string limit;
  // 2.5e-7 = (1e-5)^1.32
  EXPECT_EQ(degrees(1e-9, 1e-5, 256, limit), std::pair(10, 27));
  EXPECT_EQ(degrees(6e-7, 1e-9, 256, limit), std::pair(12, 20));  // by two at least
  EXPECT_EQ(degrees(1e-9, 6e-7, 256, limit), std::pair(10, 22));  // by a tenth at least
  EXPECT_EQ(degrees(1e-2, 0.9, 256, limit), std::pair(20, 40));   // at most twofold
  EXPECT_EQ(limit, "");
  EXPECT_EQ(degrees(1e-9, 0.9, 25, limit), std::pair(10, 25));  // up to the limit
  EXPECT_EQ(limit, "");
  EXPECT_EQ(degrees(1e-9, 0.9, 20, limit), std::pair(10, 20));  // which is used up now
  expect_holds(limit, "degree 20 along x is not enough (resolution.limits.degree)");
}

// ---- coarser

std::vector<double> coarsened_edges(HandMade& made, double tolerance) {
  FieldSizes sizes(made.model);
  sizes.see(made.window());
  std::vector<AxisPieces> pieces = made.pieces;
  coarsen(made.model, made.windows, sizes, tolerance, pieces);
  EXPECT_EQ(pieces[1].degree, made.pieces[1].degree);
  EXPECT_EQ(pieces[0], made.pieces[0]);
  return pieces[1].edges;
}

// A window with exp(x), the same at all times.
void fill_smooth(HandMade& made) {
  made.fill([&](std::size_t, Index k, Index piece, Index l) {
    return k > 0 ? 0.0 : series_of([](double x) { return std::exp(x); }, made.pieces[1], piece, l);
  });
}

TEST(Coarsen, MergesSiblingsOneLevelAtATime) {
  HandMade made(kLine, {{16, {0.0, 0.25, 0.5, 0.625, 0.75, 1.0}}});
  fill_smooth(made);
  EXPECT_EQ(coarsened_edges(made, 1e-8), (std::vector<double>{0.0, 0.5, 0.75, 1.0}));
  HandMade next(kLine, {{16, {0.0, 0.5, 0.75, 1.0}}});
  fill_smooth(next);
  EXPECT_EQ(coarsened_edges(next, 1e-8), (std::vector<double>{0.0, 0.5, 1.0}));
  HandMade last(kLine, {{16, {0.0, 0.5, 1.0}}});
  fill_smooth(last);
  EXPECT_EQ(coarsened_edges(last, 1e-8), (std::vector<double>{0.0, 1.0}));
}

// 1/4 .. 1/2 and 1/2 .. 3/4 are equally long, but halves of different intervals; so are pieces of different length.
TEST(Coarsen, MergesNoOthers) {
  HandMade made(kLine, {{16, {0.0, 0.125, 0.25, 0.5, 0.75, 1.0}}});
  made.fill([&](std::size_t, Index k, Index piece, Index l) {  // kinks between all siblings
    return k > 0 ? 0.0
                 : series_of([](double x) { return std::abs(x - 0.125) + std::abs(x - 0.25) + std::abs(x - 0.75); },
                             made.pieces[1], piece, l);
  });
  EXPECT_EQ(coarsened_edges(made, 1e-8), made.pieces[1].edges);
}

TEST(Coarsen, KeepsTheEdgesOfTheCase) {
  HandMade made(test::replaced(kLine, "x: 16}", "x: 16}, domains: {x: [0, 0.25, 0.5, 1]}"), {{16, {0.0, 0.25, 0.5, 0.75, 1.0}}});
  fill_smooth(made);
  EXPECT_EQ(coarsened_edges(made, 1e-8), (std::vector<double>{0.0, 0.25, 0.5, 1.0}));
}

// Only the end of the window counts: the next one starts there. The front of u is gone by then, that of v just came.
TEST(Coarsen, JudgesTheEndOfTheWindow) {
  const auto front = [](double x) { return std::tanh(40.0 * (x - 0.5)); };
  for (const bool at_end : {false, true}) {
    HandMade made(kLine, {{16, {0.0, 0.5, 1.0}}});
    made.fill([&](std::size_t f, Index k, Index piece, Index l) {  // (1 -+ t) / 2, t in [-1, 1], times the front
      if (k > 1) return 0.0;
      const double share = k == 0 ? 0.5 : at_end ? 0.5 : -0.5;
      return (f == 0 ? share : share * 1e-3) * series_of(front, made.pieces[1], piece, l);
    });
    EXPECT_EQ(coarsened_edges(made, 1e-6).size(), at_end ? 3u : 2u);
  }
}

// 3e-6 in the coefficient that the merged expansion ends with is too much for a tolerance of 1e-4 (0.02 of it), not
// for one of 1e-3.
TEST(Coarsen, HasATighterToleranceThanRefine) {
  HandMade made(kLine, {{16, {0.0, 0.5, 1.0}}});
  made.fill([&](std::size_t, Index k, Index piece, Index l) {
    const auto f = [](double x) { return 1.0 + 3e-6 * std::cos(16.0 * std::acos(2.0 * x - 1.0)); };
    return k > 0 ? 0.0 : series_of(f, made.pieces[1], piece, l);
  });
  EXPECT_EQ(coarsened_edges(made, 1e-4).size(), 3u);
  EXPECT_EQ(coarsened_edges(made, 1e-3).size(), 2u);
}

// The degree falls by a fifth where the coefficients are small enough, not below that of the case (10 along x, 12
// along y).
TEST(Coarsen, LowersTheDegreeInSeveralDimensions) {
  const auto coarsened = [](int degree_y, int degree_x, Index last_y, Index last_x) {
    HandMade made(kPlane, {{degree_y, {0.0, 3.0}}, {degree_x, {0.0, 1.0}}});
    made.coefficients.emplace_back(made.shape());
    Array& a = made.coefficients.back();
    a.data[0] = 1.0;
    a.data[static_cast<std::size_t>(last_y * a.shape[2])] = 1e-6;
    a.data[static_cast<std::size_t>(last_x)] = 1e-6;
    made.make_window();
    FieldSizes sizes(made.model);
    sizes.see(made.window());
    std::vector<AxisPieces> pieces = made.pieces;
    coarsen(made.model, made.windows, sizes, 1e-6, pieces);
    return std::pair(pieces[1].degree, pieces[2].degree);
  };
  EXPECT_EQ(coarsened(20, 40, 5, 5), std::pair(16, 32));
  EXPECT_EQ(coarsened(20, 40, 15, 5), std::pair(20, 32));  // among what would become the last modes
  EXPECT_EQ(coarsened(20, 40, 5, 35), std::pair(16, 40));
  EXPECT_EQ(coarsened(13, 11, 5, 5), std::pair(12, 10));
  EXPECT_EQ(coarsened(12, 10, 5, 5), std::pair(12, 10));
}

}  // namespace
}  // namespace gwrm
