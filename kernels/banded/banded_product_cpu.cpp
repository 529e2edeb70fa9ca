#include "kernels/banded/banded_product.hpp"

#include <algorithm>

#include "core/errors.hpp"
#include "core/have_cuda.hpp"

namespace gwrm {
namespace cpu {

// Band by band over a line of the memory's order: a system, or a row of all systems.
template <class Number>
void banded_product(const BandedShape& shape, const ProductBands<Number>& matrix, const Number* x, Number* y) {
  constexpr Index kForThreads = 50000;
  const bool contiguous = shape.layout == BatchLayout::contiguous;
  const Index n = shape.n, n_lines = contiguous ? shape.batch : n, length = contiguous ? n : shape.batch;
#pragma omp parallel for schedule(static) if (n * shape.batch > kForThreads)
  for (Index line = 0; line < n_lines; ++line) {
    Number* to = y + line * length;
    std::fill(to, to + length, number<Number>(0.0));
    for (Index o = -2; o <= 2; ++o) {
      const Number* band = matrix.bands[o + 2];
      if (band == nullptr) continue;
      const Number* from = x + line * length + o * shape.row_step();
      if (contiguous) {
        if (!matrix.shared) band += line * n;
        for (Index i = std::max<Index>(0, -o); i < std::min(n, n - o); ++i) to[i] = to[i] + band[i] * from[i];
      } else if (line + o >= 0 && line + o < n) {
        for (Index b = 0; b < length; ++b)
          to[b] = to[b] + (matrix.shared ? band[line] : band[line * length + b]) * from[b];
      }
    }
  }
}

}  // namespace cpu

template <class Number>
void banded_product(const Context& context, const BandedShape& shape, const ProductBands<Number>& matrix,
                    const Number* x, Number* y) {
  check_shape(shape, "banded product");
  if (shape.batch == 0) return;
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda) return cuda::banded_product(context, shape, matrix, x, y);
#endif
  static_cast<void>(context);
  cpu::banded_product(shape, matrix, x, y);
}

template void banded_product(const Context&, const BandedShape&, const ProductBands<double>&, const double*, double*);
template void banded_product(const Context&, const BandedShape&, const ProductBands<DoubleDouble>&, const DoubleDouble*,
                             DoubleDouble*);
template void banded_product(const Context&, const BandedShape&, const ProductBands<Complex>&, const Complex*,
                             Complex*);

}  // namespace gwrm
