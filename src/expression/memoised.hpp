// A recursion over an expression that enters each node once.
//
// Equal subexpressions are one node (expression.hpp), so that what a derivative is written out into is a graph whose
// tree can be exponentially larger: a recursion that forgets where it was walks the tree.
#pragma once

#include <functional>
#include <unordered_map>
#include <utility>

#include "expression/expression.hpp"

namespace gwrm::expression {

template <class Value>
class Memoised {
 public:
  // The value of a node; `of` gives those of its arguments.
  using Rule = std::function<Value(Expr e, Memoised& of)>;

  explicit Memoised(Rule rule) : rule_(std::move(rule)) {}

  const Value& operator()(Expr e) {
    if (const auto known = known_.find(e); known != known_.end()) return known->second;
    return known_.emplace(e, rule_(e, *this)).first->second;  // a map of nodes keeps the addresses of its elements
  }

 private:
  Rule rule_;
  std::unordered_map<Expr, Value> known_;
};

}  // namespace gwrm::expression
