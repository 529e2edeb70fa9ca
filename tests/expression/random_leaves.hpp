// Random tensors for the leaves of a tape, the same one each time a leaf is asked for.
#pragma once

#include <map>
#include <random>
#include <vector>

#include "core/matrix.hpp"
#include "expression/samples.hpp"
#include "expression/tape.hpp"

namespace gwrm::expression::samples {

class RandomLeaves {
 public:
  RandomLeaves(std::vector<Index> extents, unsigned seed) : extents_(std::move(extents)), random_(seed) {
    std::uniform_real_distribution<double> weight(0.1, 0.6);
    for (Index extent : extents_) {
      Vector weights(extent);
      for (double& each : weights) each = weight(random_);
      weights_.push_back(weights);
    }
  }

  // Numbers of [-1, 1], with an extent for each axis along which the leaf varies.
  const Array& operator()(Expr leaf) {
    if (const auto known = values_.find(leaf); known != values_.end()) return known->second;
    Shape shape(extents_.size(), 1);
    for (std::size_t i = 0; i < shape.size(); ++i)
      if (leaf->facts.axes >> i & 1u) shape[i] = extents_[i];
    Array value(shape);
    for (double& each : value.data) each = std::uniform_real_distribution<double>(-1.0, 1.0)(random_);
    return values_.emplace(leaf, value).first->second;
  }

  void set(Expr leaf, Array value) { values_[leaf] = std::move(value); }

  std::vector<Array> evaluate(const Pool& pool, const std::vector<Expr>& outputs) {
    const Tape tape(pool, outputs);
    std::vector<Array> leaves;
    for (Expr leaf : tape.leaves()) leaves.push_back((*this)(leaf));
    return tape.evaluate(leaves, weights_);
  }

  const std::vector<Index>& extents() const { return extents_; }
  const std::vector<Vector>& weights() const { return weights_; }

 private:
  std::vector<Index> extents_;
  std::mt19937 random_;
  std::vector<Vector> weights_;
  std::map<Expr, Array> values_;
};

}  // namespace gwrm::expression::samples
