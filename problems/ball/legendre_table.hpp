// Associated Legendre functions of some orders m and their derivatives at any angles theta.
//
// Functions  Pbar_l^m(cos theta), orthonormal on [-1, 1], without the phase of Condon and Shortley.
// Formula    sin-weighted: along(l) = d Pbar_l^m / d theta,  around(l) = m Pbar_l^m / sin theta, by
//              2 along  = c(l,m-1) Pbar_l^(m-1) - c(l,m) Pbar_l^(m+1),  c(l,m)^2 = (l-m) (l+m+1)
//              2 around = sqrt((2l+1)/(2l-1)) (sqrt((l+m)(l+m-1)) Pbar_(l-1)^(m-1)
//                                              + sqrt((l-m)(l-m-1)) Pbar_(l-1)^(m+1)),
//            so that nothing is divided by sin theta.
// Method     recurrence in l from Pbar_m^m, in long double.
// Shapes     per order m, in the order of the list: (L + 1 - m) x angles, row l - m.
// Why not kernels/transform: fields here often have few orders, on any points; a product of matrices per order costs
//            what they need. The transform of all orders is associated_legendre.hpp.
#pragma once

#include <span>
#include <vector>

#include "core/matrix.hpp"
#include "problems/ball/orders.hpp"

namespace gwrm::ball {

struct LegendreTable {
  std::vector<Matrix> value, along, around;  // by place of the order

  // Orders of at most `degree`.
  LegendreTable(Index degree, const Orders& orders, std::span<const double> theta);
};

// Gauss nodes: theta ascending, weights of d(cos theta).
struct PolarNodes {
  std::vector<double> theta, weight;

  explicit PolarNodes(Index n);
};

}  // namespace gwrm::ball
