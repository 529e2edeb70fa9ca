// What an iteration of GMRES sends between ranks, as counted where messages are sent, against the closed form of
// window_layouts.hpp: to the byte (weighted_residual.ranks_*).
#include <gtest/gtest.h>

#include <cmath>

#include "core/ranks_of_launcher.hpp"
#include "weighted_residual/assembled.hpp"
#include "weighted_residual/preconditioner/shared_average.hpp"

namespace gwrm::shared_bytes_test {
namespace {

using test::Assembled;

// No conditions; nodes in time, their modes, blocks of columns and points are multiples of four.
TEST(SharedBytes, OfAnIterationAreThoseOfTheFormula) {
  const std::unique_ptr<Communicator> ranks = ranks_of_launcher().communicator();
  Assembled one(R"yaml(schema: 1
domain: {t: [0, 0.3], x: [0, 1], y: [0, 2]}
unknowns: [u]
equations: ["dt(u) = -u^2 + x*y*u"]
initial: {u: "1 + x*y"}
resolution: {degree: {t: 8, x: 31, y: 15}}
solver: {linear: tensor}
)yaml");
  SharedWindow window(one.system, *ranks);
  SharedAverage average(one.system, window, *ranks);
  const std::vector<double> whole(static_cast<std::size_t>(one.system.size()), 0.5);
  std::vector<double> x(static_cast<std::size_t>(window.unknowns().size_of(ranks->rank())));
  std::vector<double> f(static_cast<std::size_t>(window.rows().size_of(ranks->rank())), 1.0);
  window.unknowns().take(ranks->rank(), whole, x);
  SharedLinearisation at_x;
  window.linearise(x, at_x);
  ASSERT_EQ(average.factor(at_x), LuStatus::regular);

  const double before = ranks->traffic().exchanged, formula_before = ranks->traffic().by_formula;
  window.apply_jacobian(at_x, x, f);
  average.apply(f, x);
  const double own = ranks->traffic().exchanged - before, by_formula = ranks->traffic().by_formula - formula_before;
  std::vector<double> of_all(static_cast<std::size_t>(ranks->size()));
  ranks->all_gather<double>({&own, 1}, std::vector<std::size_t>(of_all.size(), 1), of_all);
  double sent = 0.0;
  for (const double bytes : of_all) sent += bytes;

  const double K = 8, modes = 4, N = static_cast<double>(one.system.size()), P = ranks->size(), E = 1;
  const double Z = 2;  // u and its derivative in time
  const double points = static_cast<double>(one.discretisation.n_points(1));
  const double n = static_cast<double>(one.discretisation.n_unknowns(1));
  const double wanted = 8.0 * N * (1.0 - 1.0 / P) * (2.0 * 2.0 * modes / K + points / n * (Z + E));
  EXPECT_EQ(sent, by_formula);
  const bool is_equal = ranks->size() != 3;
  EXPECT_NEAR(sent, wanted, is_equal ? 1e-12 * wanted : 0.05 * wanted);
  EXPECT_EQ(wanted > 0.0, ranks->size() > 1);
}

}  // namespace
}  // namespace gwrm::shared_bytes_test
