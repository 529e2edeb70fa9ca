#include "expression/outer_flux.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <unordered_set>
#include <utility>

#include "core/errors.hpp"
#include "expression/kinks.hpp"
#include "expression/lowering.hpp"
#include "expression/printer.hpp"

namespace gwrm::expression {
namespace {

constexpr std::size_t kMostJumps = 500;  // of one argument

// What stands outside a derivative, from the inside to the outside.
struct Outside {
  enum class Kind { negate, multiply, divide, derivative } kind = Kind::negate;
  Expr factor = nullptr;  // multiply, divide
  std::string axis = {};  // derivative along another axis
  int order = 0;
  bool operator==(const Outside&) const = default;
};

// w dx^order(under).
struct OuterTerm {
  Expr under = nullptr;
  int order = 0;
  std::vector<Outside> outside;
};

class FluxSearch {
 public:
  FluxSearch(Pool& pool, int axis, const std::vector<int>& continuous)
      : pool_(pool),
        axis_(pool.symbols().axes[static_cast<std::size_t>(axis)]),
        number_(static_cast<std::size_t>(axis)),
        bit_(std::uint32_t{1} << axis),
        continuous_(continuous) {}

  std::vector<ContinuousFluxes> run(Expr left, Expr right) {
    std::unordered_set<Expr> seen;
    if (!switches(left, seen) && !switches(right, seen)) return {};
    gather(left, {});
    gather(right, {{Outside::Kind::negate}});
    std::vector<double> places;
    for (const OuterTerm& term : terms_)
      for (double z : jumps_of(term))
        if (!contains(places, z)) places.push_back(z);
    std::sort(places.begin(), places.end());
    std::vector<ContinuousFluxes> result;
    for (double z : places) result.push_back({z, fluxes_at(terms_, z)});
    return result;
  }

 private:
  bool switches(Expr e, std::unordered_set<Expr>& seen) {
    if ((e->facts.axes & bit_) == 0 || !seen.insert(e).second) return false;
    return (e->op == Op::call && may_switch(e->function)) ||
           std::any_of(e->args.begin(), e->args.end(), [&](Expr a) { return switches(a, seen); });
  }
  static bool may_switch(Function function) {
    return function == Function::abs || function == Function::sign || function == Function::step ||
           function == Function::min || function == Function::max;
  }

  bool contains(const std::vector<double>& places, double z) const {
    const double near =
        1e-12 * (axis_.upper - axis_.lower) + 8.0 * std::numeric_limits<double>::epsilon() * std::abs(z);
    return std::any_of(places.begin(), places.end(), [&](double other) { return std::abs(other - z) <= near; });
  }

  bool is_along(Expr e) const {
    return (e->op == Op::derivative && e->name == axis_.name) ||
           (e->op == Op::laplacian && axis_.kind == AxisKind::space);
  }

  // Whether a derivative along the axis stands in e, of what varies along it there and is not smooth data.
  bool is_differentiated(Expr e) {
    if ((e->facts.axes & bit_) == 0) return false;
    if (const auto known = differentiated_.find(e); known != differentiated_.end()) return known->second;
    std::unordered_set<Expr> seen;
    const bool result = (is_along(e) && (e->facts.degree > 0 || switches(e, seen))) ||
                        std::any_of(e->args.begin(), e->args.end(), [&](Expr a) { return is_differentiated(a); });
    differentiated_.emplace(e, result);
    return result;
  }

  // The terms of e, which stands within what `outside` lists.
  void gather(Expr e, std::vector<Outside> outside) {
    if (!is_differentiated(e)) return;
    const auto within = [&](Expr part, Outside added) {
      std::vector<Outside> more{std::move(added)};
      more.insert(more.end(), outside.begin(), outside.end());
      gather(part, std::move(more));
    };
    switch (e->op) {
      case Op::add:
        gather(e->args[0], outside);
        return gather(e->args[1], outside);
      case Op::subtract:
        gather(e->args[0], outside);
        return within(e->args[1], {Outside::Kind::negate});
      case Op::negate:
        return within(e->args[0], {Outside::Kind::negate});
      case Op::multiply:
        for (int i = 0; i < 2; ++i)
          if (!is_differentiated(e->args[1 - i])) return within(e->args[i], {Outside::Kind::multiply, e->args[1 - i]});
        return refuse_jumps(e);
      case Op::divide:
        if (!is_differentiated(e->args[1])) return within(e->args[0], {Outside::Kind::divide, e->args[1]});
        return refuse_jumps(e);
      case Op::derivative:
        if (!is_along(e)) return within(e->args[0], {Outside::Kind::derivative, nullptr, e->name, e->order});
        terms_.push_back(collapsed(e, std::move(outside)));
        return;
      case Op::laplacian:
        terms_.push_back({e->args[0], 2, outside});
        for (const Axis& other : pool_.symbols().axes)
          if (other.kind == AxisKind::space && other.name != axis_.name)
            within(e->args[0], {Outside::Kind::derivative, nullptr, other.name, 2});
        return;
      default:
        return refuse_jumps(e);
    }
  }

  // dx(dx(F), 2) is dx(F, 3).
  OuterTerm collapsed(Expr e, std::vector<Outside> outside) const {
    OuterTerm term{e->args[0], e->order, std::move(outside)};
    while (term.under->op == Op::derivative && term.under->name == axis_.name) {
      term.order += term.under->order;
      term.under = term.under->args[0];
    }
    return term;
  }

  // The jumps of dx^j(F), j < order.
  std::vector<double> jumps_of(const OuterTerm& term) {
    std::vector<double> places = jumps_in(term.under);
    if (term.order > 1)
      for (double z : jumps_in(pool_.derivative(term.under, axis_.name, term.order - 1)))
        if (!contains(places, z)) places.push_back(z);
    return places;
  }

  // Where `step` and `sign` switch in e, once lowered, by arguments of this axis.
  const std::vector<double>& jumps_in(Expr e) {
    const auto [known, is_new] = jumps_.try_emplace(e);
    if (!is_new) return known->second;
    std::vector<double> places;
    std::unordered_set<Expr> seen;
    const auto visit = [&](auto&& self, Expr part) -> void {
      if ((part->facts.axes & bit_) == 0 || !seen.insert(part).second) return;
      for (Expr arg : part->args) self(self, arg);
      if (part->op != Op::call || (part->function != Function::step && part->function != Function::sign)) return;
      if (!decides_alone(part->args[0], bit_)) return;
      const std::vector<double> changes = sign_changes(pool_, part->args[0], axis_.lower, axis_.upper, kMostJumps + 1);
      if (changes.size() > kMostJumps)
        throw CaseError("a coefficient under a derivative jumps at more than " + std::to_string(kMostJumps) +
                        " places along " + axis_.name + ": each would be an edge of subdomains");
      for (double z : changes)
        if (!contains({axis_.lower, axis_.upper}, z) && !contains(places, z)) places.push_back(z);
    };
    visit(visit, lower(pool_, e));
    return jumps_.at(e) = std::move(places);
  }

  bool jumps_at(const OuterTerm& term, double z) { return contains(jumps_of(term), z); }

  // Whether e is continuous at z.
  bool is_continuous(Expr e, double z) {
    const Expr lowered = lower(pool_, e);
    if (contains(jumps_in(e), z)) return false;
    const std::vector<AtomUse> uses = atom_uses(pool_, lowered);
    return std::all_of(uses.begin(), uses.end(), [&](const AtomUse& use) {
      const std::vector<std::string>& dims = pool_.symbols().fields[static_cast<std::size_t>(use.atom.field)].dims;
      return use.atom.restricted[number_] || (use.integrated & bit_) != 0 ||
             std::find(dims.begin(), dims.end(), axis_.name) == dims.end() ||
             use.atom.orders[number_] <= continuous_[static_cast<std::size_t>(use.atom.field)];
    });
  }
  bool is_continuous_outside(const OuterTerm& term, double z) {
    return std::all_of(term.outside.begin(), term.outside.end(),
                       [&](const Outside& one) { return one.factor == nullptr || is_continuous(one.factor, z); });
  }

  // G_0, G_1, .. at z of the sum of these terms.
  std::vector<Expr> fluxes_at(const std::vector<OuterTerm>& all, double z) {
    // w dx(F) is finite where F does not jump; it changes nothing where w does not jump either. A jump outside that all
    // others share, as 1/c in front of dx(k*dx(u)), does not matter: [F] = 0.
    std::vector<OuterTerm> terms = all;
    const auto jumps_outside = [&](const OuterTerm& term) { return !is_continuous_outside(term, z); };
    if (std::any_of(all.begin(), all.end(), jumps_outside)) {
      std::erase_if(terms, [&](const OuterTerm& term) {
        return is_continuous(term.under, z) && is_continuous(derived(term, term.order - 1), z);
      });
      if (std::any_of(terms.begin(), terms.end(), jumps_outside)) take_common_away(terms);
    }
    int highest = 0;
    for (const OuterTerm& term : terms) highest = std::max(highest, term.order);
    std::vector<Expr> fluxes;
    for (int p = 0; p < highest; ++p) {
      const auto is_finite = [&](const OuterTerm& term) {
        return term.order <= p || is_continuous(derived(term, term.order - 1 - p), z);
      };
      if (p > 0 && std::all_of(terms.begin(), terms.end(), is_finite)) break;
      Expr sum = nullptr;
      for (const OuterTerm& term : terms) {
        if (term.order <= p) continue;
        if (p > 0 && !is_constant_outside(term)) refuse(term);
        const Expr one = flux(term, term.order - 1 - p);
        sum = sum == nullptr ? one : pool_.binary(Op::add, sum, one);
      }
      fluxes.push_back(sum->op == Op::negate ? sum->args[0] : sum);
    }
    add_inner(terms, z, fluxes);
    return fluxes;
  }

  static void take_common_away(std::vector<OuterTerm>& terms) {
    const auto but_signs = [](std::vector<Outside> outside) {
      std::erase_if(outside, [](const Outside& one) { return one.kind == Outside::Kind::negate; });
      return outside;
    };
    for (const OuterTerm& term : terms)
      if (but_signs(term.outside) != but_signs(terms.front().outside) ||
          std::any_of(term.outside.begin(), term.outside.end(),
                      [](const Outside& one) { return one.kind == Outside::Kind::derivative; }))
        refuse(term);
    for (OuterTerm& term : terms)
      std::erase_if(term.outside, [](const Outside& one) { return one.kind != Outside::Kind::negate; });
  }

  bool is_constant_outside(const OuterTerm& term) const {
    return std::all_of(term.outside.begin(), term.outside.end(), [&](const Outside& one) {
      return one.factor == nullptr || (one.factor->facts.axes & bit_) == 0;
    });
  }

  Expr derived(const OuterTerm& term, int order) {
    return order == 0 ? term.under : pool_.derivative(term.under, axis_.name, order);
  }

  // w dx^order(F).
  Expr flux(const OuterTerm& term, int order) {
    Expr e = derived(term, order);
    for (const Outside& one : term.outside) switch (one.kind) {
        case Outside::Kind::negate:
          e = e->op == Op::negate ? e->args[0] : pool_.unary(Op::negate, e);
          break;
        case Outside::Kind::multiply:
          e = pool_.binary(Op::multiply, one.factor, e);
          break;
        case Outside::Kind::divide:
          e = pool_.binary(Op::divide, e, one.factor);
          break;
        case Outside::Kind::derivative:
          e = pool_.derivative(e, one.axis, one.order);
          break;
      }
    return e;
  }

  // Derivatives within the fluxes that are of what jumps at z: one at most.
  void add_inner(const std::vector<OuterTerm>& terms, double z, std::vector<Expr>& fluxes) {
    std::vector<Expr> found;
    std::unordered_set<Expr> seen;
    const auto visit = [&](auto&& self, Expr e) -> void {
      if ((e->facts.axes & bit_) == 0 || !seen.insert(e).second) return;
      if (is_along(e) && jumps_at(term_of(e), z)) return found.push_back(e);
      for (Expr arg : e->args) self(self, arg);
    };
    for (const OuterTerm& term : terms) visit(visit, term.under);
    if (found.empty()) return;
    if (found.size() > 1) refuse(term_of(found.back()));
    for (Expr next : fluxes_at({term_of(found.front())}, z)) fluxes.push_back(next);
  }

  OuterTerm term_of(Expr derivative) const {
    return derivative->op == Op::laplacian ? OuterTerm{derivative->args[0], 2, {}} : collapsed(derivative, {});
  }

  // e is no sum of derivatives: none of them may be of a jump.
  void refuse_jumps(Expr e) {
    std::unordered_set<Expr> seen;
    const auto visit = [&](auto&& self, Expr part) -> void {
      if ((part->facts.axes & bit_) == 0 || !seen.insert(part).second) return;
      if (is_along(part) && !jumps_of(term_of(part)).empty()) refuse(term_of(part));
      for (Expr arg : part->args) self(self, arg);
    };
    visit(visit, e);
  }

  [[noreturn]] static void refuse(const OuterTerm& term) {
    throw CaseError("the derivative of " + print(term.under) +
                    " is infinite where it jumps, and its product with something else that jumps there has no value: "
                    "write the equation with the whole flux under one derivative, as dx(k*dx(u)), and factors that "
                    "jump on the other side");
  }

  Pool& pool_;
  const Axis& axis_;
  std::size_t number_;
  std::uint32_t bit_;
  const std::vector<int>& continuous_;
  std::vector<OuterTerm> terms_;
  std::map<Expr, bool> differentiated_;
  std::map<Expr, std::vector<double>> jumps_;
};

}  // namespace

std::vector<ContinuousFluxes> continuous_fluxes(Pool& pool, Expr left, Expr right, int axis,
                                                const std::vector<int>& continuous) {
  return FluxSearch(pool, axis, continuous).run(left, right);
}

}  // namespace gwrm::expression
