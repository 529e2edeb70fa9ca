// Rounding of -u'' + k^2 u = f against the exact solution of the same discrete system, by elimination in quadruple
// precision.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "kernels/quadruple.hpp"
#include "kernels/recurrence/recurrence_solver.hpp"
#include "problems/recurrence_bvp/boundary_closure.hpp"
#include "problems/run_case.hpp"

namespace gwrm::recurrence_rounding_test {
namespace {

using test::Quadruple;

double source_at(double x) {
  return 1.0 + std::cos(5.0 * x) + x * x;
}

// Dirichlet data 1 and 2 on [0, 1]; the schemes of docs/recurrence-bvp.md.
std::vector<Quadruple> eliminated(Index n, double k_squared, int order) {
  const Quadruple h2 = Quadruple(1) / n / n, kappa = h2 * k_squared;
  const Quadruple share = order == 4 ? Quadruple(1) / 12 : Quadruple(0);  // of a neighbour in h^2 p
  const Quadruple diagonal = 2 + (1 - 2 * share) * kappa, beside = 1 - share * kappa;
  const auto f = [n](std::size_t i) -> Quadruple { return source_at(static_cast<double>(i) / static_cast<double>(n)); };
  std::vector<Quadruple> u(static_cast<std::size_t>(n) + 1), factor(u.size());
  u[0] = 1;
  for (std::size_t i = 1; i < u.size() - 1; ++i) {  // u_i = factor_i u_{i+1} + u[i]
    const Quadruple right = h2 * (share * (f(i - 1) + f(i + 1)) + (1 - 2 * share) * f(i));
    const Quadruple pivot = diagonal - (i > 1 ? beside * factor[i - 1] : Quadruple(0));
    factor[i] = beside / pivot;
    u[i] = (right + beside * u[i - 1]) / pivot;
  }
  u.back() = 2;
  for (std::size_t i = u.size() - 1; i-- > 1;) u[i] += factor[i] * u[i + 1];
  return u;
}

double rounding_error(const Context& context, Index n, double k_squared, int order) {
  Case the_case =
      read_case_text(fmt::format("problem: recurrence_bvp\ndomain: {{x: [0, 1]}}\nunknowns: [u]\n"
                                 "boundary: [\"u(x=0) = 1\", \"u(x=1) = 2\"]\n"
                                 "recurrence: {{intervals: {}, reaction: {:.17g}, order: {}, source: \"x\"}}\n",
                                 n, k_squared, order),
                     "test.yaml");
  const BvpModel model = build_bvp_model(the_case);
  const BoundaryClosure closure(model, section_of<RecurrenceCase>(the_case).where);
  const RecurrenceSource f{nullptr, nullptr, [n](Index first, Index count, double* values) {
                             for (Index i = 0; i < count; ++i)
                               values[i] = source_at(static_cast<double>(first + i) / static_cast<double>(n));
                           }};
  const auto solver = make_recurrence_solver(context, closure.op(), f, n + 1, false);
  EndValues ends{};
  const std::array<Index, 6> where = end_points(model.grid);
  for (std::size_t i = 0; i < 6; ++i) f.fetch(where[i], 1, &ends[i]);
  const RecurrenceState totals = solver->totals();
  solver->fill(closure.close(totals, ends, 1.0, 1.0).start, 0.0);
  std::vector<Index> points(static_cast<std::size_t>(n) + 1);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = static_cast<Index>(i);
  std::vector<double> u(points.size());
  solver->gather(points, u.data());
  const std::vector<Quadruple> exact = eliminated(n, k_squared, order);
  Quadruple difference = 0, size = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    difference += (u[i] - exact[i]) * (u[i] - exact[i]);
    size += exact[i] * exact[i];
  }
  return std::sqrt(static_cast<double>(difference / size));
}

// Calls expect(k, error, text) for every reaction and both orders.
template <class Expect>
void for_every_reaction(const Context& context, Expect expect) {
  for (int order : {2, 4})
    for (int power : {10, 16, 20})
      for (double k : {0.0, 1e-3, 0.1, 1.0, 1.001, 3.0, 10.0, 100.0, 1000.0, 3e4}) {
        const Index n = Index{1} << power;
        if (order == 4 && (power == 20 || k >= 2.0 * static_cast<double>(n))) continue;  // long, or too coarse for it
        const double error = rounding_error(context, n, k * k, order);
        const std::string text = fmt::format("order {}, k = {:<6g} n = 2^{}", order, k, power);
        std::printf("%s: %.2e\n", text.c_str(), error);
        expect(k, power, error, text);
      }
}

TEST(RecurrenceRounding, OneRoundingForEveryReaction) {
  for_every_reaction(Context::create(BackendChoice::cpu, 2), [](double k, int, double error, const std::string& text) {
    // Just above k L = 1 the two sums of the two-sided recurrence are twice as large as their difference.
    EXPECT_LE(error, k > 1.0 && k < 30.0 ? 6e-16 : 3e-16) << text;
  });
}

TEST(DeviceRecurrenceRounding, OneRoundingForEveryReaction) {
  std::string why;
  if (find_device(why).empty()) GTEST_SKIP() << why;
  for_every_reaction(Context::create(BackendChoice::cuda),
                     [](double k, int power, double error, const std::string& text) {
                       // poisson: plain double within tiles of 512 points
                       EXPECT_LE(error, k == 0.0 && power == 10 ? 6e-16 : 1.2e-16) << text;
                     });
}

}  // namespace
}  // namespace gwrm::recurrence_rounding_test
