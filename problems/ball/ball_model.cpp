#include "problems/ball/ball_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "problems/ball/given_vector.hpp"
#include "problems/ball/sphere_transform.hpp"
#include "problems/ball/wall_conditions.hpp"

namespace gwrm::ball {
namespace {

// A given field may miss what it has to be by this much, relative to its size: twice ten digits of typed numbers.
constexpr double kConditionAgreement = 1e-8;

}  // namespace

// sqrt(pi), for m = 0 sqrt(2 pi), over the norm of P_l^m.
double harmonic_factor(Index l, Index m) {
  const Index order = std::abs(m);
  const auto number = [](Index i) { return static_cast<double>(i); };
  const double log_ratio = std::lgamma(number(l - order) + 1.0) - std::lgamma(number(l + order) + 1.0);
  const double norm = std::sqrt((2.0 * number(l) + 1.0) / 2.0) * std::exp(0.5 * log_ratio);
  return (order == 0 ? std::sqrt(2.0 * std::numbers::pi) : std::sqrt(std::numbers::pi)) / norm;
}

BallModel::BallModel(const Case& the_case)
    : case_(the_case), expressions_(case_), radial_(radial_functions(section().inner_radius / section().radius)) {
  for (const BallField& field : section().fields) {
    if (!field.source.text.empty()) expressions_.parse_known(field.source);
    for (const SourceText& component : field.vector_source.components)
      if (!component.text.empty()) expressions_.parse_known(component);
    for (const SourceText& component : field.initial_vector.components)
      if (!component.text.empty() && expressions_.depends_on_time(expressions_.parse_known(component)))
        throw_case_error(component, 0, "an initial value does not depend on t: put its lower end there");
    if (!field.initial.text.empty() && expressions_.depends_on_time(expressions_.parse_known(field.initial)))
      throw_case_error(field.initial, 0, "an initial value does not depend on t: put its lower end there");
    check_harmonics(field, field.toroidal, PartKind::toroidal);
    check_harmonics(field, field.poloidal, PartKind::poloidal);
  }
  for (const NamedExpression& field : case_.output.fields) expressions_.parse(field.text);
  for (const ReferenceValue& value : case_.verification.values) expressions_.parse(value.expr);
  for (const NamedExpression& exact : case_.exact) expressions_.parse_known(exact.text);
}

Degrees BallModel::degrees() const {
  const BallCase& ball = section();
  Degrees degrees{ball.degree_t, ball.degree_r, ball.degree_l, ball.degree_m, ball.azimuthal_symmetry};
  if (ball.orders.empty()) {
    degrees.m -= degrees.m % degrees.fold;
    return degrees;
  }
  degrees.listed.assign(ball.orders.begin(), ball.orders.end());
  // 0, s, 2s, .. are the orders of a symmetry.
  const Index step = ball.orders.size() > 1 ? degrees.listed[1] : degrees.m + 1;
  if (Orders::multiples(step, degrees.m).list() == degrees.listed) {
    degrees.listed.clear();
    degrees.fold = step;
  }
  return degrees;
}

std::vector<Part> BallModel::parts() const {
  std::vector<Part> parts;
  const double radius = section().radius;
  for (std::size_t i = 0; i < section().fields.size(); ++i) {
    const BallField& field = section().fields[i];
    const auto add = [&](PartKind kind) {
      parts.push_back({i, kind, field.diffusivity / (radius * radius), conditions_of(field, kind, radius, *radial_),
                       field.kind == FieldKind::velocity && kind == PartKind::poloidal,
                       field.hyperdiffusion / std::pow(radius, 4), radial_});
    };
    if (!field.is_vector()) add(PartKind::scalar);
    if (field.is_vector()) add(PartKind::toroidal), add(PartKind::poloidal);
  }
  return parts;
}

std::size_t BallModel::first_part(std::size_t field) const {
  std::size_t part = 0;
  for (std::size_t i = 0; i < field; ++i) part += section().fields[i].is_vector() ? 2 : 1;
  return part;
}

std::string BallModel::part_name(std::size_t part) const {
  const Part found = parts()[part];
  const char* const ends[] = {"", "_toroidal", "_poloidal"};
  return section().fields[found.field].name + ends[static_cast<int>(found.kind)];
}

// <E_n, f> of the radial factor with as many nodes as its degree may want; misfit: what the E_n, n <= highest, leave.
std::vector<double> BallModel::radial_series(const HarmonicCase& harmonic, Index highest, double* misfit,
                                             int power) const {
  const RadialNodes nodes = radial_->nodes(4 * (2 * highest + harmonic.l + 30));
  const RadialTable table = radial_->table(harmonic.l, highest, nodes.radius);
  std::vector<double> f = expressions_.values(expressions_.parse_radial(harmonic.text),
                                              {case_.domain.front().axis.lower}, {nodes.radius, {0.0}, {0.0}});
  for (std::size_t i = 0; i < f.size(); ++i) f[i] *= std::pow(section().radius * nodes.radius[i], power);
  const Eigen::Map<const Vector> values(f.data(), static_cast<Index>(f.size()));
  if (!values.allFinite()) throw_case_error(harmonic.text, 0, "this is not finite somewhere between 0 and the radius");
  const Eigen::Map<const Vector> weights(nodes.weight.data(), values.size());
  const Vector e = table.value * weights.cwiseProduct(values);
  if (misfit != nullptr) *misfit = (values - table.value.transpose() * e).cwiseAbs().maxCoeff();
  return {e.data(), e.data() + e.size()};
}

// That a part is like r^l at the centre of the full sphere, and as its boundary has it at the walls.
void BallModel::check_harmonics(const BallField& field, const std::vector<HarmonicCase>& harmonics,
                                PartKind kind) const {
  const Index highest = section().degree_r;
  for (const HarmonicCase& harmonic : harmonics) {
    double misfit = 0.0;
    const std::vector<double> e = radial_series(harmonic, highest, &misfit);
    double size = 0.0, slope = 0.0;
    for (Index n = 0; n <= highest; ++n) {
      const auto [value_there, slope_there, curvature_there] = radial_->wall_values(1.0, harmonic.l, n);
      const double coefficient = std::abs(e[static_cast<std::size_t>(n)]);
      size = std::max(size, coefficient * std::abs(value_there));
      slope = std::max(slope, coefficient * std::abs(slope_there));
    }
    if (size == 0.0) continue;
    if (misfit > 1e-4 * size && radial_->is_shell())
      throw_case_error(harmonic.text, 0,
                       fmt::format("ball.degree has too low an r for this: {:.1e} of it is left out", misfit / size));
    if (misfit > 1e-4 * size)
      throw_case_error(harmonic.text, 0,
                       fmt::format("this is not r^{0} times even powers of r, or "
                                   "ball.degree has too low an r: {1:.1e} of "
                                   "it is left out; a harmonic of degree {0} begins with "
                                   "r^{0} at the centre",
                                   harmonic.l, misfit / size));
    for (const WallCondition& condition : conditions_of(field, kind, 1.0, *radial_)(harmonic.l)) {
      const bool is_inner = condition.wall < 1.0;
      const double miss = std::abs(radial_->wall_value(condition, harmonic.l, highest, e.data()));
      const double scale = condition.curvature != 0.0 ? slope * slope / size
                           : condition.slope != 0.0   ? std::max(size, slope)
                                                      : size;
      if (miss > kConditionAgreement * scale + 10.0 * misfit)
        throw_case_error(
            harmonic.text, 0,
            fmt::format("this does not meet the boundary of `{}`, {} at the {}: it misses by {:.3g} of its size",
                        field.name,
                        wall_text(is_inner ? field.inner_boundary : field.boundary, kind,
                                  kind == PartKind::toroidal ? "T" : "P", 1.0, is_inner),
                        is_inner ? "inner wall" : "surface", miss / scale));
    }
  }
}

std::vector<double> BallModel::initial_series(const BallSpace& space) const {
  std::vector<double> e(static_cast<std::size_t>(space.series().size()), 0.0);
  const double start = case_.domain.front().axis.lower;
  for (std::size_t i = 0; i < section().fields.size(); ++i) {
    const BallField& field = section().fields[i];
    const std::size_t part = first_part(i);
    if (!field.initial.text.empty()) {
      const Degrees& own = space.degrees();
      const SphereQuadrature quadrature(*radial_, own, {0, 2 * own.r + own.l + 64, own.l + 24, own.m + 24});
      quadrature.moments(space.series(), part, expressions_.finite_values(field.initial, start, quadrature.points()),
                         e.data());
    }
    if (field.initial_vector.is_there()) add_parts(space, i, field.initial_vector, start, 64, e);
    const auto add = [&](const std::vector<HarmonicCase>& harmonics, std::size_t of_part) {
      for (const HarmonicCase& harmonic : harmonics) {
        const std::vector<double> radial = radial_series(harmonic, space.degrees().r, nullptr);
        double* const place =
            e.data() + space.series().place(of_part, harmonic.l, space.series().orders().column(harmonic.m));
        const double factor = harmonic_factor(harmonic.l, harmonic.m);
        for (std::size_t n = 0; n < radial.size(); ++n) place[n] += factor * radial[n];
      }
    };
    add(field.toroidal, part);
    add(field.poloidal, part + 1);
  }
  return e;
}

// T from r . curl, P from r . of the vector.
void BallModel::add_parts(const BallSpace& space, std::size_t field, const VectorCase& vector, double time,
                          Index more_r, std::vector<double>& e) const {
  const Degrees& own = space.degrees();
  const Layout& series = space.series();
  const std::size_t part = first_part(field);
  const SphereQuadrature quadrature(*radial_, own, {0, 2 * own.r + own.l + more_r, own.l + 24, own.m + 24});
  const SpherePoints points = quadrature.points();
  auto components = given_vector(expressions_, vector, time, points);
  quadrature.curl_moments(series, part, components, 1.0, e.data());
  std::vector<double>& outward = components[0];
  for (std::size_t i = 0; i < outward.size(); ++i) outward[i] *= points.r[i % points.r.size()];
  std::vector<double> moments(e.size());
  quadrature.moments(series, part + 1, outward, moments.data());
  for (Index l = 1; l <= own.l; ++l)
    for (Index i = series.place(part + 1, l); i < series.place(part + 1, l + 1); ++i)
      e[static_cast<std::size_t>(i)] +=
          section().radius / static_cast<double>(l * (l + 1)) * moments[static_cast<std::size_t>(i)];
}

bool BallModel::has_source() const {
  return std::any_of(section().fields.begin(), section().fields.end(), [](const BallField& field) {
    return !field.source.text.empty() || field.vector_source.is_there();
  });
}

bool BallModel::source_depends_on_time() const {
  const auto depends = [&](const SourceText& text) {
    return !text.text.empty() && expressions_.depends_on_time(expressions_.parse(text));
  };
  return std::any_of(section().fields.begin(), section().fields.end(), [&](const BallField& field) {
    const auto& force = field.vector_source.components;
    return depends(field.source) || std::any_of(force.begin(), force.end(), depends);
  });
}

std::vector<double> BallModel::source(const BallSpace& space, double time) const {
  std::vector<double> c(static_cast<std::size_t>(space.unknowns().size()));
  space.test(source_series(space, time).data(), c.data());
  return c;
}

std::vector<double> BallModel::source_series(const BallSpace& space, double time) const {
  std::vector<double> e(static_cast<std::size_t>(space.series().size()), 0.0);
  const Degrees& own = space.degrees();
  for (std::size_t i = 0; i < section().fields.size(); ++i) {
    const BallField& field = section().fields[i];
    if (field.source.text.empty() && !field.vector_source.is_there()) continue;
    if (field.kind == FieldKind::magnetic) {
      add_parts(space, i, field.vector_source, time, 32, e);
      continue;
    }
    const SphereQuadrature quadrature(*radial_, own, {0, 2 * own.r + own.l + 32, own.l + 16, own.m + 16});
    if (field.vector_source.is_there()) {
      const auto force = given_vector(expressions_, field.vector_source, time, quadrature.points());
      quadrature.curl_moments(space.series(), first_part(i), force, 1.0, e.data());
      quadrature.curl_curl_moments(space.series(), first_part(i) + 1, force, section().radius, e.data());
      continue;
    }
    quadrature.moments(space.series(), first_part(i),
                       expressions_.finite_values(field.source, time, quadrature.points()), e.data());
  }
  return e;
}

std::vector<double> BallModel::unknown_values(const BallSpace& space, std::size_t unknown,
                                              const std::vector<std::vector<double>>& e,
                                              const FieldValues& at_points) const {
  std::vector<double> values;
  std::size_t first = 0;
  for (std::size_t i = 0; i < section().fields.size(); ++i) {
    const bool is_vector = section().fields[i].is_vector();
    if (unknown >= first + (is_vector ? 3 : 1)) {
      first += is_vector ? 3 : 1;
      continue;
    }
    const std::size_t part = first_part(i);
    for (const std::vector<double>& series : e) {
      std::vector<double> now;
      if (!is_vector) {
        now = at_points.scalar(space.series(), part, series.data());
      } else {
        const auto toroidal = static_cast<int>(part);
        now = at_points.vector(space.series(), toroidal, toroidal + 1, series.data())[unknown - first];
        // curl curl has one derivative more than curl: of the radius R that is a factor 1/R.
        if (section().radius != 1.0) {
          const auto of_toroidal = at_points.vector(space.series(), toroidal, -1, series.data())[unknown - first];
          for (std::size_t k = 0; k < now.size(); ++k)
            now[k] = of_toroidal[k] + (now[k] - of_toroidal[k]) / section().radius;
        }
      }
      values.insert(values.end(), now.begin(), now.end());
    }
    break;
  }
  return values;
}

}  // namespace gwrm::ball
