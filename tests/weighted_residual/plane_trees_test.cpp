// The trees of planes against those of atoms written down by hand.
#include "weighted_residual/window/plane_trees.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "core/errors.hpp"
#include "weighted_residual/assembled.hpp"

namespace gwrm::plane_trees_test {
namespace {

// x is the first modal axis.
const char* const kHeat = R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u]
equations: ["dt(u) = lap(u)"]
initial: {u: "0"}
boundary: ["u(x=-1) = 0", "u(x=2) = 0", "u(y=0) = 0", "u(y=1) = 0"]
resolution: {degree: {t: 3, x: 5, y: 4}}
)yaml";
constexpr std::size_t kX = 1, kY = 2;

class AtomsOfHeat : public testing::Test {
 protected:
  // Orders of derivatives in t, x, y; restricted: to x = -1, to y = 0.
  int add(std::vector<int> orders, std::vector<bool> restricted = {false, false, false}) {
    return atoms_.add({0, false, std::move(orders), restricted, {0.0, restricted[1] ? -1.0 : 0.0, 0.0}});
  }
  PlaneTrees trees_of(const std::vector<int>& outputs) const {
    std::vector<bool> used(static_cast<std::size_t>(atoms_.size()), false);
    for (const int output : outputs) used[static_cast<std::size_t>(output)] = true;
    return plane_trees(atoms_, kX, {used, std::vector<bool>(used.size(), false)});
  }

  test::Assembled one_{kHeat};
  AtomValues atoms_{one_.model, one_.discretisation};
};

TEST_F(AtomsOfHeat, AreSourcesAlongXAndTreesBehindThem) {
  const int u = add({0, 0, 0}), u_x = add({0, 1, 0}), u_y = add({0, 0, 1}), u_xy = add({0, 1, 1});
  const int at_x = add({0, 0, 0}, {false, true, false}), u_y_at_x = add({0, 0, 1}, {false, true, false});
  const int at_y = add({0, 0, 0}, {false, false, true});  // along y first, as restrictions shrink the tensor
  const int u_t = add({1, 0, 0});
  const PlaneTrees trees = trees_of({u, u_x, u_y, u_xy, at_x, u_y_at_x, at_y, u_t});

  // Values and first derivative along x and the edge of it; u_t has a root and a source of its own.
  ASSERT_EQ(trees.sources.size(), 4u);
  const std::vector<std::set<int>> expected{{u, u_y, at_y}, {u_x, u_xy}, {at_x, u_y_at_x}, {u_t}};
  std::set<std::size_t> numbers;
  std::size_t n_found = 0;
  for (const PlaneSource& source : trees.sources) {
    EXPECT_EQ(source.along_z->axis, kX);
    EXPECT_TRUE(source.tree.outputs.empty());  // each has something to be done along y
    std::set<int> outputs;
    for (const PlaneNode& node : source.tree.children) {
      EXPECT_EQ(node.operation->axis, kY);
      EXPECT_TRUE(node.children.empty());
      EXPECT_TRUE(numbers.insert(node.number).second);
      outputs.insert(node.outputs.begin(), node.outputs.end());
    }
    EXPECT_EQ(outputs.size(), source.tree.children.size());
    for (const std::set<int>& one : expected) n_found += one == outputs ? 1 : 0;
    EXPECT_EQ(source.at_edge(), outputs.count(at_x) == 1);
    EXPECT_EQ(source.root, outputs.count(u_t) == 1 ? 1u : 0u);
  }
  EXPECT_EQ(n_found, 4u);
  EXPECT_EQ(trees.n_nodes, 8u);
  EXPECT_EQ(*numbers.rbegin(), 7u);
}

TEST_F(AtomsOfHeat, LeaveOutWhatIsNotUsed) {
  const int u = add({0, 0, 0}), u_x = add({0, 1, 0}), at_y = add({0, 0, 0}, {false, false, true});
  const PlaneTrees trees = trees_of({at_y});
  ASSERT_EQ(trees.sources.size(), 1u);
  ASSERT_EQ(trees.sources[0].tree.children.size(), 1u);
  const PlaneNode& node = trees.sources[0].tree.children[0];
  EXPECT_EQ(node.outputs, std::vector<int>{at_y});
  EXPECT_EQ(node.operation->matrix.rows, 1);
  EXPECT_EQ(trees_of({}).sources.size(), 0u);
  EXPECT_EQ(trees_of({u, u_x}).n_nodes, 2u);
}

TEST_F(AtomsOfHeat, NeedAnOperationAlongTheFirstAxis) {
  const int coefficients = atoms_.add_coefficients({0, false, {0, 0, 0}, {false, false, false}, {0, 0, 0}}, kX);
  EXPECT_THROW(trees_of({coefficients}), ShapeError);
}

}  // namespace
}  // namespace gwrm::plane_trees_test
