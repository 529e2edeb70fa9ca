#include "basis/axis_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/errors.hpp"

namespace gwrm::axis_map_test {
namespace {

TEST(AxisMap, SendsTheEndsToExactlyOne) {
  for (const AxisMap& map :
       {AxisMap(0.1, 0.7), AxisMap(-3.3, 1e5), AxisMap(0.02, 0.2, MapKind::log), AxisMap(1e-7, 3.0, MapKind::log)}) {
    EXPECT_EQ(map.to_reference(map.lower()), -1.0);
    EXPECT_EQ(map.to_reference(map.upper()), 1.0);
    EXPECT_EQ(map.from_reference(-1.0), map.lower());
    EXPECT_EQ(map.from_reference(1.0), map.upper());
  }
}

TEST(AxisMap, IsAffineOrAffineInTheLogarithm) {
  const AxisMap linear(2.0, 6.0), log(0.01, 100.0, MapKind::log);
  EXPECT_DOUBLE_EQ(linear.to_reference(4.0), 0.0);
  EXPECT_DOUBLE_EQ(linear.to_reference(5.0), 0.5);
  EXPECT_DOUBLE_EQ(linear.from_reference(-0.5), 3.0);
  EXPECT_NEAR(log.to_reference(1.0), 0.0, 1e-16);
  EXPECT_DOUBLE_EQ(log.to_reference(10.0), 0.5);
  EXPECT_DOUBLE_EQ(log.from_reference(-0.5), 0.1);
  EXPECT_DOUBLE_EQ(static_cast<double>(log.half_length()), std::log(100.0));
}

TEST(AxisMap, GoesThereAndBack) {
  for (const AxisMap& map : {AxisMap(-1.5, 0.25), AxisMap(1e-3, 10.0, MapKind::log)}) {
    const Vector xi = Vector::LinSpaced(41, -1.0, 1.0), z = map.from_reference(xi);
    for (Index i = 0; i < xi.size(); ++i) {
      EXPECT_NEAR(map.to_reference(z(i)), xi(i), 4e-16);
      if (i > 0) {
        EXPECT_GT(z(i), z(i - 1));
      }
    }
  }
}

TEST(AxisMap, KeepsTheDistanceToTheEnds) {
  const AxisMap map(0.0, 3.0);
  const double distance = static_cast<double>(1.0L - map.to_reference_extended(std::nextafter(3.0, 0.0)));
  EXPECT_NEAR(distance / (std::numeric_limits<double>::epsilon() * 4.0 / 3.0), 1.0,
              1e-3);  // 2 (3 - z) / 3, 3 - z = 2 eps
}

TEST(AxisMap, RefusesWhatIsNoInterval) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  EXPECT_THROW(AxisMap(1.0, 1.0), ShapeError);
  EXPECT_THROW(AxisMap(2.0, 1.0), ShapeError);
  EXPECT_THROW(AxisMap(nan, 1.0), ShapeError);
  EXPECT_THROW(AxisMap(0.0, infinity), ShapeError);
  EXPECT_THROW(AxisMap(0.0, 1.0, MapKind::log), ShapeError);
}

}  // namespace
}  // namespace gwrm::axis_map_test
