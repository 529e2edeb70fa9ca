#include "problems/ball/manufactured_ball.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "expression/substitute.hpp"
#include "problems/ball/ball_case.hpp"
#include "problems/ball/exact_conditions.hpp"
#include "problems/manufactured_data.hpp"

namespace gwrm::ball {

using expression::Expr;

namespace {

constexpr int kHighestFlow = 12;

// x, y and z as unknowns, to be replaced by r, theta and phi: derivatives then know what they depend on.
expression::Symbols symbols_in_sphere(const Case& the_case) {
  expression::Symbols symbols;
  symbols.constants = the_case.constants;
  const std::vector<std::string> dims = {"t", "phi", "theta", "r"};
  for (const std::string& name : dims)
    for (const AxisCase& axis : the_case.domain)
      if (axis.axis.name == name) symbols.axes.push_back(axis.axis);
  for (const UnknownCase& unknown : the_case.unknowns) symbols.fields.push_back({unknown.name, dims});
  for (const char* name : {"x", "y", "z"}) symbols.fields.push_back({name, dims});
  return symbols;
}

class ManufacturedBall {
 public:
  ManufacturedBall(Case& the_case, BallCase& section)
      : case_(the_case), section_(section), pool_(symbols_in_sphere(the_case)), calculus_(pool_) {
    for (const UnknownCase& unknown : the_case.unknowns) exact_.push_back(exact_of(unknown));
  }

  void make() {
    std::size_t unknown = 0;
    for (BallField& field : section_.fields) {
      ExactField exact{{}, exact_text(case_.unknowns[unknown])};
      for (int i = 0; i < (field.is_vector() ? 3 : 1); ++i) exact.components.push_back(exact_[unknown++]);
      check_exact_field(case_, calculus_, pool_, field, exact);
      fields_.push_back(std::move(exact));
    }
    make_flow();
    for (std::size_t i = 0; i < section_.fields.size(); ++i) {
      BallField& field = section_.fields[i];
      make_initial(field, fields_[i]);
      if (field.kind == FieldKind::scalar)
        field.source = derived_text(source_of_scalar(i), "manufactured source of " + field.name);
      else
        set(field.vector_source, field.kind == FieldKind::magnetic ? source_of_magnetic(i) : force(i),
            "manufactured source of " + field.name);
    }
    section_.growth = {};  // that of a case without sources
  }

 private:
  const SourceText& exact_text(const UnknownCase& unknown) const {
    for (const NamedExpression& exact : case_.exact)
      if (exact.name == unknown.name) return exact.text;
    throw_case_error(
        unknown.where, 0,
        fmt::format("a manufactured solution needs `exact` of every unknown: add exact: {{{}: ...}}", unknown.name));
  }
  Expr exact_of(const UnknownCase& unknown) {
    const SourceText& text = exact_text(unknown);
    const Expr exact = spherical(expression::parse(pool_, text), {});
    if (exact->facts.degree != 0)
      throw_case_error(text, 0, "a manufactured solution is an expression of t, the place and constants: no unknown");
    return exact;
  }
  // x, y and z, and unknowns, replaced.
  Expr spherical(Expr e) { return spherical(e, exact_); }
  Expr spherical(Expr e, std::vector<Expr> replacements) {
    replacements.resize(pool_.symbols().fields.size() - 3, nullptr);
    for (const Expr coordinate : calculus_.cartesian()) replacements.push_back(coordinate);
    return expression::substitute(pool_, e, replacements);
  }

  bool has(TermWord word) const { return section_.has(word); }
  Expr scalar(std::size_t i) const { return fields_[i].components[0]; }
  VectorExpr vector(std::size_t i) const {
    return {fields_[i].components[0], fields_[i].components[1], fields_[i].components[2]};
  }
  Expr d_dt(Expr f) { return pool_.derivative(f, "t", 1); }
  VectorExpr d_dt(const VectorExpr& v) { return {d_dt(v[0]), d_dt(v[1]), d_dt(v[2])}; }
  void subtract(Expr& from, Expr what) { from = pool_.difference(from, what); }

  // u = curl(t Y e_r) + curl curl(s Y e_r), and with the velocity what carries fields.
  void make_flow() {
    const Expr zero = pool_.zero();
    given_ = carrying_ = {zero, zero, zero};
    const auto add = [&](const std::vector<HarmonicCase>& harmonics, bool poloidal) {
      for (const HarmonicCase& harmonic : harmonics) {
        if (harmonic.l > kHighestFlow)
          throw_case_error(
              harmonic.key, 0,
              fmt::format("a manufactured solution is made with flows of degrees up to {}: take a lower one",
                          kHighestFlow));
        const Expr factor = spherical(expression::parse(pool_, harmonic.text));
        VectorExpr part =
            calculus_.curl({pool_.product(factor, calculus_.harmonic(harmonic.l, harmonic.m)), zero, zero});
        if (poloidal) part = calculus_.curl(part);
        given_ = calculus_.sum(given_, calculus_.times(section_.flow.factor, part));
      }
    };
    add(section_.flow.toroidal, false);
    add(section_.flow.poloidal, true);
    carrying_ = given_;
    for (std::size_t i = 0; i < section_.fields.size(); ++i)
      if (section_.fields[i].kind == FieldKind::velocity) carrying_ = calculus_.sum(carrying_, vector(i));
  }

  void make_initial(BallField& field, const ExactField& exact) {
    const std::string what = "manufactured initial value of " + field.name;
    const auto at_start = [&](Expr e) {
      return expression::lower(pool_, pool_.restriction(e, {{"t", pool_.number(case_.domain.front().axis.lower)}}));
    };
    field.initial_where = SourceText::from_argument(field.name, "initial");
    field.toroidal.clear();
    field.poloidal.clear();
    if (!field.is_vector()) {
      field.initial = derived_text(at_start(exact.components[0]), what);
      return;
    }
    set(field.initial_vector,
        {at_start(exact.components[0]), at_start(exact.components[1]), at_start(exact.components[2])}, what);
  }
  static void set(VectorCase& vector, const VectorExpr& components, const std::string& what) {
    vector.is_cartesian = false;
    for (std::size_t i = 0; i < 3; ++i) vector.components[i] = derived_text(components[i], what);
  }

  Expr source_of_scalar(std::size_t i) {
    const BallField& field = section_.fields[i];
    const Expr theta = scalar(i);
    Expr source = d_dt(theta);
    if (field.diffusivity > 0.0) subtract(source, calculus_.times(field.diffusivity, calculus_.laplacian(theta)));
    if (field.hyperdiffusion > 0.0)
      source =
          pool_.sum(source, calculus_.times(field.hyperdiffusion, calculus_.laplacian(calculus_.laplacian(theta))));
    if (has(TermWord::advection)) source = pool_.sum(source, calculus_.dot(carrying_, calculus_.gradient(theta)));
    if (has(TermWord::background)) {
      const double inner = section_.inner_radius, outer = section_.radius,
                   conducted = section_.is_shell() ? field.contrast * outer * inner / (outer - inner) : 0.0;
      for (std::size_t j = 0; j < section_.fields.size(); ++j) {
        if (section_.fields[j].kind != FieldKind::velocity) continue;
        const Expr outward = vector(j)[0], r = calculus_.r();
        subtract(source, calculus_.times(field.background, pool_.product(r, outward)));
        subtract(source, calculus_.times(conducted, pool_.quotient(outward, pool_.product(r, r))));
      }
    }
    if (!field.reaction.text.empty()) subtract(source, spherical(expression::parse(pool_, field.reaction)));
    return source;
  }

  VectorExpr source_of_magnetic(std::size_t i) {
    const VectorExpr b = vector(i);
    VectorExpr source =
        calculus_.sum(d_dt(b), calculus_.times(section_.fields[i].diffusivity, calculus_.curl(calculus_.curl(b))));
    if (has(TermWord::induction)) source = calculus_.difference(source, calculus_.curl(calculus_.cross(carrying_, b)));
    return source;
  }

  VectorExpr force(std::size_t i) {
    const VectorExpr u = vector(i);
    const auto& fields = section_.fields;
    VectorExpr force =
        calculus_.sum(d_dt(u), calculus_.times(fields[i].diffusivity, calculus_.curl(calculus_.curl(u))));
    const auto balance = [&](const VectorExpr& other) { force = calculus_.difference(force, other); };
    if (has(TermWord::inertia)) {
      balance(calculus_.cross(calculus_.sum(given_, u), calculus_.curl(u)));
      if (section_.flow.is_there()) balance(calculus_.cross(u, calculus_.curl(given_)));
    }
    for (std::size_t j = 0; j < fields.size(); ++j) {
      if (has(TermWord::lorentz) && fields[j].kind == FieldKind::magnetic)
        balance(calculus_.times(fields[j].lorentz, calculus_.cross(calculus_.curl(vector(j)), vector(j))));
      if (has(TermWord::buoyancy) && fields[j].kind == FieldKind::scalar)
        subtract(force[0], calculus_.times(fields[j].buoyancy, pool_.product(calculus_.r(), scalar(j))));
    }
    if (has(TermWord::coriolis)) {
      const VectorExpr axis = {calculus_.cosine(), pool_.negated(calculus_.sine()), pool_.zero()};
      force = calculus_.sum(force, calculus_.times(section_.rotation, calculus_.cross(axis, u)));
    }
    return force;
  }

  Case& case_;
  BallCase& section_;
  expression::Pool pool_;
  SphericalCalculus calculus_;
  std::vector<Expr> exact_;  // by unknown
  std::vector<ExactField> fields_;
  VectorExpr given_{}, carrying_{};
};

}  // namespace

Case manufactured_ball(Case the_case) {
  auto section = std::make_shared<BallCase>(section_of<BallCase>(the_case));
  ManufacturedBall(the_case, *section).make();
  the_case.section = std::move(section);
  return the_case;
}

}  // namespace gwrm::ball
