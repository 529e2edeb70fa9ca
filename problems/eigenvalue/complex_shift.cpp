#include "problems/eigenvalue/complex_shift.hpp"

#include "solver/arnoldi.hpp"  // before other headers of Eigen

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <tuple>

#include "core/log.hpp"
#include "expression/components.hpp"
#include "problems/continuation/branch_window.hpp"
#include "problems/eigenvalue/arnoldi_modes.hpp"
#include "problems/eigenvalue/eigenvalue_case.hpp"
#include "problems/time_spectral/window_linear_solver.hpp"

namespace gwrm {
namespace {

using Number = std::complex<double>;

constexpr Index kMostDensePairs = 6000;  // real unknowns of a complex shift: 0.6 GB
constexpr double kSolved = 1e-13;        // of P(s)^{-1}
constexpr double kReal = 1e-10;          // an imaginary part this small beside the distance from the shift is rounding
constexpr double kTwice = 1e-8;          // likewise two eigenvalues, one of them the other's conjugate

// `name` by the number, in parentheses.
std::string with_number(const std::string& text, const std::string& name, Number number) {
  const std::string written = fmt::format("({:.17g} + ({:.17g})*i)", number.real(), number.imag());
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && is_name_character(text[end])) ++end;
    const std::string word = text.substr(begin, std::max<std::size_t>(end - begin, 1));
    result += word == name ? written : word;
    begin += word.size();
  }
  return result;
}

void check_names_beside_i(const Case& the_case) {
  const auto check = [](const std::string& name, const SourceText& where) {
    if (name == "i" || expression::is_complex_function(name))
      throw_case_error(
          where, 0,
          fmt::format("with so many unknowns a complex eigenvalue.near makes `{}` a name of complex numbers: "
                      "choose another",
                      name));
  };
  for (const UnknownCase& unknown : the_case.unknowns) check(unknown.name, unknown.where);
  for (const expression::Constant& constant : the_case.constants) check(constant.name, eigenvalue_of(the_case)->where);
}

Index size_of(const RowBlock& block) {
  Index size = 1;
  for (const Index extent : block.extents) size *= extent;
  return size;
}

Eigen::VectorXd pair_of(const Eigen::VectorXcd& v) {
  Eigen::VectorXd result(2 * v.size());
  result << v.real(), v.imag();
  return result;
}

}  // namespace

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

Case case_of_pairs(const Case& the_case, Number shift) {
  check_names_beside_i(the_case);
  Case pairs = case_with_eigenvalue_at(the_case, shift.real());
  const std::string& name = eigenvalue_of(the_case)->name;
  pairs.constants.pop_back();  // the eigenvalue
  pairs.vectors.clear();
  pairs.definitions.clear();  // equations are made of their values
  pairs.unknowns.clear();
  pairs.output.fields.clear();
  for (const UnknownCase& unknown : the_case.unknowns) {
    pairs.vectors.push_back({unknown.name, {}, true});
    for (const std::string& part : parts_of(unknown.name, true)) {
      UnknownCase component = unknown;
      component.name = component.where.text = part;
      component.vector.clear();
      pairs.unknowns.push_back(std::move(component));
    }
  }
  expression::Pool pool(pairs.symbols());
  for (std::vector<SourceText>* list : {&pairs.equations, &pairs.boundary}) {
    std::vector<SourceText> expanded;
    for (const SourceText& text : *list) {
      SourceText source = SourceText::from_argument(with_number(text.text, name, shift), "eigenvalue.near");
      for (const expression::Component& component : expression::equation_components(pool, source))
        expanded.push_back(SourceText::from_argument(component.text, "eigenvalue.near"));
    }
    *list = std::move(expanded);
  }
  pairs.vectors.clear();
  return pairs;
}

PairPlaces pair_places(const WindowSystem& single, const WindowSystem& pairs) {
  const auto n = static_cast<std::size_t>(single.size());
  PairPlaces places;
  if (pairs.size() != 2 * single.size()) throw ShapeError("pairs: not twice as many unknowns");
  for (int part = 0; part < 2; ++part) {
    places.row[part].assign(n, -1);
    places.unknown[part].assign(n, -1);
  }
  // Statement 2 k + part of the pairs is part of statement k.
  using Key = std::tuple<RowBlock::Kind, int, int, int>;  // kind, statement, axis of lines, which of several
  const auto statement = [](const RowBlock& block) {
    return block.kind == RowBlock::Kind::condition ? block.index : block.equation;
  };
  std::map<Key, const RowBlock*> of_pairs;
  for (const RowBlock& block : pairs.rows()) {
    if (block.kind == RowBlock::Kind::mean) continue;  // rows of its equation
    int which = 0;
    while (of_pairs.count({block.kind, statement(block), block.line_axis, which}) > 0) ++which;
    of_pairs[{block.kind, statement(block), block.line_axis, which}] = &block;
  }
  std::map<Key, int> seen;
  for (const RowBlock& block : single.rows()) {
    if (block.kind == RowBlock::Kind::mean) continue;
    const int which = seen[{block.kind, statement(block), block.line_axis, 0}]++;
    for (int part = 0; part < 2; ++part) {
      const auto found = of_pairs.find({block.kind, 2 * statement(block) + part, block.line_axis, which});
      if (found == of_pairs.end() || size_of(*found->second) != size_of(block))
        throw ShapeError("pairs: other rows than those of one part");
      for (Index i = 0; i < size_of(block); ++i)
        places.row[part][static_cast<std::size_t>(block.offset + i)] = found->second->offset + i;
    }
  }
  const std::vector<FieldModel>& fields = pairs.model().fields;
  for (std::size_t f = 0; f < single.model().fields.size(); ++f) {
    const std::vector<std::string> names = parts_of(single.model().fields[f].name, true);
    for (std::size_t part = 0; part < 2; ++part) {
      const auto field = std::find_if(fields.begin(), fields.end(),
                                      [&](const FieldModel& other) { return other.name == names[part]; });
      const FieldLayout& from = single.layouts()[f];
      const FieldLayout& to = pairs.layouts()[static_cast<std::size_t>(field - fields.begin())];
      Index size = 1;
      for (const Index extent : from.extents) size *= extent;
      for (Index i = 0; i < size; ++i) places.unknown[part][static_cast<std::size_t>(from.offset + i)] = to.offset + i;
    }
  }
  for (const auto* list : {&places.row, &places.unknown})
    for (const std::vector<Index>& part : *list)
      if (std::find(part.begin(), part.end(), -1) != part.end()) throw ShapeError("pairs: a row or unknown is missing");
  return places;
}

std::vector<Mode> modes_near(const Pencil& pencil, Number shift, const ComplexShiftInverse& inverse, std::size_t wanted,
                             double tolerance, const std::function<bool()>& interrupted) {
  const LogTime time("eigenvalues near the complex shift");
  const Index n = pencil.size(), size = pencil.is_quadratic() ? 2 * n : n;
  const auto product = [&](int power, const Eigen::VectorXcd& v) -> Eigen::VectorXcd {
    return pencil.apply(power, v.real()) + Number(0.0, 1.0) * pencil.apply(power, v.imag());
  };
  const auto multiply = [&](const Eigen::VectorXd& pair, Eigen::VectorXd& w) {
    const Eigen::VectorXcd v = pair.head(size) + Number(0.0, 1.0) * pair.tail(size);
    Eigen::VectorXcd upper = product(1, v.head(n)), result(size);
    if (pencil.is_quadratic()) upper += 2.0 * shift * product(2, v.head(n)) + product(2, v.tail(n));
    if (!inverse(upper)) return false;
    result.head(n) = -upper;
    if (pencil.is_quadratic()) result.tail(n) = v.head(n);
    w = pair_of(result);
    return true;
  };
  const auto mode_of = [&](const RitzPair& pair, const Eigen::VectorXcd& x) {
    const Number i(0.0, 1.0);
    const Eigen::VectorXcd direct = x.head(size) + i * x.tail(size),
                           conjugate = x.head(size).conjugate() + i * x.tail(size).conjugate();
    const bool is_direct = direct.norm() >= conjugate.norm();
    const Number mu = is_direct ? pair.value : std::conj(pair.value);
    Mode mode{shift + 1.0 / mu, (is_direct ? direct : conjugate).tail(n), 0.0};
    if (mode.value.imag() < 0.0) mode = {std::conj(mode.value), mode.vector.conjugate(), 0.0};
    if (mode.value.imag() <= kReal * std::abs(mode.value - shift)) mode.value = mode.value.real();
    return mode;
  };
  const auto add = [&](const RitzPair& pair, const Eigen::VectorXcd& vector, std::vector<Mode>& modes) {
    Mode mode = mode_of(pair, vector);
    // The conjugate of one that is there already.
    const bool twice =
        mode.value.imag() != 0.0 && std::any_of(modes.begin(), modes.end(), [&](const Mode& other) {
          return std::abs(other.value - mode.value) <= kTwice * std::abs(mode.value - shift) &&
                 std::abs(other.vector.dot(mode.vector)) > (1.0 - kTwice) * other.vector.norm() * mode.vector.norm();
        });
    if (!twice) modes.push_back(std::move(mode));
  };
  return arnoldi_modes(2 * size, multiply, add, wanted, tolerance, interrupted);
}

std::vector<Mode> modes_near_by_pairs(const Context& context, const Case& the_case, const Model& single_model,
                                      const SystemPlan& single_plan, const Pencil& pencil, Number shift,
                                      std::size_t wanted, double tolerance, const std::function<bool()>& interrupted) {
  const std::vector<AxisDescription> subdomains = pencil.system().discretisation().subdomains();
  const Case pair_case = case_of_pairs(the_case, shift);
  const Model pair_model = build_model(pair_case);
  const SystemPlan pair_plan(pair_model);
  const Window single = steady_window(context, single_model, single_plan, subdomains);
  Window pairs = steady_window(context, pair_model, pair_plan, subdomains);
  const PairPlaces places = pair_places(single.system, pairs.system);
  logger().debug("complex shift: {} real unknowns", pairs.system.size());
  std::vector<double> x(static_cast<std::size_t>(pairs.system.size()), 0.0);
  std::vector<Mode> modes;
  const auto solve_by = [&](LinearMethod method) {
    SolverMemory memory;
    with_linear_solver(pairs, method, memory, [&](LinearSolver& solver) {
      std::fill(x.begin(), x.end(), 0.0);
      if (solver.linearise(x, true).status != LinearStatus::solved) return;
      const ComplexShiftInverse inverse = [&](Eigen::VectorXcd& v) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(v.size()); ++i) {
          x[static_cast<std::size_t>(places.row[0][i])] = v(static_cast<Index>(i)).real();
          x[static_cast<std::size_t>(places.row[1][i])] = v(static_cast<Index>(i)).imag();
        }
        if (solver.solve(x, KrylovTolerance(kSolved)).status != LinearStatus::solved) return false;
        for (std::size_t i = 0; i < static_cast<std::size_t>(v.size()); ++i)
          v(static_cast<Index>(i)) = {x[static_cast<std::size_t>(places.unknown[0][i])],
                                      x[static_cast<std::size_t>(places.unknown[1][i])]};
        return true;
      };
      modes = modes_near(pencil, shift, inverse, wanted, tolerance, interrupted);
    });
  };
  const LinearMethod method = choose_linear_method(pair_case, pair_model, pair_plan, subdomains).method;
  solve_by(method);
  // Preconditioners of one unknown at a time do not see that the parts hang together where the shift is all there is.
  const bool stopped = interrupted && interrupted();
  if (modes.empty() && !stopped && method != LinearMethod::dense && pairs.system.size() <= kMostDensePairs) {
    logger().debug("complex shift: once more, by dense factors");
    solve_by(LinearMethod::dense);
  }
  return modes;
}

}  // namespace gwrm
