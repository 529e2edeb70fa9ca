#include "kernels/linear_algebra/parity_split.hpp"

#include <cmath>

namespace gwrm {
namespace {

constexpr Index kMinExtent = 32;  // below, two smaller products are no faster than one
constexpr double kRoundOff = 1e-13;

// |second_k - s_k first_k| <= tolerance for k = 0 .. n - 1, s_k = even or odd as k is; second_k lies `step` behind the
// one before.
bool mirrors(const double* first, const double* second, Index step, Index n, double even, double odd,
             double tolerance) {
  bool all = true;  // looked at once a row: without branches
  for (Index k = 0; k + 1 < n; k += 2) {
    all &= std::abs(second[k * step] - even * first[k]) <= tolerance;
    all &= std::abs(second[(k + 1) * step] - odd * first[k + 1]) <= tolerance;
  }
  if (n % 2 == 1) all &= std::abs(second[(n - 1) * step] - even * first[n - 1]) <= tolerance;
  return all;
}

// s if A[m-1-j, k] = s (-1)^k A[j, k] for all j and k, else 0.
double sign_of_mirrored_rows(const Matrix& a, double tolerance) {
  const Index m = a.rows(), n = a.cols();
  const auto holds = [&](double sign) {
    for (Index j = 0; j < (m + 1) / 2; ++j)
      if (!mirrors(a.row(j).data(), a.row(m - 1 - j).data(), 1, n, sign, -sign, tolerance)) return false;
    return true;
  };
  return holds(1.0) ? 1.0 : holds(-1.0) ? -1.0 : 0.0;
}

// s if A[k, n-1-j] = s (-1)^k A[k, j] for all j and k, else 0. Row by row, as they lie in memory.
double sign_of_mirrored_columns(const Matrix& a, double tolerance) {
  const Index m = a.rows(), n = a.cols();
  const auto holds = [&](double sign) {
    for (Index k = 0; k < m; ++k) {
      const double own = k % 2 == 0 ? sign : -sign;
      const double* row = a.row(k).data();
      if (!mirrors(row, row + n - 1, -1, (n + 1) / 2, own, own, tolerance)) return false;
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
  const double tolerance = kRoundOff * a.cwiseAbs().maxCoeff();
  if ((split.sign = sign_of_mirrored_rows(a, tolerance)) != 0.0) {
    const auto half = a.topRows((m + 1) / 2);
    split.kind = ParitySplit::Kind::synthesis;
    split.even = half(Eigen::all, Eigen::seq(0, n - 1, 2));
    split.odd = half(Eigen::all, Eigen::seq(1, n - 1, 2));
  } else if ((split.sign = sign_of_mirrored_columns(a, tolerance)) != 0.0) {
    const auto half = a.leftCols((n + 1) / 2);
    split.kind = ParitySplit::Kind::analysis;
    split.even = half(Eigen::seq(0, m - 1, 2), Eigen::all);
    split.odd = half(Eigen::seq(1, m - 1, 2), Eigen::all);
  } else {
    return nullptr;
  }
  split.even_turned = split.even.transpose();
  split.odd_turned = split.odd.transpose();
  return std::make_shared<const ParitySplit>(std::move(split));
}

}  // namespace gwrm
