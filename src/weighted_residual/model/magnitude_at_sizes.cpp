#include "weighted_residual/model/magnitude_at_sizes.hpp"

#include <cmath>
#include <limits>

#include "core/array.hpp"
#include "expression/lowering.hpp"
#include "expression/scalar_functions.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Op;

constexpr double kUnknown = std::numeric_limits<double>::infinity();
constexpr int kMostVisits = 100000;  // trees share their branches: some would be walked for ever

class Evaluation {
 public:
  Evaluation(const expression::Pool& pool, const std::vector<Axis>& axes, const std::vector<double>& sizes,
             double place)
      : pool_(pool), axes_(axes), sizes_(sizes), place_(place) {}

  // In sums of magnitudes nothing cancels.
  double magnitude(Expr e) {
    if (++n_visits_ > kMostVisits) return kUnknown;
    switch (e->op) {
      case Op::add:
      case Op::subtract:
        return magnitude(e->args[0]) + magnitude(e->args[1]);
      case Op::negate:
        return magnitude(e->args[0]);
      case Op::multiply:
        return magnitude(e->args[0]) * magnitude(e->args[1]);
      case Op::divide:
        return magnitude(e->args[0]) / magnitude(e->args[1]);
      case Op::power:
        return std::abs(expression::power(magnitude(e->args[0]), value(e->args[1])));
      case Op::integral:
        return length(e->name) * magnitude(e->args[0]);
      default:
        return std::abs(value(e));
    }
  }

 private:
  double value(Expr e) {
    if (++n_visits_ > kMostVisits) return kUnknown;
    switch (e->op) {
      case Op::number:
        return e->value;
      case Op::pi:
        return M_PI;
      case Op::constant:
        return pool_.symbols().find_constant(e->name)->value;
      case Op::coordinate: {
        const Axis& axis = axes_[at(pool_.symbols().find_axis(e->name))];
        if (axis.map == MapKind::log) return axis.lower * std::pow(axis.upper / axis.lower, place_);
        return axis.lower + place_ * (axis.upper - axis.lower);
      }
      case Op::data:
        return std::max(std::abs(e->facts.range.lower), std::abs(e->facts.range.upper));
      case Op::add:
        return value(e->args[0]) + value(e->args[1]);
      case Op::subtract:
        return value(e->args[0]) - value(e->args[1]);
      case Op::negate:
        return -value(e->args[0]);
      case Op::multiply:
        return value(e->args[0]) * value(e->args[1]);
      case Op::divide:
        return value(e->args[0]) / value(e->args[1]);
      case Op::power:
        return expression::power(value(e->args[0]), value(e->args[1]));
      case Op::integral:
        return length(e->name) * value(e->args[0]);
      case Op::call: {
        const double first = value(e->args[0]);
        return e->args.size() == 1 ? expression::apply(e->function, first)
                                   : expression::apply(e->op, e->function, first, value(e->args[1]));
      }
      default:
        break;
    }
    if (!expression::is_atom(e)) return kUnknown;
    const expression::Atom atom = expression::atom_of(pool_, e);
    return sizes_[at(atom.field)] * share_of_derivative(axes_, atom.orders);
  }

  double length(const std::string& name) const {
    const Axis& axis = axes_[at(pool_.symbols().find_axis(name))];
    return axis.upper - axis.lower;
  }

  const expression::Pool& pool_;
  const std::vector<Axis>& axes_;
  const std::vector<double>& sizes_;
  double place_;
  int n_visits_ = 0;
};

}  // namespace

double share_of_derivative(const std::vector<Axis>& axes, const std::vector<int>& orders) {
  double share = 1.0;
  for (std::size_t axis = 0; axis < axes.size(); ++axis)
    share /= std::pow(axes[axis].upper - axes[axis].lower, orders[axis]);
  return share;
}

double magnitude_at_sizes(const expression::Pool& pool, const std::vector<Axis>& axes, Expr e,
                          const std::vector<double>& sizes, double place) {
  const double magnitude = Evaluation(pool, axes, sizes, place).magnitude(e);
  return std::isnan(magnitude) ? kUnknown : magnitude;
}

}  // namespace gwrm
