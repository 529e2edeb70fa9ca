#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <functional>
#include <unordered_set>

#include "core/errors.hpp"
#include "expression/data_function.hpp"
#include "expression/expression.hpp"
#include "expression/facts.hpp"
#include "expression/functions.hpp"
#include "expression/noise.hpp"

namespace gwrm::expression {
namespace {

template <class Items>
int find_by_name(const Items& items, std::string_view name) {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i].name == name) return static_cast<int>(i);
  return -1;
}

struct NodeHash {
  std::size_t operator()(Expr e) const {
    std::size_t seed = 0;
    const auto mix = [&seed](std::size_t value) {
      seed ^= value + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2);  // golden ratio, to spread small integers
    };
    mix(static_cast<std::size_t>(e->op));
    mix(std::bit_cast<std::uint64_t>(e->value));
    mix(std::hash<std::string>{}(e->name));
    mix(static_cast<std::size_t>(e->function));
    mix(static_cast<std::size_t>(e->order));
    for (int order : e->orders) mix(static_cast<std::size_t>(order));
    for (Expr arg : e->args) mix(static_cast<std::size_t>(arg->id));
    for (const std::string& name : e->names) mix(std::hash<std::string>{}(name));
    return seed;
  }
};

struct NodeEqual {
  bool operator()(Expr a, Expr b) const {
    return a->op == b->op && a->value == b->value && a->name == b->name && a->function == b->function &&
           a->order == b->order && a->orders == b->orders && a->args == b->args && a->names == b->names;
  }
};

Node node_of(Op op, std::vector<Expr> args = {}, std::string name = {}) {
  Node node;
  node.op = op;
  node.args = std::move(args);
  node.name = std::move(name);
  return node;
}

}  // namespace

int Symbols::find_axis(std::string_view name) const {
  return find_by_name(axes, name);
}
int Symbols::find_field(std::string_view name) const {
  return find_by_name(fields, name);
}
const Constant* Symbols::find_constant(std::string_view name) const {
  const int index = find_by_name(constants, name);
  return index < 0 ? nullptr : &constants[static_cast<std::size_t>(index)];
}

const DataFunction* Symbols::find_data(std::string_view name) const {
  const int index = find_by_name(data, name);
  return index < 0 ? nullptr : data[static_cast<std::size_t>(index)].function.get();
}

const Definition* Symbols::find_definition(std::string_view name) const {
  const int index = find_by_name(definitions, name);
  return index < 0 ? nullptr : &definitions[static_cast<std::size_t>(index)];
}

const VectorSymbol* Symbols::find_vector(std::string_view name) const {
  const int index = find_by_name(vectors, name);
  return index < 0 ? nullptr : &vectors[static_cast<std::size_t>(index)];
}

bool Symbols::has_complex() const {
  return std::any_of(vectors.begin(), vectors.end(), [](const VectorSymbol& symbol) { return symbol.is_complex; });
}

struct Pool::Impl {
  Symbols symbols;
  std::deque<Node> nodes;  // a deque keeps the addresses of its elements
  std::unordered_set<Expr, NodeHash, NodeEqual> known;

  Expr intern(Node node) {
    if (const auto found = known.find(&node); found != known.end()) return *found;
    node.facts = compute_facts(symbols, node);
    if (node.facts.depth > kMaxTreeDepth)
      throw CaseError(
          "the expression is too large once its derivatives are expanded: operations are nested deeper than " +
          std::to_string(kMaxTreeDepth) + " levels");
    if (nodes.size() >= kMaxNodes)
      throw CaseError("the expression is too large once its derivatives are expanded: more than " +
                      std::to_string(kMaxNodes) + " operations");
    node.id = nodes.size();
    nodes.push_back(std::move(node));
    known.insert(&nodes.back());
    return &nodes.back();
  }
};

Pool::Pool(Symbols symbols) : impl_(std::make_unique<Impl>()) {
  if (symbols.axes.size() > kMaxAxes)
    throw CaseError("the domain has " + std::to_string(symbols.axes.size()) + " dimensions; at most " +
                    std::to_string(kMaxAxes) + " are possible");
  impl_->symbols = std::move(symbols);
}
Pool::~Pool() = default;

const Symbols& Pool::symbols() const {
  return impl_->symbols;
}
std::size_t Pool::size() const {
  return impl_->nodes.size();
}

Expr Pool::number(double value) {
  if (!std::isfinite(value)) throw CaseError("a number in an expression must be finite");
  Node node = node_of(Op::number);
  node.value = value == 0.0 ? 0.0 : value;  // one zero only: -0 and 0 would be two nodes
  return impl_->intern(std::move(node));
}
Expr Pool::pi() {
  return impl_->intern(node_of(Op::pi));
}
Expr Pool::constant(const std::string& name) {
  if (!impl_->symbols.find_constant(name)) throw CaseError("there is no constant '" + name + "'");
  return impl_->intern(node_of(Op::constant, {}, name));
}
Expr Pool::coordinate(const std::string& name) {
  return impl_->intern(node_of(Op::coordinate, {}, name));
}
Expr Pool::field(const std::string& name) {
  return impl_->intern(node_of(Op::field, {}, name));
}
Expr Pool::direction(const std::string& name) {
  return impl_->intern(node_of(Op::direction, {}, name));
}

Expr Pool::unary(Op op, Expr a) {
  if (op != Op::negate && op != Op::laplacian) throw CaseError("not an operation on one argument");
  return impl_->intern(node_of(op, {a}));
}

Expr Pool::binary(Op op, Expr a, Expr b) {
  if (op < Op::add || op > Op::power) throw CaseError("not an operation on two arguments");
  return impl_->intern(node_of(op, {a, b}));
}

Expr Pool::call(Function function, std::vector<Expr> args) {
  if (args.size() != arity(function))
    throw CaseError(std::string(function_name(function)) + " takes " + std::to_string(arity(function)) +
                    " argument(s), not " + std::to_string(args.size()));
  Node node = node_of(Op::call, std::move(args));
  node.function = function;
  return impl_->intern(std::move(node));
}

Expr Pool::derivative(Expr a, const std::string& axis, int order) {
  if (order < 1) throw CaseError("the order of a derivative must be at least 1");
  Node node = node_of(Op::derivative, {a}, axis);
  node.order = order;
  return impl_->intern(std::move(node));
}

Expr Pool::restriction(Expr a, std::vector<std::pair<std::string, Expr>> points) {
  if (points.empty()) throw CaseError("a restriction needs a point");
  Node node = node_of(Op::restriction, {a});
  for (auto& [axis, point] : points) {
    node.names.push_back(std::move(axis));
    node.args.push_back(point);
  }
  return impl_->intern(std::move(node));
}

Expr Pool::beside(Expr point, int side) {
  Node node = node_of(Op::beside, {point});
  node.order = side < 0 ? -1 : 1;
  return impl_->intern(std::move(node));
}

Expr Pool::delta(Expr z, const std::string& axis) {
  Node node = node_of(Op::derivative, {call(Function::step, {z})}, axis);
  node.order = 1;
  node.orders = {1};  // the mark
  const Expr slope = impl_->intern(std::move(node));
  const bool is_shift = z->op == Op::coordinate || ((z->op == Op::subtract || z->op == Op::add) &&
                                                    z->args[0]->op == Op::coordinate && z->args[1]->facts.axes == 0);
  return is_shift ? slope : binary(Op::divide, slope, derivative(z, axis, 1));
}

Expr Pool::integral(Expr a, const std::string& axis) {
  return impl_->intern(node_of(Op::integral, {a}, axis));
}

Expr Pool::data(const std::string& name) {
  const DataFunction* function = impl_->symbols.find_data(name);
  if (function == nullptr) throw CaseError("there are no data '" + name + "'");
  std::vector<Expr> args;
  for (const std::string& axis : function->axes()) args.push_back(coordinate(axis));
  std::vector<int> orders(args.size(), 0);
  return data(name, std::move(args), std::move(orders));
}

Expr Pool::noise(std::uint64_t seed, int modes) {
  const std::string name = "noise(1, " + std::to_string(seed) + (modes < 0 ? "" : ", " + std::to_string(modes)) + ")";
  if (impl_->symbols.find_data(name) == nullptr)
    impl_->symbols.data.push_back({name, noise_function(impl_->symbols, seed, modes)});
  return data(name);
}

Expr Pool::data(const std::string& name, std::vector<Expr> args, std::vector<int> orders) {
  const DataFunction* function = impl_->symbols.find_data(name);
  if (function == nullptr) throw CaseError("there are no data '" + name + "'");
  if (args.size() != function->axes().size() || orders.size() != args.size())
    throw CaseError("the data '" + name + "' have " + std::to_string(function->axes().size()) + " dimension(s)");
  for (std::size_t i = 0; i < orders.size(); ++i)
    if (orders[i] > function->highest_order(i))
      throw CaseError("the data '" + name + "' have no derivative of order " + std::to_string(orders[i]) + " along " +
                      function->axes()[i] + ": " + function->why_no_higher_order(i));
  Node node = node_of(Op::data, std::move(args), name);
  node.orders = std::move(orders);
  node.names = function->axes();
  return impl_->intern(std::move(node));
}

bool is_number(Expr e, double value) {
  return e->op == Op::number && e->value == value;
}
bool is_zero(Expr e) {
  return is_number(e, 0.0);
}

bool holds_delta(Expr e) {
  std::unordered_set<Expr> seen;
  const std::function<bool(Expr)> look = [&](Expr part) {
    if (!seen.insert(part).second) return false;
    return (part->op == Op::derivative && !part->orders.empty()) ||
           std::any_of(part->args.begin(), part->args.end(), look);
  };
  return look(e);
}

}  // namespace gwrm::expression
