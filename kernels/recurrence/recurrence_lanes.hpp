// Four doubles side by side, and the sums along them that the block recurrences are made of.
#pragma once

#include <cstring>

// The functions are always inlined: no argument is passed by any convention. (GCC still warns of it.)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif
#define GWRM_INLINED __attribute__((always_inline)) inline

namespace gwrm::lanes {

typedef double Lanes __attribute__((vector_size(32)));

inline constexpr int kLanes = 4;

GWRM_INLINED Lanes load(const double* p) {
  Lanes v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

GWRM_INLINED void store(double* p, const Lanes& v) {
  std::memcpy(p, &v, sizeof v);
}

// (0, v0, v1, v2) and (0, 0, v0, v1)
GWRM_INLINED Lanes shifted_by_one(const Lanes& v) {
  return __builtin_shufflevector(v, Lanes{}, 4, 0, 1, 2);
}
GWRM_INLINED Lanes shifted_by_two(const Lanes& v) {
  return __builtin_shufflevector(v, Lanes{}, 4, 4, 0, 1);
}

GWRM_INLINED Lanes reversed(const Lanes& v) {
  return __builtin_shufflevector(v, v, 3, 2, 1, 0);
}

// (v0, v0 + v1, ...)
GWRM_INLINED Lanes prefix_sums(const Lanes& v) {
  const Lanes pairs = v + shifted_by_one(v);
  return pairs + shifted_by_two(pairs);
}

// (v0, r v0 + v1, r^2 v0 + r v1 + v2, ...) with r = 1 - decay, loss_of_two = 1 - r^2: r near 1 is not rounded.
GWRM_INLINED Lanes decaying_sums(const Lanes& v, double decay, double loss_of_two) {
  const Lanes one = shifted_by_one(v);
  const Lanes pairs = v + (one - decay * one);
  const Lanes two = shifted_by_two(pairs);
  return pairs + (two - loss_of_two * two);
}

}  // namespace gwrm::lanes
