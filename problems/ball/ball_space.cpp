#include "problems/ball/ball_space.hpp"

#include <algorithm>
#include <utility>

#include "core/thread_errors.hpp"

namespace gwrm::ball {
namespace {

using Bases = std::vector<std::vector<std::shared_ptr<const RadialBasis>>>;

Bases bases_of(const std::vector<Part>& parts, const Degrees& degrees) {
  Bases bases;
  for (const Part& part : parts) {
    const Index n = std::max<Index>(degrees.l + 1 - part.first_l(), 0);
    const FourthOrder equation{part.of_curl, part.hyperdiffusion > 0.0 ? part.diffusivity / part.hyperdiffusion : 0.0};
    bases.emplace_back(static_cast<std::size_t>(n));
    ThreadErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (Index i = 0; i < n; ++i)
      errors.run([&] {
        const Index l = part.first_l() + i;
        bases.back()[static_cast<std::size_t>(i)] = part.radial->basis(l, degrees.r, part.conditions(l), equation);
      });
    errors.rethrow();
  }
  return bases;
}

std::vector<Index> counts_of(const Bases& bases) {
  std::vector<Index> counts;
  for (const auto& of_part : bases) counts.push_back(of_part.empty() ? 0 : of_part.front()->n_functions());
  return counts;
}

// kappa stiffness; of scalars with hyperdiffusion kappa gradients + kappa_4 stiffness (in a shell the functions'
// stiffness is of both, their gradients are 0), the second diagonal empty else.
std::array<std::vector<double>, 2> diffusion_of(const Part& part, const RadialBasis& basis) {
  const double kappa = part.diffusivity, kappa_4 = part.hyperdiffusion;
  std::array<std::vector<double>, 2> diagonals{basis.stiffness(), {}};
  for (double& value : diagonals[0]) value *= kappa_4 > 0.0 ? kappa_4 : kappa;
  if (kappa_4 == 0.0 || kappa == 0.0) return diagonals;
  diagonals[1] = basis.gradients(1);
  for (std::size_t k = 0; k < diagonals[1].size(); ++k) {
    diagonals[0][k] += kappa * basis.gradients(0)[k];
    diagonals[1][k] *= kappa;
  }
  return diagonals;
}

}  // namespace

Layout::Layout(const std::vector<Part>& parts, Index degree, Orders orders, std::vector<Index> n)
    : degree_(degree), orders_(std::move(orders)), n_(std::move(n)) {
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
      unknowns_(parts_, degrees.l, degrees.orders(), counts_of(bases_)),
      series_(parts_, degrees.l, degrees.orders(), std::vector<Index>(parts_.size(), degrees.r + 1)) {
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    diffusion_.emplace_back();
    for (const auto& functions : bases_[part]) diffusion_.back().push_back(diffusion_of(parts_[part], *functions));
  }
}

SymmetricBands BallSpace::mass(std::size_t part, Index l) const {
  const RadialBasis& functions = basis(part, l);
  if (parts_[part].of_curl) return {{&functions.gradients(0), &functions.gradients(1), nullptr}, 2};
  return {{&functions.mass(0), &functions.mass(1), &functions.mass(2)}, functions.n_mass_diagonals()};
}

SymmetricBands BallSpace::diffusion(std::size_t part, Index l) const {
  const auto& [diagonal, next] = diffusion_[part][static_cast<std::size_t>(l - parts_[part].first_l())];
  return {{&diagonal, &next, nullptr}, next.empty() ? 1u : 2u};
}

template <class Visit>
void BallSpace::for_each_block(const Visit& visit) const {
  for (std::size_t part = 0; part < parts_.size(); ++part)
    for (Index l = parts_[part].first_l(); l <= degrees_.l; ++l)
      for (Index c = 0; c < unknowns_.n_orders(l); ++c)
        visit(part, l, unknowns_.place(part, l, c), series_.place(part, l, c));
}

void BallSpace::to_series(const double* c, double* e) const {
  for_each_block([&](std::size_t part, Index l, Index in, Index out) { basis(part, l).to_series(c + in, e + out); });
}

void BallSpace::test(const double* e, double* c) const {
  for_each_block([&](std::size_t part, Index l, Index out, Index in) { basis(part, l).test(e + in, c + out); });
}

void BallSpace::apply_mass(const double* c, double* y) const {
  std::fill(y, y + unknowns_.size(), 0.0);
  for_each_block(
      [&](std::size_t part, Index l, Index place, Index) { add_product(mass(part, l), 1.0, c + place, y + place); });
}

void BallSpace::apply_diffusion(const double* c, double* y) const {
  std::fill(y, y + unknowns_.size(), 0.0);
  for_each_block([&](std::size_t part, Index l, Index place, Index) {
    add_product(diffusion(part, l), 1.0, c + place, y + place);
  });
}

std::vector<double> BallSpace::project(const std::vector<double>& e) const {
  std::vector<double> c(static_cast<std::size_t>(unknowns_.size()));
  test(e.data(), c.data());
  for (std::size_t part = 0; part < parts_.size(); ++part)
    for (Index l = parts_[part].first_l(); l <= degrees_.l; ++l)
      if (unknowns_.n_orders(l) > 0) basis(part, l).nearest(c.data() + unknowns_.place(part, l), unknowns_.n_orders(l));
  return c;
}

}  // namespace gwrm::ball
