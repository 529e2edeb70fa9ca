#include "kernels/product/series_parts.hpp"

#include <limits>

#include "core/errors.hpp"

namespace gwrm {

std::vector<int> series_places(const Shape& from, const Shape& to, const std::vector<bool>& nodes,
                               const std::vector<std::vector<Index>>& modes) {
  if (element_count(from) > std::numeric_limits<int>::max())
    throw ShapeError("series_places: more than 2^31 coefficients in one series");
  std::vector<int> places{0};
  for (std::size_t axis = 0; axis < to.size(); ++axis) {  // row-major: each axis refines the places so far
    std::vector<int> finer;
    finer.reserve(places.size() * static_cast<std::size_t>(to[axis]));
    for (int place : places)
      for (Index k = 0; k < to[axis]; ++k) {
        const Index mode = modes.empty() ? k : modes[axis][static_cast<std::size_t>(k)];
        const Index source = nodes[axis] && from[axis] == 1 ? 0 : mode;
        finer.push_back(
            place < 0 || source >= from[axis] ? -1 : place * static_cast<int>(from[axis]) + static_cast<int>(source));
      }
    places = std::move(finer);
  }
  return places;
}

namespace cpu {

void move_parts(const SeriesParts& parts, const double* x, double* y) {
  constexpr Index kWorthThreads = 100000;  // numbers
#pragma omp parallel for schedule(static) if (parts.n_batch > 1 && parts.n_batch * parts.n_places > kWorthThreads)
  for (Index b = 0; b < parts.n_batch; ++b) {
    const double* source = x + b * parts.x_stride;
    double* target = y + b * parts.y_stride;
    for (Index i = 0; i < parts.n_places; ++i) {
      const int place = parts.places[i];
      const double value = place < 0 ? 0.0 : parts.factor * source[place];
      target[i] = parts.add ? target[i] + value : value;
    }
  }
}

}  // namespace cpu
}  // namespace gwrm
