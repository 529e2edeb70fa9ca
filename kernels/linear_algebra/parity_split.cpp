#include "kernels/linear_algebra/parity_split.hpp"

#include <cmath>

namespace gwrm {
namespace {

constexpr Index kMinExtent = 32;  // below, two smaller products are no faster than one
constexpr double kRoundOff = 1e-13;

// s if A[m-1-j, k] = s (-1)^k A[j, k] for all j and k, else 0.
double mirror_sign(const Eigen::Ref<const Matrix, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>& a) {
  const Index m = a.rows(), n = a.cols();
  const double tolerance = kRoundOff * a.cwiseAbs().maxCoeff();
  const auto holds = [&](double sign) {
    for (Index j = 0; j < (m + 1) / 2; ++j)
      for (Index k = 0; k < n; ++k) {
        const double mirrored = k % 2 == 0 ? sign * a(j, k) : -sign * a(j, k);
        if (!(std::abs(a(m - 1 - j, k) - mirrored) <= tolerance)) return false;
      }
    return true;
  };
  return holds(1.0) ? 1.0 : holds(-1.0) ? -1.0 : 0.0;
}

}  // namespace

std::shared_ptr<const ParitySplit> split_by_parity(const Matrix& a) {
  const Index m = a.rows(), n = a.cols();
  if (std::min(m, n) < kMinExtent) return nullptr;
  ParitySplit split;
  using AnyStride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
  using Transposed = Eigen::Map<const Matrix, 0, AnyStride>;
  if ((split.sign = mirror_sign(a)) != 0.0) {
    const auto half = a.topRows((m + 1) / 2);
    split.kind = ParitySplit::Kind::synthesis;
    split.even = half(Eigen::all, Eigen::seq(0, n - 1, 2));
    split.odd = half(Eigen::all, Eigen::seq(1, n - 1, 2));
  } else if ((split.sign = mirror_sign(Transposed(a.data(), n, m, AnyStride(1, n)))) != 0.0) {
    const auto half = a.leftCols((n + 1) / 2);
    split.kind = ParitySplit::Kind::analysis;
    split.even = half(Eigen::seq(0, m - 1, 2), Eigen::all);
    split.odd = half(Eigen::seq(1, m - 1, 2), Eigen::all);
  } else {
    return nullptr;
  }
  return std::make_shared<const ParitySplit>(std::move(split));
}

}  // namespace gwrm
