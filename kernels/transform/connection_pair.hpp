// Chains of pairs of connection matrices between orthonormal Jones-Worland bases: what the paper on polynomial
// transforms does in place of rotations (rotation_chain.hpp), for comparison.
//
// Formula   a = -1/2, b = l - 1/2; V_b raises b by one, M_b = V_b^T divides by 1 + x and raises b by one:
//             (V_b c)_n = g_n c_n + z_(n+1) c_(n+1),   M_b d = c:  g_n d_n + z_n d_(n-1) = c_n,
//             g_n = sqrt(2 (n+b+1)(n+a+b+1) / ((2n+a+b+1)(2n+a+b+2))) = sqrt((2n+2l+1)(n+l) / ((2n+l)(2n+l+1))),
//             z_n = sqrt(2n (n+a) / ((2n+a+b)(2n+a+b+1))) = sqrt(n (2n-1) / ((2n+l-1)(2n+l))),
//             g_0 = sqrt((2l+1)/(l+1)).
//           forward: V_b, the last number dropped, then a solve with M_(b+1), which is the pair W^l -> W^(l+2);
//           backward: the transposes the other way round, pair by pair. (All V before all M^-1, as the paper has it
//           first, is the same in exact arithmetic and loses all digits in rounding.)
// Shapes    x: (n + n_pairs) x width, row-major, in place, as in rotation_chain.hpp. Scratch: 4 (n + n_pairs) doubles.
// Cost      8 operations an entry and pair, and four roots and a division a row.
// Errors    largest error over largest value at n = 2048: 2.7e-15 at l = 2, 3.4e-15 at l = 1000.
#pragma once

#include "core/array.hpp"

namespace gwrm::cpu {

void connect_forward(Index first_order, Index n_pairs, Index n, Index width, double* x, double* scratch);
void connect_backward(Index first_order, Index n_pairs, Index n, Index width, double* x, double* scratch);

}  // namespace gwrm::cpu
