#include "problems/ball/axisymmetric_terms.hpp"

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <numeric>

#include "core/thread_errors.hpp"

namespace gwrm::ball {
namespace {

using Number = std::complex<double>;
constexpr double kRounding = 1e-13;
constexpr Index kWidthOfMass = 2;

// All groups of an order, and what couples them.
AxisymmetricFamily all_groups(const BallSpace& space, Index order) {
  AxisymmetricFamily all;
  all.order = order;
  for (Index l = order; l <= space.degrees().l; ++l)
    for (std::size_t part = 0; part < space.parts().size(); ++part)
      if (l >= space.parts()[part].first_l()) all.groups.push_back({part, l, 0, space.unknowns().n(part)});
  return all;
}

// What unit vectors of a part and function n, l = remainder + i (2 reach + 1), become.
std::vector<double> probe(const BallSpace& space, const BallTerms& terms, std::size_t part, Index n, Index remainder,
                          Index stride) {
  const Layout& unknowns = space.unknowns();
  std::vector<double> c(static_cast<std::size_t>(unknowns.size()), 0.0), y(c.size());
  for (Index l = remainder; l <= space.degrees().l; l += stride) {
    if (l < space.parts()[part].first_l()) continue;
    for (const Index m : unknowns.orders().list())
      if (m <= l) c[static_cast<std::size_t>(unknowns.place(part, l, unknowns.orders().column(m)) + n)] = 1.0;
  }
  terms.apply(c.data(), y.data());
  return y;
}

// Connected groups together, in the order of all.
std::vector<AxisymmetricFamily> divided(const AxisymmetricFamily& all) {
  std::vector<std::size_t> root(all.groups.size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const AxisymmetricFamily::Coupling& coupling : all.couplings) {
    const std::size_t a = find(coupling.to), b = find(coupling.from);
    root[std::max(a, b)] = std::min(a, b);
  }
  std::vector<AxisymmetricFamily> families;
  std::vector<std::size_t> family_of(root.size()), place_of(root.size());
  for (std::size_t i = 0; i < root.size(); ++i) {
    if (find(i) == i) {
      family_of[i] = families.size();
      families.emplace_back();
      families.back().order = all.order;
    }
    AxisymmetricFamily& family = families[family_of[i] = family_of[find(i)]];
    place_of[i] = family.groups.size();
    family.groups.push_back(all.groups[i]);
    family.groups.back().first = family.size;
    family.size += all.groups[i].n;
    family.width = std::max(family.width, std::min(kWidthOfMass, all.groups[i].n - 1));
  }
  for (const AxisymmetricFamily::Coupling& coupling : all.couplings) {
    AxisymmetricFamily& family = families[family_of[coupling.to]];
    family.couplings.push_back({place_of[coupling.to], place_of[coupling.from], coupling.matrix});
    const auto &to = family.groups[place_of[coupling.to]], &from = family.groups[place_of[coupling.from]];
    family.width = std::max({family.width, to.first + to.n - 1 - from.first, from.first + from.n - 1 - to.first});
  }
  return families;
}

}  // namespace

Index reach_in_degree(const BallModel& model) {
  const BallCase& section = model.section();
  Index reach = section.has(TermWord::coriolis) ? 1 : 0;
  if (section.has(TermWord::induction) || section.has(TermWord::advection))
    reach = std::max(reach, GivenFlow(model).degrees().l);
  return reach;
}

bool has_axisymmetric_terms(const BallModel& model) {
  const std::vector<TermWord>& terms = model.section().terms;
  const GivenFlow flow(model);
  return !terms.empty() && std::all_of(terms.begin(), terms.end(), [&](TermWord word) {
    const bool of_flow = word == TermWord::induction || word == TermWord::advection;
    return word == TermWord::buoyancy || word == TermWord::background || word == TermWord::coriolis ||
           (of_flow && flow.is_there() && flow.is_axisymmetric());
  });
}

std::vector<AxisymmetricFamily> axisymmetric_families(const BallSpace& space, const BallTerms& terms, Index reach) {
  const Degrees& degrees = space.degrees();
  const Layout& unknowns = space.unknowns();
  const Index stride = std::min(2 * reach, degrees.l) + 1;
  std::vector<AxisymmetricFamily> all;
  for (const Index m : unknowns.orders().list()) {
    all.push_back(all_groups(space, m));
    const auto& groups = all.back().groups;
    for (std::size_t to = 0; to < groups.size(); ++to)
      for (std::size_t from = 0; from < groups.size(); ++from)
        if (std::abs(groups[to].l - groups[from].l) <= reach)
          all.back().couplings.push_back({to, from, Eigen::MatrixXcd::Zero(groups[to].n, groups[from].n)});
  }
  for (std::size_t part = 0; part < space.parts().size(); ++part) {
    const Index n_probes = unknowns.n(part) * stride;
    ThreadErrors errors;
#pragma omp parallel for schedule(dynamic)
    for (Index p = 0; p < n_probes; ++p)
      errors.run([&] {
        const Index n = p / stride, remainder = p % stride;
        const std::vector<double> y = probe(space, terms, part, n, remainder, stride);
        for (AxisymmetricFamily& of_order : all)
          for (AxisymmetricFamily::Coupling& coupling : of_order.couplings) {
            const auto &to = of_order.groups[coupling.to], &from = of_order.groups[coupling.from];
            if (from.part != part || from.l % stride != remainder) continue;
            const Index m = of_order.order;
            const double* const real = y.data() + unknowns.place(to.part, to.l, unknowns.orders().column(m));
            const double* const sine = y.data() + unknowns.place(to.part, to.l, unknowns.orders().column(-m));
            for (Index i = 0; i < to.n; ++i) coupling.matrix(i, n) = Number(real[i], m > 0 ? -sine[i] : 0.0);
          }
      });
    errors.rethrow();
  }
  std::vector<AxisymmetricFamily> families;
  for (AxisymmetricFamily& of_order : all) {
    double largest = 0.0;
    for (const auto& coupling : of_order.couplings) largest = std::max(largest, coupling.matrix.cwiseAbs().maxCoeff());
    std::erase_if(of_order.couplings, [&](const AxisymmetricFamily::Coupling& coupling) {
      return coupling.matrix.cwiseAbs().maxCoeff() <= kRounding * largest;
    });
    for (AxisymmetricFamily& family : divided(of_order)) families.push_back(std::move(family));
  }
  return families;
}

}  // namespace gwrm::ball
