#include "problems/ball/given_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "problems/ball/vector_fields.hpp"

namespace gwrm::ball {
namespace {

constexpr Index kHighestRadial = 23;       // of E_n^l in the factors: entire functions as sin(pi r) need about 12
constexpr double kSeriesAgreement = 1e-9;  // relative, of the factor with its series and at the surface

}  // namespace

GivenFlow::GivenFlow(const BallModel& model) {
  const BallCase& section = model.section();
  factor_ = section.flow.factor;
  radius_ = section.radius;
  radial_ = model.parts().front().radial;
  const RadialFunctions& radial = *radial_;
  const auto add = [&](const std::vector<HarmonicCase>& harmonics, bool poloidal) {
    for (const HarmonicCase& harmonic : harmonics) {
      Part part{harmonic.l, harmonic.m, poloidal, {}};
      double misfit = 0.0;
      part.series = model.radial_series(harmonic, kHighestRadial, &misfit, -1);
      double size = 0.0;
      for (std::size_t n = 0; n < part.series.size(); ++n)
        size = std::max(size, std::abs(part.series[n] * radial.wall_values(1.0, part.l, static_cast<Index>(n))[0]));
      if (misfit > kSeriesAgreement * size && radial.is_shell())
        throw_case_error(harmonic.text, 0,
                         fmt::format("this is no smooth function of r in the shell: {:.1e} of it is left out by "
                                     "polynomials of degree {}. Take one without steps and kinks",
                                     misfit / size, kHighestRadial));
      if (misfit > kSeriesAgreement * size)
        throw_case_error(harmonic.text, 0,
                         fmt::format("this is not r^{0} times a smooth function of r^2: "
                                     "{1:.1e} of it is left out. A given "
                                     "flow of degree {2} vanishes like r^{0} at the centre, "
                                     "with the unit vector e_r",
                                     part.l + 1, misfit / size, part.l));
      for (const double wall : radial.walls()) {
        const double at_wall =
            std::abs(radial.wall_value({1.0, 0.0, 0.0, wall}, part.l, kHighestRadial, part.series.data())) * wall;
        if (poloidal && at_wall > kSeriesAgreement * size)
          throw_case_error(harmonic.text, 0,
                           fmt::format("this flow leaves through the {}: its poloidal factor is {:.3g} there, and "
                                       "must be 0",
                                       wall == 1.0 ? "surface" : "inner wall", at_wall * radius_));
      }
      const double norm = harmonic_factor(part.l, part.m);
      for (double& value : part.series) value *= norm;
      degrees_.l = std::max(degrees_.l, part.l);
      degrees_.m = std::max(degrees_.m, std::abs(part.m));
      parts_.push_back(std::move(part));
    }
  };
  add(section.flow.toroidal, false);
  add(section.flow.poloidal, true);
  degrees_.r = kHighestRadial;
}

bool GivenFlow::is_axisymmetric() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.m == 0; });
}

std::vector<Index> GivenFlow::orders() const {
  std::vector<Index> orders;
  for (const Part& part : parts_) orders.push_back(std::abs(part.m));
  return orders;
}

Layout GivenFlow::layout() const {
  const auto none = [](Index) { return std::vector<WallCondition>{}; };
  const std::vector<ball::Part> both = {{0, PartKind::toroidal, 1.0, none, false},
                                        {0, PartKind::poloidal, 1.0, none, false}};
  return {both, degrees_.l, degrees_.orders(), {kHighestRadial + 1, kHighestRadial + 1}};
}

std::vector<double> GivenFlow::series(const Layout& layout) const {
  std::vector<double> e(static_cast<std::size_t>(layout.size()), 0.0);
  for (const Part& part : parts_) {
    double* const place = e.data() + layout.place(part.poloidal ? 1 : 0, part.l, layout.orders().column(part.m));
    for (std::size_t n = 0; n < part.series.size(); ++n) place[n] += factor_ * part.series[n];
  }
  return e;
}

std::array<std::vector<double>, 3> GivenFlow::values(const SpherePoints& points) const {
  const Layout own = layout();
  return vector_values(SphereTransform(*radial_, degrees_, points), own, 0, radius_, series(own).data());
}

std::array<std::vector<double>, 3> GivenFlow::curl(const SpherePoints& points) const {
  const Layout own = layout();
  return curl_values(SphereTransform(*radial_, degrees_, points), own, 0, radius_, series(own).data());
}

double GivenFlow::largest_speed() const {
  if (!is_there()) return 0.0;
  SpherePoints points;
  for (int i = 0; i <= 40; ++i) points.r.push_back(radial_->inner() + (1.0 - radial_->inner()) * i / 40.0);
  for (int i = 1; i < 40; ++i) points.theta.push_back(3.14159265358979323846 * i / 40.0);
  for (Index i = 0; i < 4 * degrees_.m + 1; ++i)
    points.phi.push_back(6.283185307179586 * static_cast<double>(i) / static_cast<double>(4 * degrees_.m + 1));
  const auto [r, theta, phi] = values(points);
  double largest = 0.0;
  for (std::size_t i = 0; i < r.size(); ++i) largest = std::max(largest, std::hypot(r[i], theta[i], phi[i]));
  return largest;
}

}  // namespace gwrm::ball
