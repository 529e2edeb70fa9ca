// Where an automatic run refines and coarsens subdomains and degrees.
#include "problems/time_spectral/step_control.hpp"

#include "problems/hand_made.hpp"

namespace gwrm::subdomains_control_test {
namespace {

using test::expect_holds;
using test::HandMade;
using test::kLine;
using test::kPlane;
using test::series_of;

// ---- finer

Tails tails_of(std::vector<std::vector<double>> space) {
  return {0.0, std::move(space), "", ""};
}

TEST(Refine, HalvesTheSubdomainsThatAreAboveTheTolerance) {
  const HandMade made(kLine, {{8, {0.0, 0.25, 0.5, 1.0}}});
  std::vector<AxisDescription> subdomains = made.subdomains;
  std::string limit;
  EXPECT_TRUE(refine(made.model, tails_of({{}, {1e-5, 1e-9, 2e-6}}), 1e-6, {}, subdomains, limit));
  EXPECT_EQ(subdomains[1], (AxisDescription{8, {0.0, 0.125, 0.25, 0.5, 0.75, 1.0}}));
  EXPECT_EQ(subdomains[0], made.subdomains[0]);
  EXPECT_EQ(limit, "");

  subdomains = made.subdomains;
  EXPECT_FALSE(refine(made.model, tails_of({{}, {1e-6, 1e-9, 0.0}}), 1e-6, {}, subdomains, limit));
  EXPECT_EQ(subdomains, made.subdomains);
  EXPECT_EQ(limit, "");
}

TEST(Refine, SaysWhichLimitItMeetsInOneDimension) {
  const HandMade made(kLine, {{8, {0.0, 0.25, 0.5, 1.0}}});
  const auto limit_of = [&](const std::vector<double>& tails, const Case::Resolution& limits) {
    std::vector<AxisDescription> subdomains = made.subdomains;
    std::string limit;
    refine(made.model, tails_of({{}, tails}), 1e-6, limits, subdomains, limit);
    return limit;
  };
  Case::Resolution limits;
  limits.max_domains = 4;
  EXPECT_EQ(limit_of({1.0, 0.0, 0.0}, limits), "");
  expect_holds(limit_of({1.0, 1.0, 0.0}, limits), "3 subdomains along x are not enough (resolution.limits.domains)");

  const HandMade thin(kLine, {{8, {0.0, 0.5, 0.5 + 1.5e-7, 1.0}}});
  std::vector<AxisDescription> subdomains = thin.subdomains;
  std::string limit;
  refine(thin.model, tails_of({{}, {0.0, 1.0, 0.0}}), 1e-6, {}, subdomains, limit);
  expect_holds(limit, "not smooth near x = 0.5");
  expect_holds(limit, "length 1.5e-07");
}

TEST(Refine, OneSubdomainIsSingular) {
  const HandMade whole(kLine, {{8, {0.0, 1.0}}});
  std::vector<AxisDescription> subdomains = whole.subdomains;
  Case::Resolution limits;
  limits.max_domains = 1;
  std::string limit;
  refine(whole.model, tails_of({{}, {1.0}}), 1e-6, limits, subdomains, limit);
  expect_holds(limit, "1 subdomain along x is not enough (resolution.limits.domains)");
}

// The degrees of two and three dimensions grow to where geometric decay meets half the tolerance, at most twofold.
TEST(Refine, RaisesTheDegreeInSeveralDimensions) {
  const HandMade made(kPlane, {{10, {0.0, 3.0}}, {20, {0.0, 1.0}}});
  const auto degrees = [&](double along_y, double along_x, int most, std::string& limit) {
    Case::Resolution limits;
    limits.max_degree = most;
    std::vector<AxisDescription> subdomains = made.subdomains;
    limit.clear();
    EXPECT_TRUE(refine(made.model, tails_of({{}, {along_y}, {along_x}}), 5e-7, limits, subdomains, limit));
    for (std::size_t axis = 0; axis < subdomains.size(); ++axis)
      EXPECT_EQ(subdomains[axis].edges, made.subdomains[axis].edges);
    return std::pair(subdomains[1].degree, subdomains[2].degree);
  };
  std::string limit;
  // 2.5e-7 = (1e-5)^1.32
  EXPECT_EQ(degrees(1e-9, 1e-5, 256, limit), std::pair(10, 27));
  EXPECT_EQ(degrees(6e-7, 1e-9, 256, limit), std::pair(12, 20));  // by two at least
  EXPECT_EQ(degrees(1e-9, 6e-7, 256, limit), std::pair(10, 22));  // by a tenth at least
  EXPECT_EQ(degrees(1e-2, 0.9, 256, limit), std::pair(20, 40));   // at most twofold
  EXPECT_EQ(limit, "");
}

// Where a series would become too long, the subdomains above the tolerance are bisected, and all series become as short
// as the worst of the subdomains allows.
TEST(Refine, DividesAnAxisInSeveralDimensions) {
  const HandMade made(kPlane, {{10, {0.0, 3.0}}, {80, {0.0, 1.0, 2.0}}});
  const auto refined = [&](const Tails& tails, int most_degree, Index most_domains, std::string& limit) {
    Case::Resolution limits;
    limits.max_degree = most_degree;
    limits.max_domains = static_cast<int>(most_domains);
    std::vector<AxisDescription> subdomains = made.subdomains;
    limit.clear();
    EXPECT_TRUE(refine(made.model, tails, 1e-6, limits, subdomains, limit));
    EXPECT_EQ(subdomains[1], made.subdomains[1]);
    return subdomains[2];
  };
  std::string limit;
  // The first subdomain falls by 0.1 per degree: it needs ln(1e-4 / 5e-7) / 0.1 = 53 more, or 0.6 * 133 = 80 in halves;
  // the second has ln(5e-7 / 1e-8) / 0.5 = 7.8 to spare.
  Tails tails = tails_of({{}, {1e-9}, {1e-4, 1e-8}});
  tails.decay = {{}, {0.5}, {0.1, 0.5}};
  const AxisDescription divided = refined(tails, 640, 1000, limit);
  EXPECT_EQ(divided.edges, (std::vector<double>{0.0, 0.5, 1.0, 2.0}));
  EXPECT_EQ(divided.degree, 80);
  // A faster fall needs 5.3 / 0.6 = 8.8 more: longer series take 2 * 90 numbers, halves 3 * 73.
  tails.decay = {{}, {0.5}, {0.6, 0.5}};
  const AxisDescription longer = refined(tails, 640, 1000, limit);
  EXPECT_EQ(longer.edges, made.subdomains[2].edges);
  EXPECT_EQ(longer.degree, 89);
  EXPECT_EQ(limit, "");
  EXPECT_EQ(refined(tails, 85, 1000, limit).edges, divided.edges);  // longer than allowed
  EXPECT_EQ(limit, "");
  refined(tails, 85, 2, limit);
  expect_holds(limit, "2 subdomains along x are not enough (resolution.limits.domains)");
}

// ---- coarser

std::vector<double> coarsened_edges(HandMade& made, double tolerance) {
  FieldScales sizes(made.model);
  sizes.update(made.window());
  std::vector<AxisDescription> subdomains = made.subdomains;
  coarsen(made.model, made.windows, sizes, tolerance, subdomains);
  EXPECT_EQ(subdomains[1].degree, made.subdomains[1].degree);
  EXPECT_EQ(subdomains[0], made.subdomains[0]);
  return subdomains[1].edges;
}

// A window with exp(x), the same at all times.
void fill_smooth(HandMade& made) {
  made.fill([&](std::size_t, Index k, Index subdomain, Index l) {
    return k > 0 ? 0.0 : series_of([](double x) { return std::exp(x); }, made.subdomains[1], subdomain, l);
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

// 1/4 .. 1/2 and 1/2 .. 3/4 are equally long, but halves of different intervals; so are subdomains of different length.
TEST(Coarsen, MergesNoOthers) {
  HandMade made(kLine, {{16, {0.0, 0.125, 0.25, 0.5, 0.75, 1.0}}});
  made.fill([&](std::size_t, Index k, Index subdomain, Index l) {  // kinks between all siblings
    return k > 0 ? 0.0
                 : series_of([](double x) { return std::abs(x - 0.125) + std::abs(x - 0.25) + std::abs(x - 0.75); },
                             made.subdomains[1], subdomain, l);
  });
  EXPECT_EQ(coarsened_edges(made, 1e-8), made.subdomains[1].edges);
}

TEST(Coarsen, KeepsTheEdgesOfTheCase) {
  HandMade made(test::replaced(kLine, "x: 16}", "x: 16}, domains: {x: [0, 0.25, 0.5, 1]}"),
                {{16, {0.0, 0.25, 0.5, 0.75, 1.0}}});
  fill_smooth(made);
  EXPECT_EQ(coarsened_edges(made, 1e-8), (std::vector<double>{0.0, 0.25, 0.5, 1.0}));
}

// Only the end of the window counts: the next one starts there. The front of u is gone by then, that of v just came.
TEST(Coarsen, JudgesTheEndOfTheWindow) {
  const auto front = [](double x) { return std::tanh(40.0 * (x - 0.5)); };
  for (const bool at_end : {false, true}) {
    HandMade made(kLine, {{16, {0.0, 0.5, 1.0}}});
    made.fill([&](std::size_t f, Index k, Index subdomain, Index l) {  // (1 -+ t) / 2, t in [-1, 1], times the front
      if (k > 1) return 0.0;
      const double share = k == 0 ? 0.5 : at_end ? 0.5 : -0.5;
      return (f == 0 ? share : share * 1e-3) * series_of(front, made.subdomains[1], subdomain, l);
    });
    EXPECT_EQ(coarsened_edges(made, 1e-6).size(), at_end ? 3u : 2u);
  }
}

// 3e-6 in the coefficient that the merged expansion ends with is too much for a tolerance of 1e-4 (0.02 of it), not
// for one of 1e-3.
TEST(Coarsen, HasATighterToleranceThanRefine) {
  HandMade made(kLine, {{16, {0.0, 0.5, 1.0}}});
  made.fill([&](std::size_t, Index k, Index subdomain, Index l) {
    const auto f = [](double x) { return 1.0 + 3e-6 * std::cos(16.0 * std::acos(2.0 * x - 1.0)); };
    return k > 0 ? 0.0 : series_of(f, made.subdomains[1], subdomain, l);
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
    FieldScales sizes(made.model);
    sizes.update(made.window());
    std::vector<AxisDescription> subdomains = made.subdomains;
    coarsen(made.model, made.windows, sizes, 1e-6, subdomains);
    return std::pair(subdomains[1].degree, subdomains[2].degree);
  };
  EXPECT_EQ(coarsened(20, 40, 5, 5), std::pair(16, 32));
  EXPECT_EQ(coarsened(20, 40, 15, 5), std::pair(20, 32));  // among what would become the last modes
  EXPECT_EQ(coarsened(20, 40, 5, 35), std::pair(16, 40));
  EXPECT_EQ(coarsened(13, 11, 5, 5), std::pair(12, 10));
  EXPECT_EQ(coarsened(12, 10, 5, 5), std::pair(12, 10));
}

}  // namespace
}  // namespace gwrm::subdomains_control_test
