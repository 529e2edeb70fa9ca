// Large systems of ordinary differential equations: which linear solver they get, and that it is right.
#include <fmt/format.h>

#include "problems/run_case.hpp"

namespace gwrm::large_systems_test {
namespace {

using test::run_case;

// u_k'' = u_{k-1} - 2 u_k + u_{k+1} between fixed ends: u_k = sin(q k) cos(w t), w = 2 sin(q/2), q = pi/(n + 1).
std::string lattice(int n, const std::string& more) {
  std::string unknowns, equations, initial;
  const auto neighbour = [&](int k) { return k < 1 || k > n ? std::string("0") : fmt::format("u{}", k); };
  for (int k = 1; k <= n; ++k) {
    unknowns += fmt::format("{0}u{1}, v{1}", k > 1 ? ", " : "", k);
    equations += fmt::format("  - \"dt(u{0}) = v{0}\"\n  - \"dt(v{0}) = {1} - 2*u{0} + {2}\"\n", k, neighbour(k - 1),
                             neighbour(k + 1));
    initial += fmt::format("  u{0}: \"sin(pi*{0}/{1})\"\n  v{0}: \"0\"\n", k, n + 1);
  }
  return "schema: 1\ndomain: {t: [0, 4]}\nunknowns: [" + unknowns + "]\nequations:\n" + equations + "initial:\n" +
         initial + "resolution: {degree: {t: 12}, domains: {t: 2}}\n" + more;
}

double worst_against_exact(const RunOutcome& outcome, int n) {
  const double w = 2.0 * std::sin(0.5 * M_PI / (n + 1));
  double worst = 0.0;
  for (int k : {1, n / 3, n / 2, n})
    worst = std::max(worst, std::abs(test::value_at(outcome.solution, fmt::format("u{}", k), {{"t", 4.0}}) -
                                     std::sin(M_PI * k / (n + 1)) * std::cos(4.0 * w)));
  return worst;
}

TEST(LargeSystems, AThousandOscillatorsTakeTheSparseSolver) {
  constexpr int n = 1000;
  const RunOutcome outcome = run_case(lattice(n, "verification: {estimate: off}\n"));
  ASSERT_TRUE(outcome.complete) << outcome.report.reason;
  EXPECT_NE(outcome.report.linear_solver.find("sparse LU"), std::string::npos) << outcome.report.linear_solver;
  EXPECT_LT(worst_against_exact(outcome, n), 1e-11);
}

TEST(LargeSystems, SparseAndDenseAgree) {
  constexpr int n = 40;
  const RunOutcome sparse = run_case(lattice(n, "")), dense = run_case(lattice(n, "solver: {linear: dense}\n"));
  ASSERT_TRUE(sparse.complete && dense.complete);
  EXPECT_NE(sparse.report.linear_solver.find("sparse LU"), std::string::npos) << sparse.report.linear_solver;
  EXPECT_NE(dense.report.linear_solver.find("dense LU"), std::string::npos) << dense.report.linear_solver;
  EXPECT_LT(worst_against_exact(sparse, n), 1e-11);
  EXPECT_LT(worst_against_exact(dense, n), 1e-11);
}

// Ten unknowns of twelve modes, which `auto` would give to the dense solver.
TEST(LargeSystems, TheSparseSolverIsTakenWhereItIsAskedFor) {
  constexpr int n = 5;
  const RunOutcome asked = run_case(lattice(n, "solver: {linear: sparse}\n")), left = run_case(lattice(n, ""));
  ASSERT_TRUE(asked.complete && left.complete);
  EXPECT_EQ(asked.report.linear_solver, "sparse LU (asked for)");
  EXPECT_EQ(left.report.linear_solver.find("sparse"), std::string::npos) << left.report.linear_solver;
  EXPECT_LT(worst_against_exact(asked, n), 1e-11);
}

TEST(LargeSystems, TheSparseSolverIsRefusedWhereItDoesNotServe) {
  const std::string heat =
      "schema: 1\ndomain: {t: [0, 1], x: [0, 1]}\nunknowns: [u]\nequations: [\"dt(u) = dx(u, 2)\"]\n"
      "initial: {u: \"sin(pi*x)\"}\nboundary: [\"u(x=0) = 0\", \"u(x=1) = 0\"]\n"
      "resolution: {degree: {t: 4, x: 8}}\nsolver: {linear: sparse}\n";
  const std::string sir = lattice(3, "solver: {linear: sparse, newton: {globalisation: sir}}\n");
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      make_problem(read_case_text(text, "test.yaml"));
    } catch (const CaseError& error) {
      return error.what();
    }
    return "not refused";
  };
  EXPECT_NE(
      refusal(heat).find("solver.linear: this solver cannot serve these equations: the equations are no ordinary"),
      std::string::npos)
      << refusal(heat);
  EXPECT_NE(refusal(sir).find("SIR needs the dense Jacobian"), std::string::npos) << refusal(sir);
}

TEST(LargeSystems, MemoryAndDecisionGrowWithTheCouplings) {
  const auto bytes = [](int n) {
    return make_problem(read_case_text(lattice(n, ""), "test.yaml"))->summary().memory_bytes;
  };
  const double ratio = static_cast<double>(bytes(400)) / static_cast<double>(bytes(200));
  EXPECT_GT(ratio, 1.5);
  EXPECT_LT(ratio, 2.5);
}

}  // namespace
}  // namespace gwrm::large_systems_test
