// Products of banded matrices and batches of vectors.
//
// Formula   y_i = sum over o = -2 .. 2 of band_o,i x_{i+o}, terms with i + o outside the rows left out; a band that is
//           null is zero. Summed from o = -2 to 2.
// Shapes    of kernels/banded/banded_batch.hpp; bands of n numbers where the batch shares the matrix, or else as the
//           vectors lie. y does not overlap x.
// Numbers   double, DoubleDouble, Complex.
// Cost      two flops a row and band; 16 bytes a row move, and 8 a band with a matrix per system (double).
// Accuracy  (bands + 1) units in the last place of the sum of moduli.
// Device    a thread a row; neighbours in the warp are neighbours in memory in both layouts.
#pragma once

#include "kernels/banded/banded_batch.hpp"

namespace gwrm {

template <class Number>
struct ProductBands {
  const Number* bands[5] = {};  // of offsets -2 .. 2 (column minus row)
  bool shared = false;          // by all systems; the bands lie in the context's memory in either case
};

template <class Number>
void banded_product(const Context& context, const BandedShape& shape, const ProductBands<Number>& matrix,
                    const Number* x, Number* y);

namespace cpu {
template <class Number>
void banded_product(const BandedShape& shape, const ProductBands<Number>& matrix, const Number* x, Number* y);
}
namespace cuda {
template <class Number>
void banded_product(const Context& context, const BandedShape& shape, const ProductBands<Number>& matrix,
                    const Number* x, Number* y);
}

}  // namespace gwrm
