// The unknowns of a window, as others keep them: to go on from, and for the journal.
#include <gtest/gtest.h>

#include <memory>
#include <numeric>

#include "problems/time_spectral/window.hpp"
#include "weighted_residual/support_case.hpp"

namespace gwrm::window_unknowns_test {
namespace {

TEST(WindowUnknowns, AreKeptWithoutACopyUntilTheWindowChanges) {
  const Model model = build_model(test::case_of(
      "schema: 1\ndomain: {t: [0, 0.2], x: [0, 1]}\nunknowns: [u, v]\nequations: [\"dt(u) = v\", \"dt(v) = -u\"]\n"
      "initial: {u: \"sin(x)\", v: \"x\"}\nresolution: {degree: {t: 3, x: 4}}\n"));
  const SystemPlan plan(model);
  const Context context = Context::create(BackendChoice::cpu, 1);
  const std::vector<double> point(model.axes.size(), 0.0);
  auto window =
      std::make_unique<Window>(context, model, plan, model.subdomains, point, 0.0, 0.2,
                               initial_state(context, model, Discretisation(model, model.subdomains, point, 0.0, 0.2)));
  const Index n = 3 * 5;  // of a field
  window->change_x().resize(static_cast<std::size_t>(2 * n));
  std::iota(window->change_x().begin(), window->change_x().end(), 0.0);

  const SharedArray kept = window->shared_unknowns(1);
  EXPECT_EQ(kept.shape, (Shape{3, 5}));
  EXPECT_EQ(kept.data.get(), window->x().data() + n);
  window->change_x()[static_cast<std::size_t>(n)] = -1.0;
  EXPECT_EQ(window->x()[static_cast<std::size_t>(n)], -1.0);
  window.reset();
  for (Index i = 0; i < n; ++i) EXPECT_EQ(kept.data.get()[i], static_cast<double>(n + i));
}

}  // namespace
}  // namespace gwrm::window_unknowns_test
