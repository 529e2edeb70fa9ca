#include "weighted_residual/window/piece_conversion.hpp"

#include <algorithm>

#include "kernels/transform/chebyshev_matrices.hpp"
#include "spectral/chebyshev.hpp"
#include "weighted_residual/window/reference_basis.hpp"

namespace gwrm {

BlockMatrix piece_conversion(const AxisPieces& from, const AxisPieces& to, MapKind kind) {
  if (from == to) return BlockMatrix::unit(from.n_coefficients());
  const auto map_of = [&](const AxisPieces& pieces, Index p) {
    return AxisMap(pieces.edges[static_cast<std::size_t>(p)], pieces.edges[static_cast<std::size_t>(p) + 1], kind);
  };
  const Index n_points = std::max(from.degree, to.degree) + 1;
  const auto test = reference_test(to.degree, n_points);
  BlockMatrix result(to.n_coefficients(), from.n_coefficients());
  for (Index p = 0; p < to.n_pieces(); ++p) {
    const AxisMap map = map_of(to, p);
    Vector points = map.from_reference(gauss_points(n_points));  // descending
    for (Index first = 0; first < n_points;) {
      const Index piece = from.piece_of(points(first));
      Index last = first;
      while (last < n_points && from.piece_of(points(last)) == piece) ++last;
      const Matrix values = point_matrix(map_of(from, piece), from.degree,
                                         {points.data() + first, static_cast<std::size_t>(last - first)});
      result.blocks.push_back({p * (to.degree + 1), piece * (from.degree + 1),
                               std::make_shared<const Matrix>(test->middleCols(first, last - first) * values), 1.0});
      first = last;
    }
  }
  return result;
}

}  // namespace gwrm
