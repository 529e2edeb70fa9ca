#include "problems/ball/evolving_terms.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gwrm::ball {
namespace {

constexpr int kHighestExact = 3;  // degree of reactions that the points integrate exactly

void add_scaled(const Components& a, double factor, Components& sum) {
  for (std::size_t k = 0; k < 3; ++k) {
    sum[k].resize(a[k].size(), 0.0);
    for (std::size_t i = 0; i < a[k].size(); ++i) sum[k][i] += factor * a[k][i];
  }
}

Components scaled(const Components& a, const std::vector<double>& by) {
  Components result = a;
  for (std::vector<double>& component : result)
    for (std::size_t i = 0; i < by.size(); ++i) component[i] *= by[i];
  return result;
}

}  // namespace

EvolvingTerms::EvolvingTerms(const BallModel& model, const BallSpace& space)
    : model_(model), space_(space), radius_(model.section().radius), reactions_(model) {
  const BallCase& section = model.section();
  const std::size_t n_fields = section.fields.size();
  read_.assign(n_fields, false);
  curl_read_.assign(n_fields, false);
  const auto read = [&](std::size_t field) { read_[field] = true; };
  for (std::size_t i = 0; i < n_fields; ++i)
    if (section.fields[i].kind == FieldKind::velocity && velocity_ < 0) velocity_ = static_cast<int>(i);
  advection_ = velocity_ >= 0 && section.has(TermWord::advection);
  induction_ = velocity_ >= 0 && section.has(TermWord::induction);
  bool any_product = advection_ || induction_;
  for (std::size_t i = 0; i < n_fields; ++i) {
    const FieldKind kind = section.fields[i].kind;
    const bool is_carried = (kind == FieldKind::scalar && advection_) || (kind == FieldKind::magnetic && induction_);
    if (is_carried) read(i), read(static_cast<std::size_t>(velocity_)), carried_.push_back(model.first_part(i));
    if (kind == FieldKind::velocity && section.has(TermWord::inertia)) {
      inertial_.push_back(i);
      read(i);
      curl_read_[i] = true;
      carried_.push_back(model.first_part(i));
    }
    if (kind == FieldKind::magnetic && section.has(TermWord::lorentz)) {
      magnetic_.push_back(i);
      read(i);
      curl_read_[i] = true;
    }
  }
  any_product = any_product || !inertial_.empty() || !magnetic_.empty();
  for (const std::size_t field : reactions_.read()) read(field);
  if (!any_product && !reactions_.any()) return;
  // Fields and test functions have the degree of the series in r (2 N + L, N in a shell) and L + 1 in the angles each.
  const int factors = std::max(any_product ? 2 : 1, reactions_.degree(kHighestExact));
  const Degrees& own = space.degrees();
  const RadialFunctions& radial = space.radial();
  const Degrees data{0, factors * radial.degree(own.l, own.r), factors * own.l + 3, factors * own.m};
  Index common = 0;  // divisor of all orders, and so of those of products
  for (const Index m : space.series().orders().list()) common = std::gcd(common, m);
  quadrature_ = std::make_unique<SphereQuadrature>(radial, own, data, std::max<Index>(common, 1));
  transform_ = std::make_unique<SphereTransform>(radial, own, quadrature_->points());
}

EvolvingTerms::Values EvolvingTerms::on_points(const double* e) const {
  Values values;
  const Layout& series = space_.series();
  for (std::size_t i = 0; i < read_.size(); ++i) {
    const std::size_t part = model_.first_part(i);
    values.fields.emplace_back();
    values.curls.emplace_back();
    if (!read_[i]) continue;
    if (!model_.section().fields[i].is_vector())
      values.fields[i][0] = transform_->scalar(series, part, e);
    else
      values.fields[i] = vector_values(*transform_, series, part, radius_, e);
    if (curl_read_[i]) values.curls[i] = curl_values(*transform_, series, part, radius_, e);
  }
  return values;
}

void EvolvingTerms::form(const Values& a, const Values& b, Products& products) const {
  const std::vector<BallField>& fields = model_.section().fields;
  products.resize(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (advection_ && fields[i].kind == FieldKind::scalar)
      add_scaled(scaled(a.fields[static_cast<std::size_t>(velocity_)], b.fields[i][0]), 1.0, products[i]);
    if (induction_ && fields[i].kind == FieldKind::magnetic)
      add_scaled(cross(a.fields[static_cast<std::size_t>(velocity_)], b.fields[i]), 1.0, products[i]);
    if (fields[i].kind != FieldKind::velocity) continue;
    for (const std::size_t magnetic : magnetic_)
      add_scaled(cross(a.curls[magnetic], b.fields[magnetic]), fields[magnetic].lorentz, products[i]);
  }
  for (const std::size_t i : inertial_) add_scaled(cross(a.fields[i], b.curls[i]), 1.0, products[i]);
}

void EvolvingTerms::test(const Products& products, const std::vector<std::vector<double>>& reactions,
                         double* moments) const {
  const std::vector<BallField>& fields = model_.section().fields;
  const Layout& series = space_.series();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t part = model_.first_part(i);
    if (!products[i][0].empty()) switch (fields[i].kind) {
        case FieldKind::scalar:
          quadrature_->gradient_moments(series, part, products[i], 1.0 / radius_, moments);
          break;
        case FieldKind::magnetic:
          quadrature_->curl_curl_moments(series, part, products[i], 1.0 / radius_, moments);
          quadrature_->curl_moments(series, part + 1, products[i], 1.0, moments);
          break;
        case FieldKind::velocity:
          quadrature_->curl_moments(series, part, products[i], 1.0, moments);
          quadrature_->curl_curl_moments(series, part + 1, products[i], radius_, moments);
          break;
      }
    if (!reactions[i].empty()) quadrature_->add_moments(series, part, reactions[i], moments);
  }
}

void EvolvingTerms::add_moments(const Values& at, double time, double* moments) const {
  Products products;
  form(at, at, products);
  std::vector<std::vector<double>> of_field(products.size());
  for (const Reactions::Reaction& reaction : reactions_.reactions())
    of_field[reaction.of] =
        reactions_.values(reaction.expr, time, transform_->points(),
                          [&](std::size_t field) -> const std::vector<double>& { return at.fields[field][0]; });
  test(products, of_field, moments);
}

std::vector<std::vector<double>> EvolvingTerms::reaction_slopes(const Values& at, double time) const {
  std::vector<std::vector<double>> slopes;
  for (const Reactions::Derivative& derivative : reactions_.derivatives())
    slopes.push_back(
        reactions_.values(derivative.expr, time, transform_->points(),
                          [&](std::size_t field) -> const std::vector<double>& { return at.fields[field][0]; }));
  return slopes;
}

void EvolvingTerms::add_derivative(const Values& at, const std::vector<std::vector<double>>& slopes, const Values& v,
                                   double* moments) const {
  Products products;
  form(at, v, products);
  form(v, at, products);
  std::vector<std::vector<double>> of_field(products.size());
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    const Reactions::Derivative& derivative = reactions_.derivatives()[k];
    const std::vector<double>& along = v.fields[derivative.by][0];
    std::vector<double>& sum = of_field[derivative.of];
    sum.resize(along.size(), 0.0);
    for (std::size_t i = 0; i < along.size(); ++i) sum[i] += slopes[k][i] * along[i];
  }
  test(products, of_field, moments);
}

// As form() has them.
GridProducts EvolvingTerms::products() const {
  GridProducts all;
  if (transform_ == nullptr) return all;
  all.grid = Grid(*quadrature_);
  const std::vector<BallField>& fields = model_.section().fields;
  std::vector<std::size_t> values(fields.size()), curls(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t part = model_.first_part(i);
    values[i] = all.fields.size();
    if (read_[i])
      all.fields.push_back({fields[i].is_vector() ? GridField::Kind::vector : GridField::Kind::scalar, part});
    curls[i] = all.fields.size();
    if (curl_read_[i]) all.fields.push_back({GridField::Kind::curl, part});
  }
  const auto velocity = static_cast<std::size_t>(velocity_);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t target = all.targets.size(), before = all.products.size();
    const auto add = [&](std::size_t left, std::size_t right, double factor) {
      all.products.push_back({GridProduct::Left::field, left, right, factor, target});
    };
    if (advection_ && fields[i].kind == FieldKind::scalar) add(values[velocity], values[i], 1.0);
    if (induction_ && fields[i].kind == FieldKind::magnetic) add(values[velocity], values[i], 1.0);
    if (fields[i].kind == FieldKind::velocity)
      for (const std::size_t magnetic : magnetic_) add(curls[magnetic], values[magnetic], fields[magnetic].lorentz);
    if (std::find(inertial_.begin(), inertial_.end(), i) != inertial_.end()) add(values[i], curls[i], 1.0);
    if (all.products.size() > before) all.targets.push_back({fields[i].kind, model_.first_part(i)});
  }
  return all;
}

double EvolvingTerms::largest_speed(const double* e) const {
  if (velocity_ < 0 || transform_ == nullptr || carried_.empty()) return 0.0;
  const Components velocity =
      vector_values(*transform_, space_.series(), model_.first_part(static_cast<std::size_t>(velocity_)), radius_, e);
  double largest = 0.0;
  for (std::size_t i = 0; i < velocity[0].size(); ++i)
    largest = std::max(largest, std::hypot(velocity[0][i], velocity[1][i], velocity[2][i]));
  return largest;
}

std::size_t EvolvingTerms::n_numbers() const {
  if (transform_ == nullptr) return 0;
  std::size_t components = 0;
  for (std::size_t i = 0; i < read_.size(); ++i) {
    const std::size_t each = model_.section().fields[i].is_vector() ? 3 : 1;
    components += (read_[i] ? each : 0) + (curl_read_[i] ? each : 0);
  }
  return components * static_cast<std::size_t>(transform_->points().size());
}

}  // namespace gwrm::ball
