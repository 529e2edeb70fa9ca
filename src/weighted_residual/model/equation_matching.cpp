#include "weighted_residual/model/equation_matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "basis/axis_basis.hpp"
#include "core/array.hpp"
#include "weighted_residual/model/multipliers.hpp"

namespace gwrm {
namespace {

// A slot that an item may take; the lower the rank the better, among equals the first slot.
struct Choice {
  int rank = 0, slot = 0;
  auto operator<=>(const Choice&) const = default;
};
using Choices = std::vector<Choice>;  // ascending

// Most choices are the same for many items (any unknown with these dimensions will do): they are listed once. A slot
// that an item prefers stands among its own choices, and again among the common ones with a rank that is no better.
struct Item {
  Choices own;
  std::size_t common = 0;  // index of a list
};

// Bipartite matching by augmenting paths (Kuhn), every item's choices best first, and of those of one rank the free
// ones first. One item after another is placed, and those already placed move only if they must. Cost of placing one:
// at most the number of own choices of all items and of slots in the lists; if its best slot is free, one step.
class Matching {
 public:
  Matching(const std::vector<Item>& items, const std::vector<Choices>& common, std::size_t n_slots)
      : items_(items),
        common_(common),
        owner_(n_slots, -1),
        visited_in_(n_slots, -1),
        unvisited_(common.size()),
        free_(common.size()) {}

  // The slot of each item; -1 of the first for which none is left, and of those after it.
  std::vector<int> run() {
    std::vector<int> slot_of(items_.size(), -1);
    for (std::size_t item = 0; item < items_.size() && place(static_cast<int>(item)); ++item) continue;
    for (std::size_t slot = 0; slot < owner_.size(); ++slot)
      if (owner_[slot] >= 0) slot_of[at(owner_[slot])] = static_cast<int>(slot);
    return slot_of;
  }

 private:
  // An item on the path, and the slot that it wants to take.
  struct Step {
    int item = 0;
    std::size_t next_own = 0;
    int slot = -1;
  };

  // Depth first, with a stack of its own: paths can be as long as there are items.
  bool place(int item) {
    search_ = item;
    std::fill(unvisited_.begin(), unvisited_.end(), 0);
    std::vector<Step> path{{item}};
    while (!path.empty()) {
      const std::optional<int> slot = next_choice(path.back());
      if (!slot) {
        path.pop_back();
        continue;
      }
      visited_in_[at(*slot)] = search_;
      path.back().slot = *slot;
      if (const int owner = owner_[at(*slot)]; owner >= 0) {
        path.push_back({owner});
        continue;
      }
      for (const Step& step : path) owner_[at(step.slot)] = step.item;
      return true;
    }
    return false;
  }

  bool visited(const Choice& choice) const { return visited_in_[at(choice.slot)] == search_; }

  bool is_free(const Choice& choice) const { return owner_[at(choice.slot)] < 0; }

  // A free slot among the item's choices of this rank. A slot that has an owner never becomes free again.
  std::optional<int> free_choice(const Step& step, int rank) {
    const Item& item = items_[at(step.item)];
    for (std::size_t i = step.next_own; i < item.own.size() && item.own[i].rank == rank; ++i)
      if (is_free(item.own[i])) return item.own[i].slot;
    const Choices& list = common_[item.common];
    std::size_t& first = free_[item.common];
    while (first < list.size() && !is_free(list[first])) ++first;
    if (first < list.size() && list[first].rank == rank) return list[first].slot;
    return std::nullopt;
  }

  // The best slot that this search has not visited. In a common list no search looks twice at what it has visited.
  std::optional<int> next_choice(Step& step) {
    const Item& item = items_[at(step.item)];
    const Choices& list = common_[item.common];
    std::size_t& next_common = unvisited_[item.common];
    while (step.next_own < item.own.size() && visited(item.own[step.next_own])) ++step.next_own;
    while (next_common < list.size() && visited(list[next_common])) ++next_common;
    const bool has_own = step.next_own < item.own.size(), has_common = next_common < list.size();
    if (!has_own && !has_common) return std::nullopt;
    const bool takes_own = has_own && (!has_common || item.own[step.next_own] < list[next_common]);
    const Choice best = takes_own ? item.own[step.next_own] : list[next_common];
    if (is_free(best)) return best.slot;
    const std::optional<int> free = free_choice(step, best.rank);
    return free ? *free : best.slot;
  }

  const std::vector<Item>& items_;
  const std::vector<Choices>& common_;
  std::vector<int> owner_;              // of each slot, -1: free
  std::vector<int> visited_in_;         // of each slot: the last search that visited it
  std::vector<std::size_t> unvisited_;  // of each list: all before this has been visited by this search
  std::vector<std::size_t> free_;       // of each list: all before this have an owner
  int search_ = -1;
};

// The lists that items share, by what they have in common: made once for each mask of axes.
class CommonChoices {
 public:
  template <class Make>
  std::size_t index(std::uint32_t mask, const Make& make) {
    const auto [known, is_new] = known_.try_emplace(mask, lists.size());
    if (is_new) {
      lists.push_back(make());
      std::sort(lists.back().begin(), lists.back().end());
    }
    return known->second;
  }
  std::vector<Choices> lists;

 private:
  std::map<std::uint32_t, std::size_t> known_;
};

constexpr std::uint32_t kNothing = ~0u;  // the mask of an empty list

// How badly an equation that varies along these axes and stands at this place wants to stand for an unknown; `orders`
// are the unknown's highest derivatives in it, null where it does not hold the unknown; leading: one of them is the
// equation's highest in space.
int rank_of(const Model& model, std::uint32_t varies, int equation, int f, const std::vector<int>* orders,
            bool leading = false) {
  const FieldModel& field = model.fields[at(f)];
  int value = 0;
  if (field.axes_mask() != varies) value += 16;
  // An unknown with dt belongs to an equation that holds it; one without dt takes what is left.
  const bool holds_highest =
      field.time_order > 0 && orders != nullptr && (*orders)[at(model.time_axis())] == field.time_order;
  if (!holds_highest) value += field.time_order > 0 ? 32 : 8;
  if (!leading) value += 4;
  if (f != equation) value += 2;
  if (orders == nullptr) value += 1;
  return value;
}

int highest_in_space(const Model& model, const expression::FieldOrders& entry) {
  int order = 0;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.axes[axis].kind == AxisKind::space) order = std::max(order, entry.orders[at(axis)]);
  return order;
}

}  // namespace

void match_equations(Model& model) {
  const int n = static_cast<int>(model.fields.size());
  std::vector<Item> items;
  CommonChoices common;
  for (int e = 0; e < static_cast<int>(model.equations.size()); ++e) {
    const EquationModel& equation = model.equations[at(e)];
    const std::uint32_t varies = equation.residual->facts.axes;
    const auto may_stand_for = [&](int f) { return (varies & ~model.fields[at(f)].axes_mask()) == 0; };
    Item item;
    if (equation.field >= 0) {  // a constraint stands for its multiplier, and no other equation may
      item.own.push_back({0, equation.field});
      item.common = common.index(kNothing, [] { return Choices(); });
      items.push_back(std::move(item));
      continue;
    }
    int highest = 0;
    for (const expression::FieldOrders& entry : equation.fields)
      highest = std::max(highest, highest_in_space(model, entry));
    for (const expression::FieldOrders& entry : equation.fields)
      if (may_stand_for(entry.field))
        item.own.push_back({rank_of(model, varies, e, entry.field, &entry.orders,
                                    highest > 0 && highest_in_space(model, entry) == highest),
                            entry.field});
    if (e < n && may_stand_for(e)) item.own.push_back({rank_of(model, varies, e, e, nullptr), e});
    std::sort(item.own.begin(), item.own.end());
    item.common = common.index(varies, [&] {
      Choices fields;
      for (int f = 0; f < n; ++f)
        if (may_stand_for(f)) fields.push_back({rank_of(model, varies, -1, f, nullptr), f});
      return fields;
    });
    items.push_back(std::move(item));
  }
  const std::vector<int> field_of = Matching(items, common.lists, at(n)).run();
  for (std::size_t e = 0; e < model.equations.size(); ++e) {
    if (field_of[e] < 0)
      throw_case_error(
          model.equations[e].text, 0,
          fmt::format("this equation varies along ({}), but no unknown with these dimensions is left for it; "
                      "each equation needs an unknown of its own with at least its dimensions",
                      model.axes_text(model.equations[e].residual->facts.axes)));
    model.equations[e].field = field_of[e];
    // Then it says the same everywhere along the others, and nothing of how the unknown varies there.
    const FieldModel& field = model.fields[at(field_of[e])];
    if (const std::uint32_t others = field.axes_mask() & ~model.equations[e].residual->facts.axes; others != 0)
      throw_case_error(model.equations[e].text, 0,
                       fmt::format("this equation is the same everywhere along {0} and cannot determine {1}, which "
                                   "varies there: say {{name: {1}, dims: [..]}} without {0} under `unknowns` ([]: a "
                                   "number), or give {1} an equation that varies along {0}",
                                   model.axes_text(others), field.name));
  }
}

namespace {

std::string count_table(const Model& model, int axis) {
  std::string text;
  for (const EquationModel& equation : model.equations) {
    const int order = equation.orders[axis];
    if (equation.n_conditions[axis] > 0)
      text += fmt::format("\n  order {} along {}: {}", order, model.axes[axis].name, equation.text.text);
  }
  for (std::size_t f = 0; f < model.fields.size(); ++f) {
    int needed = 0, given = 0;
    for (const EquationModel& equation : model.equations)
      if (equation.field == static_cast<int>(f)) needed += equation.n_conditions[axis];
    for (const ConditionModel& condition : model.conditions)
      if (condition.axis == axis && !condition.inner_edge &&
          expression::derivative_order(condition.fields, static_cast<int>(f), axis) >= 0)
        ++given;
    if (needed > 0 || given > 0)
      text += fmt::format("\n  {}: {} condition{} along {} given, {} needed", model.fields[f].name, given,
                          given == 1 ? "" : "s", model.axes[axis].name, needed);
  }
  return text;
}

std::string cure_of_surplus(const Model& model, int axis) {
  if (!make_basis(model.subdomains[axis])->is_periodic()) {
    for (const Multiplier& multiplier : model.multipliers)
      for (const ConditionModel& condition : model.conditions)
        if (condition.axis == axis && expression::derivative_order(condition.fields, multiplier.field, axis) >= 0)
          return fmt::format(
              "; {} is {} and takes no condition of its own: the one that holds it takes the place of one "
              "of the others, which is one too many",
              model.fields[at(multiplier.field)].name, describe(model, multiplier));
    return {};
  }
  return fmt::format("; {0} is periodic by its basis: leave the conditions along {0} out", model.axes[axis].name);
}

}  // namespace

void match_conditions(Model& model) {
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!model.is_modal(axis)) continue;
    std::vector<int> slots;  // the equation that each free place along this axis belongs to
    for (int e = 0; e < static_cast<int>(model.equations.size()); ++e)
      for (int i = 0; i < model.equations[e].n_conditions[axis]; ++i) slots.push_back(e);
    std::vector<int> along;
    for (int c = 0; c < static_cast<int>(model.conditions.size()); ++c) {
      const ConditionModel& condition = model.conditions[c];
      if (condition.axis != axis || condition.inner_edge) continue;
      if (condition.equation < 0)
        along.push_back(c);
      else  // an equation at the end of the axis has its place
        slots.erase(std::find(slots.begin(), slots.end(), condition.equation));
    }

    const std::string& name = model.axes[axis].name;
    if (along.size() < slots.size()) {
      const SourceText& where =
          slots.empty() ? model.equations.front().text : model.equations[static_cast<std::size_t>(slots.back())].text;
      throw_case_error(
          where, 0,
          fmt::format("missing boundary condition: the equations need {} along {}, {} given under `boundary`{}",
                      slots.size(), name, along.size(), count_table(model, axis)));
    }
    if (along.size() > slots.size())
      throw_case_error(
          model.conditions[static_cast<std::size_t>(along.back())].text, 0,
          fmt::format("surplus boundary condition: the equations take {} along {}, {} given{}{}", slots.size(), name,
                      along.size(), cure_of_surplus(model, axis), count_table(model, axis)));

    std::vector<std::vector<int>> slots_of(model.fields.size());  // of the equation that stands for the field
    for (int s = 0; s < static_cast<int>(slots.size()); ++s)
      slots_of[at(model.equations[at(slots[at(s)])].field)].push_back(s);
    std::vector<Item> items;
    CommonChoices common;
    for (int c : along) {
      const ConditionModel& condition = model.conditions[at(c)];
      const std::uint32_t varies = condition.residual->facts.axes;
      // A condition may not vary along more dimensions than the unknown of the equation it replaces.
      const auto is_allowed = [&](int field) { return (varies & ~model.fields[at(field)].axes_mask()) == 0; };
      Item item;
      for (const expression::FieldOrders& entry : condition.fields)
        if (is_allowed(entry.field))
          for (int slot : slots_of[at(entry.field)]) item.own.push_back({0, slot});
      std::sort(item.own.begin(), item.own.end());
      item.common = common.index(varies, [&] {
        Choices allowed;
        for (int s = 0; s < static_cast<int>(slots.size()); ++s)
          if (is_allowed(model.equations[at(slots[at(s)])].field)) allowed.push_back({1, s});
        return allowed;
      });
      items.push_back(std::move(item));
    }
    const std::vector<int> slot_of = Matching(items, common.lists, slots.size()).run();
    for (std::size_t i = 0; i < along.size(); ++i) {
      ConditionModel& condition = model.conditions[static_cast<std::size_t>(along[i])];
      if (slot_of[i] < 0)
        throw_case_error(condition.text, 0,
                         "this condition varies along dimensions that no equation left has" + count_table(model, axis));
      condition.equation = slots[static_cast<std::size_t>(slot_of[i])];
    }
  }
}

void match_means(Model& model) {
  std::set<int> taken;
  for (ConditionModel& condition : model.conditions) {
    if (condition.mean_axes.empty()) continue;
    const std::uint32_t varies = condition.residual->facts.axes;
    std::string names, moving;
    for (const expression::FieldOrders& entry : condition.fields) {
      const FieldModel& field = model.fields[at(entry.field)];
      names += (names.empty() ? "" : ", ") + field.name;
      if (field.time_order > 0) {
        moving += (moving.empty() ? "" : ", ") + field.name;
        continue;
      }
      std::uint32_t others = field.axes_mask();
      for (int axis : condition.mean_axes) others &= ~(1u << axis);
      if (condition.equation >= 0 || (varies & ~others) != 0) continue;
      for (int e = 0; e < static_cast<int>(model.equations.size()); ++e)
        if (model.equations[at(e)].field == entry.field && taken.insert(e).second) condition.equation = e;
    }
    if (condition.equation >= 0) continue;
    throw_case_error(
        condition.text, 0,
        names == moving
            ? fmt::format("dt({}) and the initial value determine this mean: leave the condition out", names)
            : fmt::format("this condition fixes the mean of {} a second time: leave it out", names));
  }
}

}  // namespace gwrm
