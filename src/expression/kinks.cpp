#include "expression/kinks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>

#include "expression/holds_integral.hpp"
#include "expression/interval_evaluation.hpp"
#include "expression/lowering.hpp"

namespace gwrm::expression {
namespace {

// Stretches of known sign are found from left to right; where the sign of one differs from that of the one before, it
// changes between them.
class SignChanges {
 public:
  SignChanges(const Pool& pool, Expr s, std::size_t most) : s_(pool, s), most_(most) {}

  std::vector<double> within(double lower, double upper) {
    std::vector<std::pair<double, double>> open{{lower, upper}};  // the leftmost last
    for (long boxes = 0; !open.empty() && found_.size() < most_; ++boxes) {
      const auto [a, b] = open.back();
      open.pop_back();
      if (is_settled(a, b)) continue;
      const double middle = 0.5 * (a + b);
      const bool narrow = b - a <= kNarrowest * (upper - lower) || !(a < middle && middle < b);
      if (narrow || boxes > kMaxSignBoxes) continue;  // unknown: the next stretch tells whether the sign has changed
      open.emplace_back(middle, b);
      open.emplace_back(a, middle);
    }
    return std::move(found_);
  }

 private:
  static constexpr double kNarrowest = 1e-15;

  bool is_settled(double a, double b) {
    const Interval box = enclose(a, b);
    const Interval range = s_.enclosure(std::span(&box, 1));
    if (!range.defined) return false;
    if (const auto sign = sign_of(range)) {
      take(a, b, *sign);
      return true;
    }
    if (s_.derivative(0).holds(0.0)) return false;
    // Monotone: one change at most.
    const auto left = sign_of(s_.at(std::span(&a, 1))), right = sign_of(s_.at(std::span(&b, 1)));
    if (!left || !right) return false;
    take(a, a, *left);
    take(b, b, *right);
    return true;
  }

  static std::optional<int> sign_of(const Interval& z) {
    if (z.lower > 0.0) return 1;
    if (z.upper < 0.0) return -1;
    if (z.lower == 0.0 && z.upper == 0.0) return 0;
    return std::nullopt;
  }

  // From a to b the sign is this one.
  void take(double a, double b, int sign) {
    if (last_sign_ && *last_sign_ != sign) {
      const double z = bisected(last_, a, *last_sign_);
      // A zero that is met exactly is found from both sides.
      if (found_.empty() || z - found_.back() > 8.0 * std::numeric_limits<double>::epsilon() * std::abs(z))
        found_.push_back(z);
    }
    last_ = b;
    last_sign_ = sign;
  }

  // The first double that has another sign than `left`.
  double bisected(double a, double b, int left) {
    while (true) {
      const double middle = 0.5 * (a + b);
      if (!(a < middle && middle < b)) return b;
      const double value = s_.value(std::span(&middle, 1));
      ((value > 0.0) - (value < 0.0) == left ? a : b) = middle;
    }
  }

  IntervalEvaluation s_;
  std::size_t most_;
  double last_ = 0.0;  // the sign is known up to here
  std::optional<int> last_sign_;
  std::vector<double> found_;
};

class KinkSearch {
 public:
  KinkSearch(Pool& pool, int axis, std::size_t most)
      : pool_(pool),
        axis_(pool.symbols().axes[static_cast<std::size_t>(axis)]),
        bit_(std::uint32_t{1} << axis),
        most_(most) {}

  void visit(Expr e) {
    if (!visited_.insert(e).second) return;
    for (Expr argument : e->args) visit(argument);
    const Expr s = switch_of(pool_, e);
    if (s == nullptr || !decides_alone(s, bit_)) return;
    if (switches_.insert(s).second)
      for (double z : sign_changes(pool_, s, axis_.lower, axis_.upper, most_)) keep(z);
  }

  std::vector<double> found() {
    std::sort(found_.begin(), found_.end());
    return found_;
  }

 private:
  // At an end of the axis nothing has to be done.
  void keep(double z) {
    const double near =
        1e-12 * (axis_.upper - axis_.lower) + 8.0 * std::numeric_limits<double>::epsilon() * std::abs(z);
    const bool known =
        std::any_of(found_.begin(), found_.end(), [&](double other) { return std::abs(z - other) <= near; });
    if (!known && z > axis_.lower + near && z < axis_.upper - near) found_.push_back(z);
  }

  Pool& pool_;
  const Axis& axis_;
  std::uint32_t bit_;
  std::size_t most_;
  std::unordered_set<Expr> visited_, switches_;
  std::vector<double> found_;
};

}  // namespace

Expr switch_of(Pool& pool, Expr call) {
  if (call->op != Op::call) return nullptr;
  switch (call->function) {
    case Function::abs:
    case Function::sign:
    case Function::step:
      return call->args[0];
    case Function::min:
    case Function::max:
      return lower(pool, pool.difference(call->args[0], call->args[1]));
    default:
      return nullptr;
  }
}

bool decides_alone(Expr s, std::uint32_t axis) {
  return s->facts.degree == 0 && s->facts.direction_degree == 0 && s->facts.axes == axis && !holds_integral(s);
}

std::vector<double> sign_changes(const Pool& pool, Expr s, double lower, double upper, std::size_t most) {
  return SignChanges(pool, s, most).within(lower, upper);
}

std::vector<double> kinks_along(Pool& pool, std::span<const Expr> expressions, int axis, std::size_t most) {
  KinkSearch search(pool, axis, most);
  for (Expr e : expressions) search.visit(e);
  return search.found();
}

}  // namespace gwrm::expression
