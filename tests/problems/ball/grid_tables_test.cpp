// Products on points by lists of matrix products (what a device does, here in loops) against the terms as the CPU forms
// them, which other tests hold against polynomials; and the factors of the diffusion against its equations.
#include "problems/ball/grid_tables.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "problems/ball/ball_terms.hpp"
#include "problems/ball/evolving_terms.hpp"
#include "problems/ball/krylov_memory.hpp"
#include "problems/ball/point_products.hpp"
#include "problems/ball/symmetric_factors.hpp"
#include "run_case.hpp"

namespace gwrm::test::grid_tables_test {
namespace {

using namespace ball;

std::vector<double> numbers(Index n, double seed) {
  std::vector<double> values;
  for (Index i = 0; i < n; ++i) values.push_back(std::cos(seed * static_cast<double>((i + 1) * (i + 3))));
  return values;
}

class Lists {
 public:
  Lists(const BallModel& model, const BallSpace& space, GridProducts products)
      : products_(std::move(products)), tables_(space, model.section().radius, products_), space_(space) {}

  // What of x (nodes x unknowns) stands on points: values, [component][angles][node][r].
  std::vector<double> to_points(const std::vector<double>& x, Index n_nodes) const {
    const GridTables::Lists lists = tables_.to_points(n_nodes);
    const double* const tables = tables_.numbers().data();
    std::vector<double> stage = poisoned(tables_.sizes().stage() * n_nodes),
                        rows = poisoned(tables_.sizes().rows() * n_nodes),
                        values = poisoned(tables_.sizes().values() * n_nodes);
    lists.radius.apply(x.data(), tables, false, stage.data());
    lists.polar.apply(tables, stage.data(), false, rows.data());
    lists.azimuth.apply(tables, rows.data(), false, values.data());
    return values;
  }
  // <phi, a x b>, or that with given vectors in the place of a.
  std::vector<double> tested(const std::vector<double>& a, const std::vector<double>& b, Index n_nodes) const {
    const GridSizes& sizes = tables_.sizes();
    const auto n = static_cast<std::size_t>(sizes.n_points() * n_nodes);
    std::vector<double> results(static_cast<std::size_t>(sizes.results() * n_nodes), 0.0);
    std::vector<std::size_t> first;
    std::size_t component = 0;
    for (const GridField& field : products_.fields) {
      first.push_back(component);
      component += static_cast<std::size_t>(field.n_components());
    }
    const auto n_radii = static_cast<std::size_t>(sizes.n_radii), nodes = static_cast<std::size_t>(n_nodes);
    for (const GridProduct& product : products_.products)
      for (std::size_t i = 0; i < n; ++i) {
        const auto of = [&](const std::vector<double>& values, std::size_t k) { return values[k * n + i]; };
        PointVector left;
        if (product.from == GridProduct::Left::given) {
          const Components& given = products_.given[product.left];
          const std::size_t at = i / (nodes * n_radii) * n_radii + i % n_radii;
          left = {given[0][at], given[1][at], given[2][at]};
        } else {
          const std::size_t k = first[product.left];
          left = {of(a, k), of(a, k + 1), of(a, k + 2)};
        }
        const std::size_t k = first[product.right];
        const PointVector result =
            products_.fields[product.right].n_components() == 1
                ? product.factor * of(b, k) * left
                : product.factor * cross(left, PointVector{of(b, k), of(b, k + 1), of(b, k + 2)});
        results[3 * product.target * n + i] += result.r;
        results[(3 * product.target + 1) * n + i] += result.theta;
        results[(3 * product.target + 2) * n + i] += result.phi;
      }
    const GridTables::Lists lists = tables_.from_points(n_nodes);
    const double* const tables = tables_.numbers().data();
    std::vector<double> stage = poisoned(sizes.stage() * n_nodes), rows = poisoned(sizes.rows() * n_nodes),
                        y(static_cast<std::size_t>(n_nodes * space_.unknowns().size()), 0.0);
    lists.azimuth.apply(tables, results.data(), false, rows.data());
    lists.polar.apply(tables, rows.data(), false, stage.data());
    lists.radius.apply(stage.data(), tables, true, y.data());
    return y;
  }

 private:
  // What is read before it is written shows.
  static std::vector<double> poisoned(Index n) {
    return std::vector<double>(static_cast<std::size_t>(n), std::nan(""));
  }

  GridProducts products_;
  GridTables tables_;
  const BallSpace& space_;
};

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  double size = 0.0, worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_TRUE(std::isfinite(a[i])) << i;
    size = std::max(size, std::abs(b[i]));
    worst = std::max(worst, std::abs(a[i] - b[i]));
  }
  EXPECT_GT(size, 1e-6);
  EXPECT_LE(worst, 1e-13 * size);
}

std::string case_of(double radius, const std::string& m, const std::string& velocity, const std::string& more) {
  return fmt::format(R"yaml(
problem: ball
domain: {{t: [0, 1]}}
ball:
  radius: {}
  degree: {{t: 3, r: 6, l: 5, m: {}}}
  fields:
    Theta: {{kind: scalar, boundary: slope}}
    {}
    C: {{kind: scalar}}
    B: {{kind: magnetic, boundary: insulating, lorentz: 0.7}}
{}
)yaml",
                     radius, m, velocity, more);
}

constexpr const char* kVelocity = "U: {kind: velocity, boundary: no_slip}";
constexpr const char* kProducts = "  terms: [advection, induction, inertia, lorentz]";
constexpr const char* kFlow = R"yaml(
  flow: {toroidal: {"2,1": "r^3"}, poloidal: {"1,0": "r^2*(1.69 - r^2)"}, factor: 2}
  terms: [induction, advection])yaml";

constexpr Index kNodes = 3;

TEST(BallGridTables, LinearTermsAreThoseOfTheCpu) {
  for (const auto& [m, rotates] : {std::pair{"0", false},
                                   {"2", false},
                                   {"5", false},
                                   {"[0, 1, 3, 4]", false},
                                   {"[2, 3]", false},
                                   {"0", true},
                                   {"3", true},
                                   {"5", true},
                                   {"[0, 2, 4]", true},
                                   {"[4]", true}}) {
    const Case the_case = read_case_text(
        rotates ? case_of(1.3, m, kVelocity, "  rotation: 3\n  terms: [coriolis]") : case_of(1.3, m, "", kFlow),
        "test.yaml");
    const BallModel model(the_case);
    const BallSpace space(model.parts(), model.degrees());
    const BallTerms terms(model, space);
    const Lists lists(model, space, terms.products());
    const Index n = space.unknowns().size();
    const std::vector<double> x = numbers(kNodes * n, 0.37);
    std::vector<double> expected(x.size());
    for (Index j = 0; j < kNodes; ++j) terms.apply(x.data() + j * n, expected.data() + j * n);
    expect_near(lists.tested({}, lists.to_points(x, kNodes), kNodes), expected);
  }
}

class BallGridProducts : public testing::TestWithParam<const char*> {};

TEST_P(BallGridProducts, AndTheirDerivativeAreThoseOfTheCpu) {
  const Case the_case = read_case_text(case_of(1.3, GetParam(), kVelocity, kProducts), "test.yaml");
  const BallModel model(the_case);
  const BallSpace space(model.parts(), model.degrees());
  const EvolvingTerms terms(model, space);
  const Lists lists(model, space, terms.products());
  const Index n = space.unknowns().size();
  const std::vector<double> x = numbers(n, 0.37), v = numbers(n, 0.53);
  const auto n_series = static_cast<std::size_t>(space.series().size());
  std::vector<double> e(n_series), of_v(n_series), moments(n_series, 0.0), slopes(n_series, 0.0), expected(x.size()),
      derivative(x.size());
  space.to_series(x.data(), e.data());
  space.to_series(v.data(), of_v.data());
  const EvolvingTerms::Values at = terms.on_points(e.data());
  terms.add_moments(at, 0.0, moments.data());
  space.test(moments.data(), expected.data());
  terms.add_derivative(at, terms.reaction_slopes(at, 0.0), terms.on_points(of_v.data()), slopes.data());
  space.test(slopes.data(), derivative.data());
  const std::vector<double> here = lists.to_points(x, 1), along = lists.to_points(v, 1);
  expect_near(lists.tested(here, here, 1), expected);
  std::vector<double> both = lists.tested(here, along, 1);
  const std::vector<double> other = lists.tested(along, here, 1);
  for (std::size_t i = 0; i < both.size(); ++i) both[i] += other[i];
  expect_near(both, derivative);
}

INSTANTIATE_TEST_SUITE_P(Orders, BallGridProducts, testing::Values("4", "[0, 2, 4]"));

// Vectors and fields on points together keep to the bound where the fields leave room for the fewest iterations.
TEST(BallKrylovMemory, KeepsToItsBound) {
  const auto memory = [](const std::string& yaml) {
    const Case the_case = read_case_text(yaml, "test.yaml");
    const BallModel model(the_case);
    const BallSpace space(model.parts(), model.degrees());
    return KrylovMemory(space, BallTerms(model, space), EvolvingTerms(model, space));
  };
  const KrylovMemory induction = memory(R"yaml(
problem: ball
domain: {t: [0, 1]}
ball:
  degree: {t: 8, r: 15, l: 18, m: 18}
  fields: {B: {kind: magnetic, boundary: insulating}}
  flow: {toroidal: {"2,0": "r^2*sin(pi*r)"}}
  terms: [induction]
)yaml");
  EXPECT_LE(induction.vectors(), KrylovMemory::kMostVectors);
  EXPECT_GE(induction.cycle(), 20);
  EXPECT_GE(induction.nodes_together(), 1);
  const KrylovMemory products = memory(case_of(1.0, "5", kVelocity, kProducts));
  EXPECT_GE(products.cycle(), KrylovMemory::kFewestCycle);
  EXPECT_LT(products.cycle(), induction.cycle());
}

TEST(BallSymmetricFactors, SolveTheirSystems) {
  using Number = std::complex<double>;
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{9}})
    for (const std::size_t bands : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
      std::array<std::vector<Number>, 3> diagonals;
      for (std::size_t d = 0; d < bands; ++d)
        for (std::size_t i = 0; i < n; ++i)
          diagonals[d].emplace_back((d == 0 ? 4.0 : 0.8) + std::cos(static_cast<double>(i + 3 * d)),
                                    (d == 0 ? 1.0 : 0.3) + 0.2 * std::sin(static_cast<double>(2 * i + d)));
      std::vector<Number> truth, x(n, 0.0);
      for (std::size_t i = 0; i < n; ++i) truth.emplace_back(std::sin(1.0 + static_cast<double>(i)), 0.5);
      for (std::size_t d = 0; d < bands; ++d)
        for (std::size_t i = 0; i + d < n; ++i) {
          x[i] += diagonals[d][i] * truth[i + d];
          if (d > 0) x[i + d] += diagonals[d][i] * truth[i];
        }
      const SymmetricFactors factors = symmetric_factors(diagonals);
      ASSERT_TRUE(factors.regular);
      solve(factors, x.data());
      for (std::size_t i = 0; i < n; ++i) EXPECT_LE(std::abs(x[i] - truth[i]), 1e-14) << n << " " << bands;
    }
  EXPECT_FALSE(symmetric_factors({std::vector<Number>{1.0, 1.0}, {1.0, 0.0}, {}}).regular);
}

}  // namespace
}  // namespace gwrm::test::grid_tables_test
