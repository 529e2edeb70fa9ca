// Data at the points of a window: each number that of its point, on any number of threads.
#include <gtest/gtest.h>

#include "core/threads.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "weighted_residual/assembled.hpp"
#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm::data_at_points_test {
namespace {

class DataAtPoints : public ::testing::Test {
 protected:
  ~DataAtPoints() override { set_loop_threads(before_); }

  Array values(const std::string& text, int n_threads) {
    set_loop_threads(n_threads);
    expression::Pool& pool = *a_.model.pool;
    return a_.discretisation.data_at_points(pool,
                                            expression::lower(pool, expression::parse(pool, {text, {}, 0, 0, {}})));
  }

  test::Assembled a_{R"yaml(schema: 1
domain: {t: [0, 1], x: [0, 1], y: [0, 2], z: [-1, 1]}
unknowns: [u]
equations: ["dt(u) = lap(u)"]
initial: {u: "0"}
boundary: ["u(x=0) = 0", "u(x=1) = 0", "u(y=0) = 0", "u(y=2) = 0", "u(z=-1) = 0", "u(z=1) = 0"]
resolution: {degree: {t: 3, x: 40, y: 50, z: 60}}
)yaml"};
  int before_ = loop_threads();
};

// Of three, two and one of the coordinates: some of these are worth threads.
TEST_F(DataAtPoints, AreTheSameOnAnyNumberOfThreads) {
  for (const char* text :
       {"exp(x*y)*sin(z) + t", "exp(x*y)*sin(z)", "cos(x + 3*z)", "y^3", "7", "integral(x*y*z^2, y) + t*z*x"}) {
    const Array serial = values(text, 1), parallel = values(text, 3);
    EXPECT_EQ(parallel.shape, serial.shape) << text;
    EXPECT_EQ(parallel.data, serial.data) << text;
  }
}

TEST_F(DataAtPoints, AreThoseOfTheirPoints) {
  const Array found = values("x + 10*y + 100*z", 3);
  const auto weight = [](const std::string& axis) { return axis == "x" ? 1.0 : axis == "y" ? 10.0 : 100.0; };
  for (std::size_t k = 0; k < found.data.size(); ++k) {
    const std::vector<Index> index = unravel(found.shape, static_cast<Index>(k));
    double expected = 0.0;
    for (std::size_t axis = 0; axis < index.size(); ++axis)
      if (const std::string& name = a_.model.axes[axis].name; name != "t")
        expected += weight(name) * a_.discretisation.points(static_cast<int>(axis))(index[axis]);
    ASSERT_NEAR(found.data[k], expected, 1e-12);
  }
  EXPECT_GT(found.data.size(), 100000u);
}

}  // namespace
}  // namespace gwrm::data_at_points_test
