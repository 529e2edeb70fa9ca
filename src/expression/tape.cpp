#include "expression/tape.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/errors.hpp"
#include "core/matrix.hpp"
#include "core/weighted_sum.hpp"
#include "expression/data_function.hpp"
#include "expression/lowering.hpp"
#include "expression/printer.hpp"
#include "expression/scalar_functions.hpp"
#include "expression/tape_operations.hpp"

namespace gwrm::expression {

// --- compilation ---

class Tape::Builder {
 public:
  Builder(Tape& tape, const Symbols& symbols, const std::vector<Expr>& given)
      : tape_(tape), symbols_(symbols), given_(given.begin(), given.end()) {}

  void build(std::span<const Expr> outputs) {
    for (Expr e : outputs) find_leaves(e);
    for (Expr e : outputs) tape_.outputs_.push_back(slot_of(e));
    mark_last_uses();
  }

 private:
  // Leaves first, so that slots of leaves and of instructions do not mix.
  void find_leaves(Expr e) {
    if (!visited_.emplace(e, true).second) return;
    if (is_atom(e) || e->op == Op::coordinate || given_.contains(e)) {
      slots_.emplace(e, static_cast<int>(tape_.leaves_.size()));
      tape_.leaves_.push_back(e);
      return;
    }
    for (Expr arg : e->args) find_leaves(arg);
  }

  int slot_of(Expr e) {
    if (const auto known = slots_.find(e); known != slots_.end()) return known->second;
    Instruction instruction;
    instruction.op = e->op;
    switch (e->op) {
      case Op::number:
        instruction.value = e->value;
        break;
      case Op::call:
        instruction.function = e->function;
        break;
      case Op::integral:
        instruction.axis = symbols_.find_axis(e->name);
        break;
      case Op::data:
        return slot_of_data(e);
      case Op::negate:
      case Op::add:
      case Op::subtract:
      case Op::multiply:
      case Op::divide:
      case Op::power:
        break;
      default:
        throw Error(ExitStatus::internal_error, "Tape: the expression is not lowered: " + print(e));
    }
    if (!e->args.empty()) instruction.first = slot_of(e->args[0]);
    if (has_integer_exponent(e))
      instruction.value = e->args[1]->value;
    else if (e->args.size() > 1)
      instruction.second = slot_of(e->args[1]);
    return push(e, instruction);
  }

  int slot_of_data(Expr e) {
    DataValue value;
    value.orders = e->orders;
    for (const DataSymbol& symbol : symbols_.data)
      if (symbol.name == e->name) value.function = symbol.function;
    for (Expr arg : e->args) value.arguments.push_back(slot_of(arg));
    Instruction instruction;
    instruction.op = Op::data;
    instruction.data = static_cast<int>(tape_.data_.size());
    tape_.data_.push_back(std::move(value));
    return push(e, instruction);
  }

  int push(Expr e, const Instruction& instruction) {
    tape_.instructions_.push_back(instruction);
    const int slot = static_cast<int>(tape_.leaves_.size() + tape_.instructions_.size()) - 1;
    slots_.emplace(e, slot);
    return slot;
  }

  static bool has_integer_exponent(Expr e) {
    return e->op == Op::power && e->args[1]->op == Op::number && is_small_integer(e->args[1]->value);
  }

  void mark_last_uses() {
    const int n_leaves = static_cast<int>(tape_.leaves_.size());
    for (std::size_t i = 0; i < tape_.instructions_.size(); ++i)
      for (int slot : tape_.arguments_of(tape_.instructions_[i]))
        if (slot >= n_leaves) instruction_at(slot).last_use = static_cast<int>(i);
    for (int slot : tape_.outputs_)
      if (slot >= n_leaves) instruction_at(slot).last_use = -1;
  }

  Instruction& instruction_at(int slot) {
    return tape_.instructions_[static_cast<std::size_t>(slot) - tape_.leaves_.size()];
  }

  Tape& tape_;
  const Symbols& symbols_;
  std::unordered_set<Expr> given_;
  std::unordered_map<Expr, bool> visited_;
  std::unordered_map<Expr, int> slots_;
};

Tape::Tape(const Pool& pool, std::span<const Expr> outputs, const std::vector<Expr>& given)
    : n_axes_(pool.symbols().axes.size()) {
  Builder(*this, pool.symbols(), given).build(outputs);
}

std::vector<int> Tape::arguments_of(const Instruction& instruction) const {
  if (instruction.data >= 0) return data_[static_cast<std::size_t>(instruction.data)].arguments;
  std::vector<int> slots;
  for (int slot : {instruction.first, instruction.second})
    if (slot >= 0) slots.push_back(slot);
  return slots;
}

std::vector<bool> Tape::depends_on(const std::vector<bool>& leaves) const {
  std::vector<bool> marked = leaves;
  for (const Instruction& instruction : instructions_) {
    bool any = false;
    for (int argument : arguments_of(instruction)) any = any || marked[static_cast<std::size_t>(argument)];
    marked.push_back(any);
  }
  std::vector<bool> outputs;
  for (int slot : outputs_) outputs.push_back(marked[static_cast<std::size_t>(slot)]);
  return outputs;
}

// --- evaluation ---

// One evaluation: the values of all slots, and the memory of released ones for reuse.
class Tape::Run {
 public:
  Run(const Tape& tape, std::span<const ArrayView> leaf_values, std::span<const Vector> weights, Memory& memory)
      : tape_(tape),
        leaf_values_(leaf_values),
        weights_(weights),
        memory_(memory),
        values_(tape.instructions_.size()),
        views_(tape.instructions_.size()) {
    if (leaf_values.size() != tape.leaves_.size())
      throw ShapeError("Tape: " + std::to_string(leaf_values.size()) + " tensors for " +
                       std::to_string(tape.leaves_.size()) + " leaves");
    for (std::size_t i = 0; i < leaf_values.size(); ++i) check_leaf(leaf_values[i], tape.leaves_[i]);
  }

  std::vector<Array> outputs() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      values_[i] = compute(tape_.instructions_[i]);
      views_[i] = values_[i];
      for (int slot : tape_.arguments_of(tape_.instructions_[i])) release(slot, i);
    }
    std::vector<Array> results;
    for (auto slot = tape_.outputs_.begin(); slot != tape_.outputs_.end(); ++slot) {
      const bool again = std::find(slot + 1, tape_.outputs_.end(), *slot) != tape_.outputs_.end();
      if (again || is_leaf(*slot)) {
        const ArrayView& from = value(*slot);
        Array copy = allocate(from.shape);
        std::copy_n(from.data, from.size(), copy.data.begin());
        results.push_back(std::move(copy));
      } else
        results.push_back(std::move(values_[instruction_index(*slot)]));
    }
    for (Array& left : values_) memory_.give_back(std::move(left.data));
    return results;
  }

 private:
  void check_leaf(const ArrayView& leaf, Expr e) const {
    if (leaf.shape.size() != tape_.n_axes_)
      throw ShapeError("Tape: the tensor of " + print(e) + " has " + std::to_string(leaf.shape.size()) +
                       " extents for " + std::to_string(tape_.n_axes_) + " dimensions");
  }

  Array compute(const Instruction& instruction) {
    switch (instruction.op) {
      case Op::number: {
        Array result = allocate(Shape(tape_.n_axes_, 1));
        result.data[0] = instruction.value;
        return result;
      }
      case Op::integral:
        return integral(value(instruction.first), static_cast<std::size_t>(instruction.axis));
      case Op::negate:
        return unary(value(instruction.first), [](double z) { return -z; });
      case Op::data:
        return data(tape_.data_[static_cast<std::size_t>(instruction.data)]);
      default:
        break;
    }
    if (instruction.second >= 0) return binary(instruction, value(instruction.first), value(instruction.second));
    if (instruction.op == Op::power)
      return integer_power_of(value(instruction.first), static_cast<int>(instruction.value));
    Array result;
    with_unary(instruction.function, [&](auto f) { result = unary(value(instruction.first), f); });
    return result;
  }

  // Arguments that vary along one dimension each, in the order of the data's axes, make a grid; others are points.
  Array data(const DataValue& data) {
    std::vector<std::span<const double>> coordinates;
    Shape shape(tape_.n_axes_, 1);
    bool grid = true;
    std::size_t next = 0;
    for (int slot : data.arguments) {
      const ArrayView& argument = value(slot);
      coordinates.emplace_back(argument.data, static_cast<std::size_t>(argument.size()));
      shape = common_shape(shape, argument.shape);
      for (std::size_t d = 0; d < tape_.n_axes_; ++d) {
        if (argument.shape[d] == 1) continue;
        grid = grid && d >= next;
        next = d + 1;
      }
    }
    Array result = allocate(shape);
    if (result.data.empty()) return result;
    if (grid) {
      data.function->on_grid(coordinates, data.orders, result.data);
      return result;
    }
    std::vector<Array> everywhere;  // of arguments that are neither numbers nor of the whole shape
    everywhere.reserve(coordinates.size());
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const ArrayView& argument = value(data.arguments[i]);
      if (argument.size() == 1 || argument.shape == shape) continue;
      everywhere.push_back(broadcast_to(argument, shape));
      coordinates[i] = everywhere.back().data;
    }
    data.function->at_points(coordinates, data.orders, result.data);
    return result;
  }

  static Array broadcast_to(const ArrayView& a, const Shape& shape) {
    Array result(shape);
    const Array zero(Shape(shape.size(), 1));
    const auto loops = broadcast_loops(a.shape, zero.shape, shape);
    broadcast(loops.data(), loops.size(), a.data, zero.data.data(), result.data.data(),
              [](double z, double) { return z; });
    return result;
  }

  template <class Operation>
  Array unary(const ArrayView& a, Operation f) {
    Array result = allocate(a.shape);
    unary_loop(a.data, result.data.data(), a.size(), f);
    return result;
  }

  Array integer_power_of(const ArrayView& a, int exponent) {
    switch (exponent) {  // the frequent ones vectorise
      case 2:
        return unary(a, [](double z) { return z * z; });
      case 3:
        return unary(a, [](double z) { return z * z * z; });
      case 4:
        return unary(a, [](double z) { return (z * z) * (z * z); });
      case -1:
        return unary(a, [](double z) { return 1.0 / z; });
      case -2:
        return unary(a, [](double z) { return 1.0 / (z * z); });
      default:
        return unary(a, [exponent](double z) { return integer_power(z, exponent); });
    }
  }

  Array binary(const Instruction& instruction, const ArrayView& a, const ArrayView& b) {
    Array result = allocate(common_shape(a.shape, b.shape));
    if (result.data.empty()) return result;
    const auto loops = broadcast_loops(a.shape, b.shape, result.shape);
    with_binary(instruction.op, instruction.function,
                [&](auto f) { broadcast(loops.data(), loops.size(), a.data, b.data, result.data.data(), f); });
    return result;
  }

  static Shape common_shape(const Shape& a, const Shape& b) {
    Shape shape(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] != b[i] && a[i] != 1 && b[i] != 1)
        throw ShapeError("Tape: extents " + std::to_string(a[i]) + " and " + std::to_string(b[i]) +
                         " clash along dimension " + std::to_string(i));
      shape[i] = a[i] == 1 ? b[i] : a[i];
    }
    return shape;
  }

  Array integral(const ArrayView& a, std::size_t axis) {
    if (axis >= weights_.size() || weights_[axis].size() == 0)
      throw ShapeError("Tape: no quadrature weights for an integral over dimension " + std::to_string(axis));
    const Vector& weights = weights_[axis];
    const Index n = a.shape[axis];
    if (n == 1) {  // constant along the axis
      const double length = weights.sum();
      return unary(a, [length](double z) { return length * z; });
    }
    if (n != weights.size())
      throw ShapeError("Tape: " + std::to_string(weights.size()) + " quadrature weights for " + std::to_string(n) +
                       " points along dimension " + std::to_string(axis));
    Shape shape = a.shape;
    shape[axis] = 1;
    Index inner = 1;
    for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
    Array result = allocate(shape);
    if (result.data.empty()) return result;
    weighted_sum(a.data, weights.data(), result.size() / inner, n, inner, result.data.data());
    return result;
  }

  // --- slots and memory ---

  bool is_leaf(int slot) const { return slot < static_cast<int>(leaf_values_.size()); }

  std::size_t instruction_index(int slot) const { return static_cast<std::size_t>(slot) - leaf_values_.size(); }

  const ArrayView& value(int slot) const {
    return is_leaf(slot) ? leaf_values_[static_cast<std::size_t>(slot)] : views_[instruction_index(slot)];
  }

  // Contents are arbitrary: the caller writes every element.
  Array allocate(const Shape& shape) {
    Array result;
    result.shape = shape;
    result.data = memory_.take(element_count(shape));
    return result;
  }

  void release(int slot, std::size_t instruction) {
    if (slot < 0 || is_leaf(slot)) return;
    const std::size_t index = instruction_index(slot);
    if (tape_.instructions_[index].last_use != static_cast<int>(instruction) || values_[index].data.empty()) return;
    memory_.give_back(std::exchange(values_[index].data, {}));
  }

  const Tape& tape_;
  std::span<const ArrayView> leaf_values_;
  std::span<const Vector> weights_;
  Memory& memory_;
  std::vector<Array> values_;
  std::vector<ArrayView> views_;  // of values_
};

std::vector<Array> Tape::evaluate(std::span<const Array> leaf_values, std::span<const Vector> weights) const {
  for (const Array& leaf : leaf_values)
    if (leaf.size() != element_count(leaf.shape))
      throw ShapeError("Tape: a tensor does not hold as many numbers as its shape says");
  const std::vector<ArrayView> views(leaf_values.begin(), leaf_values.end());
  Memory memory;
  return evaluate(views, weights, memory);
}

std::vector<Array> Tape::evaluate(std::span<const ArrayView> leaf_values, std::span<const Vector> weights,
                                  Memory& memory) const {
  return Run(*this, leaf_values, weights, memory).outputs();
}

}  // namespace gwrm::expression
