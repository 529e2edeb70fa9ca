// A lowered expression compiled to a list of pointwise operations on tensors.
//
// Each tensor has one extent per axis of the pool's symbols; an extent 1 broadcasts. An intermediate has just the
// extents its arguments have, so that a coefficient that varies along x alone stays a vector. Common subexpressions are
// computed once, also across several outputs.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/array.hpp"
#include "core/matrix_forward.hpp"
#include "expression/expression.hpp"
#include "expression/point_steps.hpp"

namespace gwrm::expression {

class Tape {
 public:
  // `outputs` are lowered; anything else is an internal Error. Every atom, of a field or a direction, and every
  // coordinate in them becomes a leaf the caller supplies; so does each of `given` that is met.
  Tape(const Pool& pool, std::span<const Expr> outputs, const std::vector<Expr>& given = {});

  const std::vector<Expr>& leaves() const { return leaves_; }  // in slot order

  // leaf_values[i]: the tensor of leaves()[i] (number of axes extents each).
  // weights[axis]: the quadrature weights of that axis's grid, needed only where an integral runs over it; an integrand
  // of extent 1 along the axis is taken as constant there. `weights` may be shorter than the axes where none is needed.
  // Returns one tensor per output, of the smallest shape it needs (all extents 1 for a number). ShapeError if extents
  // clash. Cost: one pass over memory per operation; an intermediate's memory is reused after its last use. Sums of an
  // integral run in index order: the same bits on every run. Several threads may evaluate one tape.
  std::vector<Array> evaluate(std::span<const Array> leaf_values, std::span<const Vector> weights) const;
  // The same of tensors that are somebody else's. Results take their memory from `memory`, and a caller who is done
  // with them gives it back there: used again, evaluation neither allocates nor fills anything with zeros. One
  // thread's.
  class Memory;
  std::vector<Array> evaluate(std::span<const ArrayView> leaf_values, std::span<const Vector> weights,
                              Memory& memory) const;

  // Whether an output reads data that are not `given`: what works on single operations cannot evaluate it.
  bool has_data() const { return !data_.empty(); }

  // Which outputs depend on one of the leaves marked.
  std::vector<bool> depends_on(const std::vector<bool>& leaves) const;

  // The operations behind one output at one point, in their order. Slots below the number of leaves are leaves. An
  // integral is no operation on one point: an internal Error (has_integral() tells).
  struct Steps {
    std::vector<PointStep> steps;
    std::vector<int> leaves;     // those they read, ascending
    std::vector<int> integrals;  // likewise the slots of the integrals; steps_around_integrals() only
    int value = -1;              // the slot of the output
  };
  Steps steps(int output) const;
  bool has_integral() const;
  // The same with integrals, which are read as leaves are.
  Steps steps_around_integrals(int output) const;
  // The integrals of the tape, one after those that it holds.
  struct Integral {
    int axis = -1, slot = -1;
    Steps integrand;
  };
  std::vector<Integral> integrals() const;
  int n_outputs() const { return static_cast<int>(outputs_.size()); }

 private:
  struct Instruction {
    Op op = Op::number;
    Function function = Function::sin;
    double value = 0.0;  // of a number; the exponent of a power whose second slot is -1
    int axis = -1;       // integral
    int first = -1;      // slots of the arguments, -1 if there is none
    int second = -1;
    int data = -1;      // index into data_: the operation is a value of data
    int last_use = -1;  // index of the last instruction that reads this one's slot; -1: none does, it is an output
  };
  class Builder;
  class Run;
  Steps steps_to(int slot) const;

  // Data and the derivative of them that is wanted, at arguments that are slots.
  struct DataValue {
    std::shared_ptr<const DataFunction> function;
    std::vector<int> orders, arguments;
  };
  std::vector<int> arguments_of(const Instruction& instruction) const;

  std::size_t n_axes_ = 0;
  std::vector<DataValue> data_;
  std::vector<Expr> leaves_;
  std::vector<Instruction> instructions_;  // slot = leaf count + index
  std::vector<int> outputs_;               // slots
};

class Tape::Memory {
 public:
  // Numbers of arbitrary value.
  std::vector<double> take(Index n) {
    std::vector<double> numbers;
    if (!free_.empty()) {
      numbers = std::move(free_.back());
      free_.pop_back();
    }
    numbers.resize(static_cast<std::size_t>(n));
    return numbers;
  }
  void give_back(std::vector<double> numbers) {
    if (numbers.capacity() > 0) free_.push_back(std::move(numbers));
  }
  void give_back(std::vector<Array> tensors) {
    for (Array& tensor : tensors) give_back(std::move(tensor.data));
  }

 private:
  std::vector<std::vector<double>> free_;
};

}  // namespace gwrm::expression
