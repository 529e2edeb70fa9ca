#include "problems/ball/ball_terms.hpp"

#include <algorithm>
#include <cmath>

#include "problems/ball/point_products.hpp"
#include "problems/ball/shell_functions.hpp"

namespace gwrm::ball {
BallTerms::BallTerms(const BallModel& model, const BallSpace& space) : space_(space), radius_(model.section().radius) {
  const BallCase& section = model.section();
  const auto has = [&](TermWord word) { return section.has(word); };
  for (std::size_t i = 0; i < section.fields.size(); ++i) {
    const BallField& field = section.fields[i];
    const std::size_t part = model.first_part(i);
    if (section.flow.is_there() && field.kind == FieldKind::magnetic && has(TermWord::induction))
      induced_.push_back(part);
    if (section.flow.is_there() && field.kind == FieldKind::scalar && has(TermWord::advection))
      advected_.push_back(part);
    if (field.kind != FieldKind::velocity) continue;
    if (section.flow.is_there() && has(TermWord::inertia)) sheared_.push_back(part);
    if (has(TermWord::coriolis)) rotating_.push_back({part, section.rotation});
    for (std::size_t j = 0; j < section.fields.size(); ++j) {
      if (section.fields[j].is_vector()) continue;
      const std::size_t scalar = model.first_part(j);
      // The position vector is `radius` times that of the unit ball.
      if (has(TermWord::buoyancy) && section.fields[j].buoyancy != 0.0)
        links_.push_back({scalar, part + 1, section.fields[j].buoyancy * radius_ * radius_, false});
      if (has(TermWord::background) && section.fields[j].background != 0.0)
        links_.push_back({part + 1, scalar, section.fields[j].background, true});
      if (const double inner = space.radial().inner(); has(TermWord::background) && section.fields[j].contrast != 0.0) {
        // P/r^3 with r = R x, C in units of length.
        const double factor = section.fields[j].contrast * inner / ((1.0 - inner) * radius_ * radius_);
        links_.push_back({part + 1, scalar, factor, true, true});
        over_cube_ = ShellFunctions(inner).moments_of_power(-3, space.degrees().r);
      }
    }
  }
  const bool has_flow = !induced_.empty() || !advected_.empty() || !sheared_.empty();
  if (!has_flow && rotating_.empty()) return;
  const GivenFlow flow(model);
  const Degrees &own = space.degrees(), of_flow = flow.degrees();
  const RadialFunctions& radial = space.radial();
  // The flow's entire functions have a degree of about 2 * 12 + its l.
  const Degrees data{0, radial.degree(own.l, own.r) + 26 + of_flow.l, own.l + of_flow.l + 2, own.m + of_flow.m};
  quadrature_ = std::make_unique<SphereQuadrature>(radial, own, data, equal_parts(own.orders(), flow.orders()));
  transform_ = std::make_unique<SphereTransform>(radial, own, quadrature_->points());
  if (!has_flow) return;
  flow_ = flow.values(quadrature_->points());
  if (!sheared_.empty()) {
    turning_ = flow.curl(quadrature_->points());
    for (std::vector<double>& component : turning_)
      for (double& value : component) value = -value;
  }
  speed_ = flow.largest_speed();
}

void BallTerms::moments(const double* e, double* moments) const {
  const Layout& series = space_.series();
  std::fill(moments, moments + series.size(), 0.0);
  for (const std::size_t part : advected_) {
    const std::vector<double> scalar = transform_->scalar(series, part, e);
    Components flux = flow_;
    for (std::vector<double>& component : flux)
      for (std::size_t i = 0; i < component.size(); ++i) component[i] *= scalar[i];
    quadrature_->gradient_moments(series, part, flux, 1.0 / radius_, moments);
  }
  for (const std::size_t part : induced_) {
    const Components field = vector_values(*transform_, series, part, radius_, e);
    const Components product = cross(flow_, field);
    quadrature_->curl_curl_moments(series, part, product, 1.0 / radius_, moments);
    quadrature_->curl_moments(series, part + 1, product, 1.0, moments);
  }
  for (const std::size_t part : sheared_) {
    Components force = cross(flow_, curl_values(*transform_, series, part, radius_, e));
    const Components turned = cross(turning_, vector_values(*transform_, series, part, radius_, e));
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < force[k].size(); ++i) force[k][i] += turned[k][i];
    quadrature_->curl_moments(series, part, force, 1.0, moments);
    quadrature_->curl_curl_moments(series, part + 1, force, radius_, moments);
  }
  for (const Rotating& rotating : rotating_) {
    const Components field = vector_values(*transform_, series, rotating.part, radius_, e);
    const Components force = cross(axis(rotating.rotation), field);
    quadrature_->curl_moments(series, rotating.part, force, 1.0, moments);
    quadrature_->curl_curl_moments(series, rotating.part + 1, force, radius_, moments);
  }
  for (const Link& link : links_)
    for (Index l = std::max(space_.parts()[link.from].first_l(), space_.parts()[link.to].first_l());
         l <= space_.degrees().l; ++l) {
      const double factor = link.factor * (link.weighted ? static_cast<double>(l * (l + 1)) : 1.0);
      const Index n = series.n_orders(l) * series.n(link.from);
      const double* const from = e + series.place(link.from, l);
      double* const to = moments + series.place(link.to, l);
      if (link.over_cube) {
        using Rows = Eigen::Map<Matrix>;
        Rows(to, series.n_orders(l), series.n(link.to)).noalias() +=
            factor * (Eigen::Map<const Matrix>(from, series.n_orders(l), series.n(link.from)) * over_cube_.transpose());
        continue;
      }
      for (Index i = 0; i < n; ++i) to[i] += factor * from[i];
    }
}

Components BallTerms::axis(double rotation) const {
  const SpherePoints& points = transform_->points();
  Components axis;
  for (std::vector<double>& component : axis) component.reserve(static_cast<std::size_t>(points.size()));
  for (std::size_t j = 0; j < points.phi.size(); ++j)
    for (const double theta : points.theta) {
      const PointVector at = coriolis_axis(rotation, std::cos(theta), std::sin(theta));
      axis[0].insert(axis[0].end(), points.r.size(), at.r);
      axis[1].insert(axis[1].end(), points.r.size(), at.theta);
      axis[2].insert(axis[2].end(), points.r.size(), at.phi);
    }
  return axis;
}

GridProducts BallTerms::products() const {
  GridProducts all;
  if (transform_ == nullptr) return all;
  all.grid = Grid(*quadrature_);
  const auto add = [&](std::size_t given, const GridField& field, FieldKind kind) {
    all.fields.push_back(field);
    all.targets.push_back({kind, field.part});
    all.products.push_back({GridProduct::Left::given, given, all.fields.size() - 1, 1.0, all.targets.size() - 1});
  };
  if (!flow_[0].empty()) all.given.push_back(flow_);
  if (!sheared_.empty()) all.given.push_back(turning_);
  for (const std::size_t part : advected_) add(0, {GridField::Kind::scalar, part}, FieldKind::scalar);
  for (const std::size_t part : induced_) add(0, {GridField::Kind::vector, part}, FieldKind::magnetic);
  for (const std::size_t part : sheared_) {
    add(0, {GridField::Kind::curl, part}, FieldKind::velocity);
    const std::size_t target = all.targets.size() - 1;
    all.fields.push_back({GridField::Kind::vector, part});
    all.products.push_back({GridProduct::Left::given, 1, all.fields.size() - 1, 1.0, target});
  }
  for (const Rotating& rotating : rotating_) {
    all.given.push_back(axis(rotating.rotation));
    add(all.given.size() - 1, {GridField::Kind::vector, rotating.part}, FieldKind::velocity);
  }
  return all;
}

std::vector<std::size_t> BallTerms::carried() const {
  std::vector<std::size_t> parts = induced_;
  parts.insert(parts.end(), advected_.begin(), advected_.end());
  parts.insert(parts.end(), sheared_.begin(), sheared_.end());
  return parts;
}

void BallTerms::apply(const double* c, double* y) const {
  std::vector<double> e(static_cast<std::size_t>(space_.series().size())), tested(e.size());
  space_.to_series(c, e.data());
  moments(e.data(), tested.data());
  space_.test(tested.data(), y);
}

}  // namespace gwrm::ball
