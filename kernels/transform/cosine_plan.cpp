#include <string>

#include "core/errors.hpp"
#include "kernels/transform/cosine_transform.hpp"
#include "kernels/transform/roots_of_unity.hpp"

namespace gwrm {
namespace {

// The length of the Fourier transform behind a kind.
Index fourier_length_of(CosineKind kind, Index length) {
  const int number = static_cast<int>(kind) % 4 + 1;
  const Index least = kind == CosineKind::cosine_1 ? 2 : 1;
  if (length < least)
    throw ShapeError("cosine transform: the length is " + std::to_string(length) + ", below " + std::to_string(least));
  if (number == 1) return kind == CosineKind::cosine_1 ? length - 1 : length + 1;
  return length % 2 == 0 ? length / 2 : length;
}

}  // namespace

CosineKind transposed(CosineKind kind) {
  switch (kind) {
    case CosineKind::cosine_2:
      return CosineKind::cosine_3;
    case CosineKind::cosine_3:
      return CosineKind::cosine_2;
    case CosineKind::sine_2:
      return CosineKind::sine_3;
    case CosineKind::sine_3:
      return CosineKind::sine_2;
    default:
      return kind;
  }
}

void check_cosine_transform(const CosinePlan& plan, Index n_in, Index n_out, Index outer, Index inner) {
  for (const Index n : {n_in, n_out})
    if (n < 1 || n > plan.length())
      throw ShapeError("cosine transform of length " + std::to_string(plan.length()) + ": " + std::to_string(n) +
                       " numbers");
  if (outer < 1 || inner < 1) throw ShapeError("cosine transform: a tensor without numbers");
}

CosinePlan::CosinePlan(CosineKind kind, Index length)
    : kind_(kind), length_(length), fourier_(fourier_length_of(kind, length)) {
  const Index n = length, half = n / 2;
  const auto first = [this](long long p, long long q) { first_factors_.push_back(half_turns(p, q)); };
  const auto second = [this](long long p, long long q) { second_factors_.push_back(half_turns(p, q)); };
  switch (number()) {
    case 1:  // exp(-i pi k / M)
      for (Index k = 0; k <= fourier_.length(); ++k) first(-k, fourier_.length());
      return;
    case 2:
    case 3:
      for (Index k = 0; k < (folded() ? half + 1 : n); ++k) first(-k, 2 * n);  // exp(-i pi k / (2N))
      if (folded())
        for (Index k = 0; k <= half / 2; ++k) second(-2 * k, n);  // exp(-2 pi i k / N)
      return;
    default:
      break;
  }
  if (folded()) {
    for (Index j = 0; j < half; ++j) first(-(4 * j + 1), 4 * n);
    for (Index k = 0; k < half; ++k) second(-k, n);
    return;
  }
  // 2 n' + 1 = +-(4a + N) modulo 4N: cos(pi u v / (4N)) is even in u and changes its sign with u + 4N, u and v odd.
  for (Index a = 0; a < n; ++a) {
    Index u = (4 * a + n) % (8 * n);
    if (u > 4 * n) u = 8 * n - u;
    const bool negative = u > 2 * n;
    if (negative) u = 4 * n - u;
    places_.push_back((u - 1) / 2 * 2 + (negative ? 1 : 0));
  }
}

}  // namespace gwrm
