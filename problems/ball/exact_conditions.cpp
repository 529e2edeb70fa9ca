#include "problems/ball/exact_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problems/ball/legendre_table.hpp"
#include "problems/manufactured_data.hpp"

namespace gwrm::ball {

using expression::Expr;

namespace {

constexpr double kAgreement = 1e-8;   // relative: twice ten digits of typed numbers
constexpr Index kHighestDegree = 24;  // of harmonics at an insulating wall

class ExactConditions {
 public:
  ExactConditions(const Case& the_case, const SphericalCalculus& calculus, expression::Pool& pool,
                  const BallField& field, const ExactField& exact)
      : case_(the_case),
        section_(section_of<BallCase>(the_case)),
        calculus_(calculus),
        pool_(pool),
        expressions_(the_case),
        field_(field),
        exact_(exact) {
    const Axis& time = case_.domain.front().axis;
    for (const double place : {0.0, 0.371, 1.0}) times_.push_back(time.lower + place * (time.upper - time.lower));
    for (const Expr component : exact.components)
      size_ = std::max(
          {size_, largest(component, inside()), section_.radius * largest(calculus.d(component, "r"), inside())});
  }

  void check() {
    if (field_.is_vector()) {
      const double found = section_.radius * largest(calculus_.divergence(vector()), inside());
      if (found > kAgreement * size_)
        fail(
            fmt::format("these components have a divergence, {:.2g} of their derivatives, and `{}` is a field without: "
                        "take the components of a curl",
                        found / size_, field_.name));
    }
    check_wall(field_.boundary, section_.radius, false);
    if (section_.is_shell()) check_wall(field_.inner_boundary, section_.inner_radius, true);
  }

 private:
  VectorExpr vector() const { return {exact_.components[0], exact_.components[1], exact_.components[2]}; }
  // r in units of the radius.
  SpherePoints points(std::vector<double> r) const {
    SpherePoints points;
    points.r = std::move(r);
    for (const double theta : {0.31, 0.83, 1.27, 1.72, 2.11, 2.77}) points.theta.push_back(theta);
    for (const double phi : {0.17, 1.43, 2.59, 3.71, 4.49, 5.83}) points.phi.push_back(phi);
    return points;
  }
  SpherePoints inside() const {
    const double a = section_.inner_radius / section_.radius;
    return points({a + 0.213 * (1.0 - a), a + 0.517 * (1.0 - a), a + 0.861 * (1.0 - a)});
  }
  std::vector<double> values(Expr e, double time, const SpherePoints& at) const {
    return expressions_.finite_values(derived_text(e, "exact of " + field_.name), time, at);
  }
  double largest(Expr e, const SpherePoints& at) const {
    double result = 0.0;
    for (const double time : times_)
      for (const double value : values(e, time, at)) result = std::max(result, std::abs(value));
    return result;
  }
  [[noreturn]] void fail(const std::string& why) const { throw_case_error(exact_.where, 0, why); }
  void fail_at_wall(double amount, const std::string& condition, bool is_inner) const {
    fail(
        fmt::format("this does not meet the boundary of `{}`, {} at the {}: it misses by {:.3g} of its size. "
                    "Manufactured solutions meet theirs at all times: multiply by a factor that does",
                    field_.name, condition, is_inner ? "inner wall" : "surface", amount / size_));
  }

  void check_wall(BoundaryWord word, double radius, bool is_inner) {
    const SpherePoints wall = points({radius / section_.radius});
    // `power`: of the radius, that a residual is to be multiplied by.
    const auto vanishes = [&](Expr e, int power, const std::string& condition) {
      if (const double found = std::pow(section_.radius, power) * largest(e, wall); found > kAgreement * size_)
        fail_at_wall(found, condition, is_inner);
    };
    const std::string& name = field_.name;
    const Expr u = exact_.components[0], r = calculus_.r();
    switch (word) {
      case BoundaryWord::value:
      case BoundaryWord::clamped:
        vanishes(u, 0, name + " = 0");
        if (word == BoundaryWord::clamped) vanishes(calculus_.d(u, "r"), 1, fmt::format("dr({}) = 0", name));
        return;
      case BoundaryWord::slope:
        return vanishes(calculus_.d(u, "r"), 1, fmt::format("dr({}) = 0", name));
      case BoundaryWord::robin: {
        const Expr part = calculus_.times(is_inner ? -field_.robin : field_.robin, u);
        return vanishes(pool_.sum(calculus_.d(u, "r"), part), 1,
                        fmt::format("dr({0}) {1} {2:g}*{0} = 0", name, is_inner ? "-" : "+", field_.robin));
      }
      case BoundaryWord::no_slip:
        for (std::size_t i = 0; i < 3; ++i) vanishes(exact_.components[i], 0, name + " = 0");
        return;
      case BoundaryWord::stress_free:
        vanishes(u, 0, name + "_r = 0");
        for (const std::size_t i : {std::size_t{1}, std::size_t{2}})
          vanishes(calculus_.d(pool_.quotient(exact_.components[i], r), "r"), 2,
                   fmt::format("no stress along {}", name));
        return;
      case BoundaryWord::conducting:
        vanishes(u, 0, name + "_r = 0");
        return vanishes(calculus_.d(pool_.product(pool_.product(r, r), calculus_.curl(vector())[0]), "r"), 0,
                        fmt::format("dr(r^2*curl({})_r) = 0", name));
      case BoundaryWord::insulating:
        vanishes(calculus_.curl(vector())[0], 1, fmt::format("curl({})_r = 0", name));
        check_insulator(radius, is_inner);
    }
  }

  // dr(r^2 B_r) = -l r B_r, at an inner wall (l + 1) r B_r, for every degree l.
  void check_insulator(double radius, bool is_inner) const {
    const PolarNodes nodes(2 * kHighestDegree);
    SpherePoints wall{{radius / section_.radius}, nodes.theta, {}};
    const Index n_phi = 4 * kHighestDegree + 1;
    for (Index j = 0; j < n_phi; ++j)
      wall.phi.push_back(6.283185307179586 * static_cast<double>(j) / static_cast<double>(n_phi));
    const Orders orders = Orders::multiples(1, kHighestDegree);
    const LegendreTable legendre(kHighestDegree, orders, nodes.theta);
    const Matrix azimuth = azimuth_table(orders, wall.phi);
    const Expr r = calculus_.r(), outward = exact_.components[0];
    const auto n_theta = static_cast<Index>(nodes.theta.size());
    const Eigen::Map<const RowVector> weights(nodes.weight.data(), n_theta);
    const auto in_harmonics = [&](Expr e, double time) {  // columns x theta
      const std::vector<double> f = values(e, time, wall);
      return Matrix(6.283185307179586 / static_cast<double>(n_phi) *
                    (azimuth.transpose() * Eigen::Map<const Matrix>(f.data(), n_phi, n_theta)));
    };
    for (const double time : times_) {
      const Matrix field = in_harmonics(pool_.product(r, outward), time),
                   slope = in_harmonics(calculus_.d(pool_.product(pool_.product(r, r), outward), "r"), time);
      for (Index c = 0; c < orders.n_columns(); ++c) {
        const Matrix tested = legendre.value[orders.place(c)] * weights.asDiagonal();
        const Vector of_field = tested * field.row(c).transpose(), of_slope = tested * slope.row(c).transpose();
        for (Index i = 0; i < of_field.size(); ++i) {
          const auto l = static_cast<double>(i + orders.size_of(c));
          const double found = std::abs(of_slope(i) + (is_inner ? -(l + 1.0) : l) * of_field(i));
          if (found > 10.0 * kAgreement * size_ * section_.radius)
            fail_at_wall(found / section_.radius,
                         fmt::format("a potential field outside ({} of every harmonic)",
                                     is_inner ? "dr(P) - l/r*P = 0" : "dr(P) + (l+1)/r*P = 0"),
                         is_inner);
        }
      }
    }
  }

  const Case& case_;
  const BallCase& section_;
  const SphericalCalculus& calculus_;
  expression::Pool& pool_;
  BallExpressions expressions_;
  const BallField& field_;
  const ExactField& exact_;
  std::vector<double> times_;
  double size_ = 0.0;
};

}  // namespace

void check_exact_field(const Case& the_case, const SphericalCalculus& calculus, expression::Pool& pool,
                       const BallField& field, const ExactField& exact) {
  ExactConditions(the_case, calculus, pool, field, exact).check();
}

}  // namespace gwrm::ball
