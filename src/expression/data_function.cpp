#include "expression/data_function.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/array.hpp"

namespace gwrm::expression {
namespace {

constexpr std::size_t kMostEntries = 256;        // that one enclosure looks at
constexpr double kPointSlack = 1e-13;            // of the value: rounding of one at a point
constexpr std::size_t kMostSamples = 1u << 23u;  // of one derivative; more are thinned out

}  // namespace

// Extremes of blocks of samples: level 0 has one sample a block, every level blocks of twice the length along each
// axis.
class DataFunction::Extremes {
 public:
  Extremes(const DataFunction& function, std::span<const int> orders) {
    std::size_t count = 1;
    for (std::size_t axis = 0; axis < function.axes().size(); ++axis) {
      points_.push_back(function.sampling(axis));
      count *= points_.back().size();
    }
    while (count > kMostSamples) {
      count = 1;
      for (std::vector<double>& along : points_) {
        along = thinned(along);
        count *= along.size();
      }
    }
    Level finest;
    for (const std::vector<double>& along : points_) finest.extents.push_back(along.size());
    finest.least.resize(count);
    std::vector<std::span<const double>> spans(points_.begin(), points_.end());
    function.on_grid(spans, orders, finest.least);
    finest.largest = finest.least;
    levels_.push_back(std::move(finest));
    while (
        std::any_of(levels_.back().extents.begin(), levels_.back().extents.end(), [](std::size_t n) { return n > 1; }))
      levels_.push_back(coarser(levels_.back()));
  }

  // Of the samples in the box and the next one on each side.
  Interval over(std::span<const Interval> box) const {
    std::vector<std::size_t> first, last;
    for (std::size_t axis = 0; axis < box.size(); ++axis) {
      const std::vector<double>& along = points_[axis];
      const auto lower = std::upper_bound(along.begin(), along.end(), box[axis].lower) - along.begin();
      const auto upper = std::lower_bound(along.begin(), along.end(), box[axis].upper) - along.begin();
      first.push_back(static_cast<std::size_t>(std::max<std::ptrdiff_t>(lower - 1, 0)));
      last.push_back(std::min(static_cast<std::size_t>(upper), along.size() - 1));
    }
    for (const Level& level : levels_) {
      std::size_t entries = 1;
      for (std::size_t axis = 0; axis < first.size(); ++axis) entries *= last[axis] - first[axis] + 1;
      if (entries <= kMostEntries) return extremes_of(level, first, last);
      for (std::size_t axis = 0; axis < first.size(); ++axis) {
        first[axis] /= 2;
        last[axis] /= 2;
      }
    }
    return extremes_of(levels_.back(), first, last);
  }

 private:
  struct Level {
    std::vector<std::size_t> extents;
    std::vector<double> least, largest;
  };

  static std::vector<double> thinned(const std::vector<double>& points) {
    std::vector<double> kept;
    for (std::size_t i = 0; i < points.size(); i += 2) kept.push_back(points[i]);
    if (kept.back() != points.back()) kept.push_back(points.back());
    return kept;
  }

  template <class Visit>
  static void for_each(const std::vector<std::size_t>& first, const std::vector<std::size_t>& last, Visit visit) {
    std::vector<std::size_t> index = first;
    while (true) {
      visit(index);
      std::size_t axis = index.size();
      while (axis > 0 && index[axis - 1] == last[axis - 1]) {
        --axis;
        index[axis] = first[axis];
      }
      if (axis == 0) return;
      ++index[axis - 1];
    }
  }

  static std::size_t place(const std::vector<std::size_t>& index, const std::vector<std::size_t>& extents) {
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) place = place * extents[axis] + index[axis];
    return place;
  }

  static Level coarser(const Level& fine) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Level result;
    std::size_t count = 1;
    std::vector<std::size_t> last;
    for (std::size_t n : fine.extents) {
      result.extents.push_back((n + 1) / 2);
      count *= result.extents.back();
      last.push_back(n - 1);
    }
    result.least.assign(count, kInfinity);
    result.largest.assign(count, -kInfinity);
    for_each(std::vector<std::size_t>(last.size(), 0), last, [&](std::vector<std::size_t> index) {
      const std::size_t from = place(index, fine.extents);
      for (std::size_t& i : index) i /= 2;
      const std::size_t to = place(index, result.extents);
      result.least[to] = std::min(result.least[to], fine.least[from]);
      result.largest[to] = std::max(result.largest[to], fine.largest[from]);
    });
    return result;
  }

  static Interval extremes_of(const Level& level, const std::vector<std::size_t>& first,
                              const std::vector<std::size_t>& last) {
    const std::size_t start = place(first, level.extents);
    Interval result{level.least[start], level.largest[start], true};
    for_each(first, last, [&](const std::vector<std::size_t>& index) {
      const std::size_t at = place(index, level.extents);
      result.lower = std::min(result.lower, level.least[at]);
      result.upper = std::max(result.upper, level.largest[at]);
    });
    return result;
  }

  std::vector<std::vector<double>> points_;
  std::vector<Level> levels_;
};

DataFunction::DataFunction() = default;
DataFunction::~DataFunction() = default;

double DataFunction::at(std::span<const double> point, std::span<const int> orders) const {
  std::vector<std::span<const double>> coordinates;
  for (const double& z : point) coordinates.emplace_back(&z, 1);
  double value = 0.0;
  at_points(coordinates, orders, std::span(&value, 1));
  return value;
}

const DataFunction::Extremes& DataFunction::extremes(std::span<const int> orders) const {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<const Extremes>& known = extremes_[{orders.begin(), orders.end()}];
  if (!known) known = std::make_unique<const Extremes>(*this, orders);
  return *known;
}

Interval DataFunction::enclosure(std::span<const Interval> box, std::span<const int> orders) const {
  for (std::size_t axis = 0; axis < orders.size(); ++axis)
    if (orders[axis] > highest_order(axis)) return entire(true);
  if (std::all_of(box.begin(), box.end(), [](const Interval& z) { return z.lower == z.upper; })) {
    std::vector<double> point;
    for (const Interval& z : box) point.push_back(z.lower);
    const double value = at(point, orders), slack = kPointSlack * std::abs(value);
    return {value - slack, value + slack, std::isfinite(value)};
  }
  return extremes(orders).over(box);
}

}  // namespace gwrm::expression
