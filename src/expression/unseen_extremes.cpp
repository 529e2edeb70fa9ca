#include "expression/unseen_extremes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <set>
#include <string>

#include "expression/interval_evaluation.hpp"
#include "expression/sampled_data.hpp"

namespace gwrm::expression {
namespace {

using Index = std::size_t;
using Indices = std::vector<Index>;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr Index kScaleSamples = 4096;  // points that give the data's size to begin with
constexpr long kBoxesToThePeak = 200;  // once something is found: for the text
constexpr long kBoxesToThePlace = 40;  // where only the place matters
constexpr double kSamePlace = 1e-3;    // of the size: values that differ less are the same for the text
constexpr double kOnePointFraction =
    0.25;  // of the size: prominence of a point, difference to the polynomial beside it
struct Piece {
  Indices first, last;  // cells along each axis, inclusive
  std::vector<Interval> box;
  Interval range;
  double excess = 0.0;  // by how much the range may leave what is seen
  double order = 0.0;   // the same, but at most the data's size: where nothing is known, the largest piece comes first
  double size = 0.0;    // relative to the domain
  Index split = 0;      // the axis to be divided next
  bool whole_cells = true;
  bool operator<(const Piece& other) const { return order != other.order ? order < other.order : size < other.size; }
  bool is_one_cell() const { return first == last; }
};

class ExtremeSearch {
 public:
  ExtremeSearch(const Pool& pool, Expr e, std::span<const SampledAxis> axes, double fraction, long max_boxes)
      : f_(pool, e), axes_(axes_of(f_, axes)), sampled_(f_, axes_), fraction_(fraction), max_boxes_(max_boxes) {}

  UnseenExtreme run() {
    begin();
    search();
    if (result_.outcome != UnseenExtreme::Outcome::found) find_single_points();
    result_.scale = scale_;
    if (result_.outcome == UnseenExtreme::Outcome::found && !result_.by_one_point) round_place();
    return result_;
  }

  // The places of all findings, at most so many.
  UnseenPlaces places(std::size_t most) {
    UnseenPlaces found;
    locates_ = true;
    begin();
    while (found.at.size() < most) {
      search();
      if (result_.outcome != UnseenExtreme::Outcome::found) break;
      found.at.push_back(result_.at);
      done_.insert(found_in_);
      result_.outcome = UnseenExtreme::Outcome::none;
      found_excess_ = 0.0;
    }
    found.boxes = result_.boxes;
    return found;
  }

 private:
  static std::vector<const SampledAxis*> axes_of(const IntervalEvaluation& f, std::span<const SampledAxis> axes) {
    std::vector<const SampledAxis*> own;
    for (int axis : f.axes()) own.push_back(&axes[static_cast<Index>(axis)]);
    return own;
  }

  void begin() {
    find_scale(kScaleSamples);
    Piece whole;
    for (const SampledAxis* axis : axes_) {
      if (axis->n_cells() == 0) return;
      whole.first.push_back(0);
      whole.last.push_back(axis->n_cells() - 1);
      whole.box.push_back(enclose(axis->cell(0).lower, axis->cell(axis->n_cells() - 1).upper));
    }
    push(std::move(whole));
  }

  // --- values at points ---

  // The largest magnitude on a part of the points, every so many along each axis.
  void find_scale(Index most) {
    Indices strides(axes_.size(), 1), extents(axes_.size());
    const auto set_extents = [&] {
      for (Index i = 0; i < axes_.size(); ++i) extents[i] = (axes_[i]->n_points() - 1) / strides[i] + 1;
    };
    set_extents();
    while (count(extents, most) > most) {
      ++strides[static_cast<Index>(std::max_element(extents.begin(), extents.end()) - extents.begin())];
      set_extents();
    }
    all_points_ = std::all_of(strides.begin(), strides.end(), [](Index stride) { return stride == 1; });
    for_each_index(extents, [&](Indices index) {
      for (Index i = 0; i < index.size(); ++i) index[i] *= strides[i];
      take_scale(sampled_.at_points(index));
    });
  }

  void take_scale(double value) {
    if (std::isfinite(value)) scale_ = std::max(scale_, std::abs(value));
  }

  // --- extremes that one point hits ---

  void find_single_points() {
    if (!all_points_) return;
    Indices extents;
    for (const SampledAxis* axis : axes_) extents.push_back(axis->n_points());
    for (Index axis = 0; axis < axes_.size(); ++axis) {
      if (extents[axis] < 3) continue;
      for_each_index(extents, [&](Indices index) {
        if (index[axis] == 0 || index[axis] + 1 == extents[axis]) return;
        if (result_.outcome != UnseenExtreme::Outcome::found) judge_single_point(index, axis);
      });
    }
  }

  void judge_single_point(const Indices& index, Index axis) {
    const double value = sampled_.at_points(index);
    Indices before = index, behind = index;
    --before[axis];
    ++behind[axis];
    const double a = sampled_.at_points(before), b = sampled_.at_points(behind);
    const double nearest = std::abs(value - a) < std::abs(value - b) ? a : b;
    const bool extreme = (value > a) == (value > b) && std::abs(value - nearest) > kOnePointFraction * scale_;
    if (!extreme || !misses_polynomial(index, axis, before[axis]) || !misses_polynomial(index, axis, index[axis]))
      return;
    result_.outcome = UnseenExtreme::Outcome::found;
    result_.by_one_point = true;
    result_.value = value;
    result_.seen = nearest;
    for (Index i = 0; i < axes_.size(); ++i) result_.at.push_back(axes_[i]->point(index[i]));
  }

  // In the middle between the points `left` and left + 1 of the axis, the other coordinates as given.
  bool misses_polynomial(Indices index, Index axis, Index left) {
    const SampledAxis& along = *axes_[axis];
    const double z = 0.5 * (along.point(left) + along.point(left + 1));
    const Index cell = along.cell_at(z);
    if (cell == along.n_cells()) return false;
    const Stencil stencil = along.interpolation(along.cell(cell), z, SampledData::kStencil[0]);
    std::vector<double> point;
    for (Index i = 0; i < axes_.size(); ++i) point.push_back(i == axis ? z : axes_[i]->point(index[i]));
    double polynomial = 0.0;
    for (Index i = 0; i < stencil.weights.size(); ++i) {
      index[axis] = stencil.first + i;
      polynomial += stencil.weights[i] * sampled_.at_points(index);
    }
    return std::abs(f_.value(point) - polynomial) > kOnePointFraction * scale_;
  }

  // --- branch and bound ---

  void search() {
    long limit = max_boxes_;
    while (!pieces_.empty()) {
      if (result_.boxes >= limit) {
        if (result_.outcome == UnseenExtreme::Outcome::none) result_.outcome = UnseenExtreme::Outcome::undecided;
        return;
      }
      const Piece piece = pieces_.top();
      pieces_.pop();
      const bool found_before = result_.outcome == UnseenExtreme::Outcome::found;
      if (is_settled(piece)) continue;
      if (piece.is_one_cell()) sample(piece);
      if (!found_before && result_.outcome == UnseenExtreme::Outcome::found)
        limit = std::min(limit, result_.boxes + (locates_ ? kBoxesToThePlace : kBoxesToThePeak));
      divide(piece);
    }
  }

  void push(Piece piece) {
    piece.range = f_.enclosure(piece.box);
    ++result_.boxes;
    piece.size = 1.0;
    for (Index i = 0; i < axes_.size(); ++i) piece.size *= piece.box[i].width() / axes_[i]->length();
    const bool one_cell = piece.is_one_cell();
    double most = -1.0;
    for (Index i = 0; i < axes_.size(); ++i) {
      if (!one_cell && piece.first[i] == piece.last[i]) continue;
      const double relative_width = piece.box[i].width() / axes_[i]->length();
      const double variation = std::isfinite(f_.variation()[i]) ? f_.variation()[i] : 1e300 * relative_width;
      if (!(variation > most)) continue;
      most = variation;
      piece.split = i;
    }
    piece.excess = distance_from_points(piece);
    if (piece.excess > fraction_ * scale_) piece.excess = std::min(piece.excess, excess_of(piece));
    piece.order = scale_ > 0.0 ? std::min(piece.excess, scale_) : piece.excess;
    if (!is_settled(piece)) pieces_.push(std::move(piece));
  }

  // By how much values may differ from that at the nearest point: the derivatives times the way to it.
  double distance_from_points(const Piece& piece) const {
    if (!piece.whole_cells || !piece.range.defined) return kUnbounded;
    double distance = 0.0;
    for (Index i = 0; i < axes_.size(); ++i)
      if (const double reach = axes_[i]->reach(piece.first[i], piece.last[i]); reach > 0.0)
        distance += reach * f_.derivative(i).magnitude();
    return std::isnan(distance) ? kUnbounded : distance;
  }

  // By how much values in the piece may leave what the points show of it.
  double excess_of(const Piece& piece) {
    double excess = piece.range.width();
    if (piece.is_one_cell()) {
      const Seen& seen = sampled_.seen_of(piece.first);
      if (seen.at_a_pole) return 0.0;
      if (locates_) {
        const Seen within = sampled_.seen_within(piece.first, piece.box);
        return std::max(piece.range.upper - within.upper, within.lower - piece.range.lower);
      }
      excess = std::max(piece.range.upper - seen.upper, seen.lower - piece.range.lower);
      if (excess > fraction_ * scale_ && !seen.with_polynomial) {
        sampled_.add_polynomial(piece.first);
        excess = std::max(piece.range.upper - seen.upper, seen.lower - piece.range.lower);
      }
    }
    return excess;
  }

  bool is_settled(const Piece& piece) const {
    if (piece.excess <= fraction_ * scale_ || (piece.is_one_cell() && done_.contains(piece.first))) return true;
    return piece.is_one_cell() && is_narrow(piece);
  }

  // No wider than what is left out between points.
  bool is_narrow(const Piece& piece) const {
    for (Index i = 0; i < axes_.size(); ++i)
      if (piece.box[i].width() > SampledAxis::kNarrowest * axes_[i]->length()) return false;
    return true;
  }

  void sample(const Piece& piece) {
    std::vector<double> middle;
    for (const Interval& side : piece.box) middle.push_back(0.5 * (side.lower + side.upper));
    const Interval value = f_.at(middle);
    if (!value.bounded() || !value.defined) return;
    const double known = std::max(value.lower, -value.upper);  // of the magnitude, whatever rounding does
    take_scale(std::max(known, 0.0));
    const Seen seen = locates_ ? sampled_.seen_within(piece.first, piece.box) : sampled_.seen_of(piece.first);
    const double excess = std::max(value.lower - seen.upper, seen.lower - value.upper);
    if (!(excess > fraction_ * scale_) || excess <= found_excess_) return;
    if (result_.outcome == UnseenExtreme::Outcome::none && !all_points_) {
      find_scale(SampledData::kAllPoints);
      if (!(excess > fraction_ * scale_)) return;
    }
    found_excess_ = excess;
    found_in_ = piece.first;
    result_.outcome = UnseenExtreme::Outcome::found;
    result_.at = middle;
    result_.value = f_.value(middle);
    result_.seen = value.lower > seen.upper ? seen.upper : seen.lower;
  }

  void divide(const Piece& piece) {
    const Index axis = piece.split;
    Piece left = piece, right = piece;
    if (piece.first[axis] < piece.last[axis]) {
      const Index middle = (piece.first[axis] + piece.last[axis]) / 2;
      left.last[axis] = middle;
      right.first[axis] = middle + 1;
      left.box[axis].upper = axes_[axis]->cell(middle).upper;
      right.box[axis].lower = axes_[axis]->cell(middle + 1).lower;
    } else {
      const double at = 0.5 * (piece.box[axis].lower + piece.box[axis].upper);
      if (!(piece.box[axis].lower < at && at < piece.box[axis].upper)) return;
      left.box[axis].upper = right.box[axis].lower = at;
      left.whole_cells = right.whole_cells = false;
    }
    push(std::move(left));
    push(std::move(right));
  }

  // The fewest digits that name a place as good: 0.43 instead of 0.4299999998.
  void round_place() {
    for (Index i = 0; i < axes_.size(); ++i) {
      double& z = result_.at[i];
      const double exact = z;
      for (int digits = 1; digits < 17; ++digits) {
        z = std::stod(fmt::format("{:.{}g}", exact, digits));
        if (std::abs(f_.value(result_.at) - result_.value) <= kSamePlace * scale_) break;
        z = exact;
      }
    }
    result_.value = f_.value(result_.at);
  }

  IntervalEvaluation f_;
  std::vector<const SampledAxis*> axes_;
  SampledData sampled_;
  double fraction_;
  long max_boxes_;
  double scale_ = 0.0;
  bool all_points_ = true;  // the scale is that of all points
  double found_excess_ = 0.0;
  Indices found_in_;        // the cell
  bool locates_ = false;    // compares with the interpolant at the same place; else with all that is around the cell
  std::set<Indices> done_;  // cells in which it has found something
  std::priority_queue<Piece> pieces_;
  UnseenExtreme result_;
};

}  // namespace

double UnseenExtreme::fraction() const {
  return scale > 0.0 ? std::abs(value - seen) / scale : 0.0;
}

UnseenExtreme find_unseen_extreme(const Pool& pool, Expr e, std::span<const SampledAxis> axes, long max_boxes) {
  if (e->facts.axes == 0) return {};  // a number
  return ExtremeSearch(pool, e, axes, kUnseenFraction, max_boxes).run();
}

UnseenPlaces find_unseen_places(const Pool& pool, Expr e, std::span<const SampledAxis> axes, double fraction,
                                long max_boxes, std::size_t most) {
  if (e->facts.axes == 0) return {};
  return ExtremeSearch(pool, e, axes, fraction, max_boxes).places(most);
}

}  // namespace gwrm::expression
