#include "weighted_residual/preconditioner/shared_means.hpp"

#include <algorithm>

#include "weighted_residual/window/tensor_helpers.hpp"

namespace gwrm {
namespace {

class Means {
 public:
  Means(const WindowSystem& system, const SharedWindow& window, const SharedLinearisation& at_x, Communicator& ranks,
        int axis)
      : discretisation_(system.discretisation()),
        window_(window),
        at_x_(at_x),
        ranks_(ranks),
        axis_(axis),
        length_(axis > window.first_axis() ? discretisation_.n_points(axis) : 1) {
    for (std::size_t row = 0; row < system.rows().size(); ++row)
      for (const RowTerm& term : system.rows()[row].terms) {
        if (term.coefficient < 0) continue;
        const auto c = static_cast<std::size_t>(term.coefficient);
        if (c >= used_.size()) used_.resize(c + 1, Use::nowhere);
        // What rows at an edge hold does not vary along the first axis: one mean serves them and others.
        if (window.row_at_edge(row))
          used_[c] = Use::at_edges;
        else if (used_[c] == Use::nowhere)
          used_[c] = Use::inside;
      }
    varies_.assign(used_.size(), 0);
  }

  std::vector<Vector> all() {
    const std::vector<double> inside = gathered(Use::inside, window_.planes(), 0);
    const std::vector<double> at_edges =
        gathered(Use::at_edges, window_.edges(), window_.planes().count(ranks_.rank()));
    agree_on_profiles();
    std::vector<Vector> means(used_.size());
    std::size_t n_inside = 0, n_at_edges = 0;
    for (std::size_t c = 0; c < used_.size(); ++c) {
      if (used_[c] == Use::inside) means[c] = summed(inside, count(Use::inside), n_inside++, n_points());
      if (used_[c] == Use::at_edges) means[c] = summed(at_edges, count(Use::at_edges), n_at_edges++, 1);
      if (length_ > 1 && varies_[c] == 0) means[c] = means[c].head(std::min<Index>(1, means[c].size())).eval();
    }
    return means;
  }

 private:
  enum class Use { nowhere, inside, at_edges };

  std::size_t count(Use use) const { return static_cast<std::size_t>(std::count(used_.begin(), used_.end(), use)); }
  Index n_points() const { return discretisation_.n_points(window_.first_axis()); }
  Vector normalised(const Vector& weights) const { return weights / weights.sum(); }

  // [line][coefficient][length_] of all lines; before: planes of the rank before those.
  std::vector<double> gathered(Use use, const Shares& lines, Index before) {
    std::vector<double> own;
    for (Index line = 0; line < lines.count(ranks_.rank()); ++line)
      for (std::size_t c = 0; c < used_.size(); ++c)
        if (used_[c] == use) add(at_x_.coefficients[static_cast<std::size_t>(before + line)][c], c, own);
    const std::size_t per_line = count(use) * static_cast<std::size_t>(length_);
    std::vector<std::size_t> counts;
    for (int rank = 0; rank < ranks_.size(); ++rank)
      counts.push_back(per_line * static_cast<std::size_t>(lines.count(rank)));
    std::vector<double> all(per_line * static_cast<std::size_t>(lines.size()));
    ranks_.all_gather<double>(own, counts, all);
    return all;
  }

  // The mean of a coefficient in one plane.
  void add(Array plane, std::size_t c, std::vector<double>& own) {
    for (int other = 0; other < static_cast<int>(plane.shape.size()); ++other)
      if (other != axis_ && plane.shape[at(other)] > 1)
        plane = weighted_sum(plane, at(other), normalised(discretisation_.weights()[at(other)]));
    if (plane.size() == length_) {
      own.insert(own.end(), plane.data.begin(), plane.data.end());
      varies_[c] |= length_ > 1 ? 1 : 0;
    } else {
      own.insert(own.end(), static_cast<std::size_t>(length_), plane.data.front());
    }
  }

  void agree_on_profiles() {
    std::vector<std::size_t> counts(static_cast<std::size_t>(ranks_.size()), varies_.size());
    std::vector<unsigned char> all(varies_.size() * counts.size());
    ranks_.all_gather<unsigned char>(varies_, counts, all);
    for (std::size_t i = 0; i < all.size(); ++i) varies_[i % varies_.size()] |= all[i];
  }

  // Over time, and over the points along the first axis unless it is the one that stays.
  Vector summed(const std::vector<double>& lines, std::size_t n, std::size_t c, Index n_along) const {
    const bool stays = axis_ == window_.first_axis() && n_along > 1;
    const TimeBasis* time = discretisation_.time();
    const Vector in_time = time == nullptr ? Vector(Vector::Ones(1)) : normalised(time->weights());
    const Vector along =
        n_along == 1 ? Vector(Vector::Ones(1)) : normalised(discretisation_.weights()[at(window_.first_axis())]);
    Vector sum = Vector::Zero(stays ? n_along : length_);
    for (Index t = 0; t < in_time.size(); ++t)
      for (Index point = 0; point < n_along; ++point) {
        const double* mean =
            lines.data() + (static_cast<std::size_t>(t * n_along + point) * n + c) * static_cast<std::size_t>(length_);
        if (stays)
          sum(point) += in_time(t) * *mean;
        else
          for (Index i = 0; i < length_; ++i) sum(i) += in_time(t) * along(point) * mean[i];
      }
    return sum;
  }

  const Discretisation& discretisation_;
  const SharedWindow& window_;
  const SharedLinearisation& at_x_;
  Communicator& ranks_;
  const int axis_;
  const Index length_;
  std::vector<Use> used_;              // per coefficient
  std::vector<unsigned char> varies_;  // along the axis, in some plane
};

}  // namespace

std::vector<Vector> shared_means(const WindowSystem& system, const SharedWindow& window,
                                 const SharedLinearisation& at_x, Communicator& ranks, int axis) {
  return Means(system, window, at_x, ranks, axis).all();
}

}  // namespace gwrm
