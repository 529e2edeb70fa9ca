#include "problems/ball/order_sets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <optional>
#include <set>

#include "problems/ball/coupled_residual.hpp"
#include "problems/ball/given_vector.hpp"

namespace gwrm::ball {
namespace {

constexpr double kNothing = 1e-9;  // relative, of an order in data
constexpr Index kMoreOrders = 24;  // of data, that must not be taken for lower ones

const char* const kCure = "leave out ball.azimuthal_symmetry, or the list of ball.degree.m";

// The size of every order m < sizes.size() in values [phi][circle].
std::vector<double> sizes_of_orders(const std::vector<double>& values, std::size_t n_phi, Index highest) {
  const std::size_t n_circles = values.size() / n_phi;
  std::vector<double> sizes;
  for (Index m = 0; m <= highest; ++m) {
    double largest = 0.0;
    for (std::size_t i = 0; i < n_circles; ++i) {
      double cosine = 0.0, sine = 0.0;
      for (std::size_t j = 0; j < n_phi; ++j) {
        const double angle =
            2.0 * std::numbers::pi * static_cast<double>(m) * static_cast<double>(j) / static_cast<double>(n_phi);
        cosine += std::cos(angle) * values[j * n_circles + i];
        sine += std::sin(angle) * values[j * n_circles + i];
      }
      largest = std::max(largest, std::hypot(cosine, sine));
    }
    sizes.push_back(largest);
  }
  return sizes;
}

// The order of most weight in data that the set leaves out below its highest; none: there is nothing of such.
std::optional<Index> order_left_out(const std::vector<std::vector<double>>& components, std::size_t n_phi,
                                    const Orders& orders) {
  std::vector<double> sizes;
  for (const std::vector<double>& values : components) {
    const std::vector<double> own = sizes_of_orders(values, n_phi, orders.list().back());
    sizes.resize(own.size(), 0.0);
    for (std::size_t m = 0; m < own.size(); ++m) sizes[m] = std::max(sizes[m], own[m]);
  }
  double size = 0.0;
  for (const std::vector<double>& values : components)
    for (const double value : values) size = std::max(size, std::abs(value));
  std::optional<Index> found;
  for (Index m = 0; m < static_cast<Index>(sizes.size()); ++m) {
    const double own = sizes[static_cast<std::size_t>(m)];
    if (orders.has(m) || own <= kNothing * size * static_cast<double>(n_phi)) continue;
    if (!found || own > sizes[static_cast<std::size_t>(*found)]) found = m;
  }
  return found;
}

class OrdersCheck {
 public:
  explicit OrdersCheck(const BallModel& model) : model_(model), orders_(model.degrees().orders()) {}

  void flow() const {
    const BallCase& section = model_.section();
    if (!section.has(TermWord::induction) && !section.has(TermWord::advection) && !section.has(TermWord::inertia))
      return;
    for (const auto* harmonics : {&section.flow.toroidal, &section.flow.poloidal})
      for (const HarmonicCase& harmonic : *harmonics)
        for (const Index m : orders_.list())
          for (const Index other : {std::abs(m - std::abs(harmonic.m)), m + std::abs(harmonic.m)})
            if (other <= orders_.list().back() && !orders_.has(other))
              throw_case_error(harmonic.key, 0,
                               fmt::format("this flow takes the order {} to {}, which ball.degree has not (m: {}): add "
                                           "it to the list of m, or {}",
                                           m, other, orders_text(model_.degrees()), kCure));
  }

  // What is not closed is given by a list.
  void products() const {
    if (model_.degrees().listed.empty()) return;
    const BallCase& section = model_.section();
    const bool reacts = std::any_of(section.fields.begin(), section.fields.end(), [&](const BallField& field) {
      return !field.reaction.text.empty() && model_.expressions().parse(field.reaction)->facts.degree != 1;
    });
    if (!multiplies_fields(model_) && !reacts) return;
    throw_case_error(
        section.degree_where, 0,
        fmt::format("products of fields lead out of the orders {}: take all multiples of one number, as m: "
                    "[0, 2, 4], or the highest order with ball.azimuthal_symmetry",
                    orders_text(model_.degrees())));
  }

  // Reactions are integrated over a part of the circle, where nothing else is seen of them.
  void reactions() const {
    for (const BallField& field : model_.section().fields)
      if (!field.reaction.text.empty() &&
          model_.expressions().depends_on_azimuth(model_.expressions().parse(field.reaction)))
        throw_case_error(
            field.reaction, 0,
            fmt::format("this reaction depends on phi, x or y, and ball.degree has not all orders (m: {}): "
                        "write it with r, theta and z (x^2 + y^2 is (r*sin(theta))^2), or {}",
                        orders_text(model_.degrees()), kCure));
  }

  void data() const {
    const Axis& time = model_.of_case().domain.front().axis;
    std::vector<double> times;
    for (const double place : {0.0, 0.137, 0.371, 0.713, 1.0})
      times.push_back(time.lower + place * (time.upper - time.lower));
    const SpherePoints points = circles();
    const BallExpressions& expressions = model_.expressions();
    for (const BallField& field : model_.section().fields) {
      if (!field.initial.text.empty())
        refuse(field.initial, {expressions.finite_values(field.initial, time.lower, points)}, points,
               "the initial value has");
      if (field.initial_vector.is_there())
        refuse(field.initial_vector, time.lower, points, "with its other components the initial value has");
      for (const double now : times) {
        if (!field.source.text.empty())
          refuse(field.source, {expressions.finite_values(field.source, now, points)}, points, "the source has");
        if (field.vector_source.is_there())
          refuse(field.vector_source, now, points, "with its other components the source has");
      }
    }
  }

 private:
  // Of no symmetry.
  SpherePoints circles() const {
    SpherePoints points;
    const double inner = model_.radial().inner();
    for (const double place : {0.173, 0.419, 0.687, 0.941}) points.r.push_back(inner + (1.0 - inner) * place);
    for (const double theta : {0.37, 0.91, 1.43, 2.03, 2.71}) points.theta.push_back(theta);
    const Index n = 2 * (orders_.list().back() + kMoreOrders) + 1;
    for (Index j = 0; j < n; ++j)
      points.phi.push_back(2.0 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(n));
    return points;
  }

  void refuse(const SourceText& text, const std::vector<std::vector<double>>& components, const SpherePoints& points,
              const char* what) const {
    const std::optional<Index> order = order_left_out(components, points.phi.size(), orders_);
    if (order)
      throw_case_error(
          text, 0,
          fmt::format("{} the order m = {}, which ball.degree has not (m: {}): add it to the list of m, or "
                      "{}",
                      what, *order, orders_text(model_.degrees()), kCure));
  }

  void refuse(const VectorCase& vector, double time, const SpherePoints& points, const char* what) const {
    const auto [r, theta, phi] = given_vector(model_.expressions(), vector, time, points);
    const auto is_given = [](const SourceText& text) { return !text.text.empty(); };
    refuse(*std::find_if(vector.components.begin(), vector.components.end(), is_given), {r, theta, phi}, points, what);
  }

  const BallModel& model_;
  Orders orders_;
};

}  // namespace

Index highest_order_of(const FlowCase& flow) {
  Index highest = 0;
  for (const auto* harmonics : {&flow.toroidal, &flow.poloidal})
    for (const HarmonicCase& harmonic : *harmonics) highest = std::max<Index>(highest, std::abs(harmonic.m));
  return highest;
}

std::vector<Index> coupled_orders(const BallModel& model, const std::vector<Index>& orders, Index at_most) {
  std::set<Index> all(orders.begin(), orders.end());
  const FlowCase& flow = model.section().flow;
  for (const auto* harmonics : {&flow.toroidal, &flow.poloidal})
    for (const HarmonicCase& harmonic : *harmonics)
      for (const Index m : orders)
        for (const Index other : {std::abs(m - std::abs(harmonic.m)), m + std::abs(harmonic.m)})
          if (other <= at_most) all.insert(other);
  return {all.begin(), all.end()};
}

void check_orders(const BallModel& model) {
  const Degrees degrees = model.degrees();
  if (degrees.listed.empty() && degrees.fold == 1) return;
  const OrdersCheck check(model);
  check.flow();
  check.products();
  check.reactions();
  check.data();
}

std::string orders_text(const Degrees& degrees) {
  if (!degrees.listed.empty()) return fmt::format("{}", fmt::join(degrees.listed, ", "));
  if (degrees.fold == 1) return std::to_string(degrees.m);
  if (degrees.m <= degrees.fold) return fmt::format("{}", fmt::join(degrees.orders().list(), ", "));
  return fmt::format("0, {} .. {}", degrees.fold, degrees.m);
}

}  // namespace gwrm::ball
