#include "problems/time_spectral/distribution_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "basis/orthogonal_basis.hpp"

namespace gwrm {

int highest_degree(const AxisDescription& description, int limit) {
  const auto distribution = distribution_of(description);
  return distribution && !distribution->is_bounded() ? std::min(limit, Distribution::kMaxUnboundedDegree) : limit;
}

std::string expansion_text(const Axis& axis, const AxisDescription& description) {
  const auto distribution = distribution_of(description);
  if (!distribution) {
    std::string text =
        fmt::format(" in [{:g}, {:g}], {} {}", axis.lower, axis.upper,
                    description.basis == kFourier ? "Fourier series to wavenumber" : "degree", description.degree);
    if (description.n_subdomains() > 1) text += fmt::format(" on each of {} subdomains", description.n_subdomains());
    return axis.map == MapKind::log ? text + ", log map" : text;
  }
  const char* name = "Jacobi";
  if (distribution->kind() == Distribution::Kind::normal) name = "Hermite";
  if (distribution->kind() == Distribution::Kind::uniform) name = "Legendre";
  return fmt::format(", {}, {} polynomials{} to degree {}", distribution->text(), name,
                     distribution->of_logarithm() ? " of the logarithm" : "", description.degree);
}

std::string quadrature_text(const AxisDescription& description) {
  const auto distribution = distribution_of(description);
  if (!distribution) return {};
  const auto basis = make_basis(description);
  const Vector points = basis->grid(basis->n_coefficients()).points;
  const AxisDescription likely = likely_part(description);
  return fmt::format(
      "; its points reach from {:.4g} to {:.4g}; judged where all but {:g} of the probability is, [{:.4g}, {:.4g}]",
      points.minCoeff(), points.maxCoeff(), Distribution::kUnlikely, likely.edges.front(), likely.edges.back());
}

}  // namespace gwrm
