#include "problems/ball/ball_space.hpp"

#include <utility>

#include "core/context.hpp"
#include "kernels/banded/pentadiagonal.hpp"
#include "kernels/banded/tridiagonal.hpp"

namespace gwrm::ball {
namespace {

std::vector<std::vector<RadialBasis>> bases_of(const std::vector<Part>& parts, const Degrees& degrees) {
  std::vector<std::vector<RadialBasis>> bases;
  for (const Part& part : parts) {
    bases.emplace_back();
    for (Index l = part.first_l(); l <= degrees.l; ++l) bases.back().emplace_back(l, degrees.r, part.conditions(l));
  }
  return bases;
}

std::vector<Index> counts_of(const std::vector<std::vector<RadialBasis>>& bases) {
  std::vector<Index> counts;
  for (const auto& of_part : bases) counts.push_back(of_part.empty() ? 0 : of_part.front().n_functions());
  return counts;
}

// A superdiagonal as the subdiagonal of a symmetric matrix.
std::vector<double> shifted(const std::vector<double>& upper, std::size_t by) {
  std::vector<double> lower(upper.size(), 0.0);
  for (std::size_t k = by; k < upper.size(); ++k) lower[k] = upper[k - by];
  return lower;
}

}  // namespace

Layout::Layout(const std::vector<Part>& parts, Index degree, Index highest_order, std::vector<Index> n)
    : degree_(degree), highest_order_(highest_order), n_(std::move(n)) {
  Index place = 0;
  for (std::size_t part = 0; part < parts.size(); ++part)
    for (Index l = 0; l <= degree_; ++l) {
      offsets_.push_back(place);
      if (l >= parts[part].first_l()) place += n_orders(l) * n_[part];
    }
  offsets_.push_back(place);
}

BallSpace::BallSpace(std::vector<Part> parts, const Degrees& degrees)
    : parts_(std::move(parts)),
      degrees_(degrees),
      bases_(bases_of(parts_, degrees)),
      unknowns_(parts_, degrees.l, degrees.m, counts_of(bases_)),
      series_(parts_, degrees.l, degrees.m, std::vector<Index>(parts_.size(), degrees.r + 1)) {}

template <class Visit>
void BallSpace::for_each_block(const Visit& visit) const {
  for (std::size_t part = 0; part < parts_.size(); ++part)
    for (Index l = parts_[part].first_l(); l <= degrees_.l; ++l)
      for (Index c = 0; c < unknowns_.n_orders(l); ++c)
        visit(part, l, unknowns_.place(part, l, c), series_.place(part, l, c));
}

void BallSpace::to_series(const double* c, double* e) const {
  for_each_block([&](std::size_t part, Index l, Index in, Index out) { basis(part, l).to_energy(c + in, e + out); });
}

void BallSpace::test(const double* e, double* c) const {
  for_each_block([&](std::size_t part, Index l, Index out, Index in) { basis(part, l).test(e + in, c + out); });
}

void BallSpace::apply_mass(const double* c, double* y) const {
  for_each_block([&](std::size_t part, Index l, Index place, Index) {
    const std::vector<double>&diagonal = mass(part, l, 0), &next = mass(part, l, 1);
    const double* const x = c + place;
    const auto n = static_cast<std::size_t>(unknowns_.n(part));
    for (std::size_t k = 0; k < n; ++k)
      y[place + static_cast<Index>(k)] =
          diagonal[k] * x[k] + (k + 1 < n ? next[k] * x[k + 1] : 0.0) + (k > 0 ? next[k - 1] * x[k - 1] : 0.0);
  });
}

void BallSpace::apply_diffusion(const double* c, double* y) const {
  for_each_block([&](std::size_t part, Index l, Index place, Index) {
    const std::vector<double>& stiffness = basis(part, l).stiffness();
    for (std::size_t k = 0; k < stiffness.size(); ++k) {
      const auto at = static_cast<std::size_t>(place) + k;
      y[at] = parts_[part].diffusivity * stiffness[k] * c[at];
    }
  });
}

// The tridiagonal or pentadiagonal mass of L2.
std::vector<double> BallSpace::project(const std::vector<double>& e) const {
  const Context context = Context::create(BackendChoice::cpu, 1);
  std::vector<double> c(static_cast<std::size_t>(unknowns_.size()));
  test(e.data(), c.data());
  for (std::size_t part = 0; part < parts_.size(); ++part)
    for (Index l = parts_[part].first_l(); l <= degrees_.l; ++l) {
      const RadialBasis& functions = basis(part, l);
      const BandedShape shape{functions.n_functions(), unknowns_.n_orders(l), BatchLayout::contiguous};
      const std::vector<double>&diagonal = functions.mass(0), &upper = functions.mass(1), &second = functions.mass(2);
      const std::vector<double> lower = shifted(upper, 1), second_lower = shifted(second, 2);
      const auto plan =
          functions.n_conditions() == 1
              ? make_tridiagonal_plan<double>(context, shape, {lower.data(), diagonal.data(), upper.data()})
              : make_pentadiagonal_plan<double>(
                    context, shape, {second_lower.data(), lower.data(), diagonal.data(), upper.data(), second.data()});
      double* const block = c.data() + unknowns_.place(part, l);
      plan->solve(block, block);
    }
  return c;
}

}  // namespace gwrm::ball
