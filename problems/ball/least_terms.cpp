#include "problems/ball/least_terms.hpp"

#include <algorithm>
#include <cmath>

namespace gwrm::ball {
namespace {

constexpr double kLeastShare = 1e-8;

}  // namespace

double largest_norm(const BallSpace& space, const BallSolution& solution, std::size_t part) {
  const Index first = space.series().place(part, 0), last = space.series().place(part, space.degrees().l + 1);
  double size = 0.0;
  for (const BallWindow& window : solution.windows)
    size = std::max(size, window.coefficients.middleCols(first, last - first).norm());
  return size;
}

std::vector<double> least_sizes(const BallModel& model, const BallSpace& space, const BallSolution& solution) {
  const auto unit = [&](std::size_t part) {
    return space.parts()[part].kind == PartKind::poloidal ? model.section().radius : 1.0;
  };
  double largest = 0.0;
  for (std::size_t part = 0; part < space.parts().size(); ++part)
    largest = std::max(largest, largest_norm(space, solution, part) / unit(part));
  std::vector<double> sizes;
  for (std::size_t part = 0; part < space.parts().size(); ++part) sizes.push_back(kLeastShare * largest * unit(part));
  return sizes;
}

std::vector<double> least_terms(const BallModel& model, const BallSpace& space, const BallSolution& solution) {
  std::vector<double> terms = least_sizes(model, space, solution);
  const double time = solution.windows.back().end - solution.windows.front().start,
               length = 1.0 - space.radial().inner();
  for (std::size_t part = 0; part < terms.size(); ++part) {
    const Part& of = space.parts()[part];
    terms[part] *= 1.0 / time + of.diffusivity / (length * length) + of.hyperdiffusion / std::pow(length, 4);
  }
  return terms;
}

}  // namespace gwrm::ball
