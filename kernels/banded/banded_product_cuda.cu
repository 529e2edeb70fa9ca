#include "kernels/banded/launch.cuh"
//
#include "kernels/banded/banded_product.hpp"
#include "kernels/banded/product_rows.cuh"

namespace gwrm::cuda {
namespace {

constexpr int kThreads = 256;

template <class Number>
__global__ void __launch_bounds__(kThreads)
    banded_product_kernel(banded::ProductShape shape, ProductBands<Number> matrix, const Number* x, Number* y) {
  const long long place = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x;
  if (place >= shape.length) return;
  for (long long line = blockIdx.y; line < shape.n_lines; line += gridDim.y)
    y[line * shape.length + place] = banded::product_row(shape, matrix.bands, x, line, place);
}

}  // namespace

template <class Number>
void banded_product(const Context& context, const BandedShape& shape, const ProductBands<Number>& matrix,
                    const Number* x, Number* y) {
  constexpr long long kMostLines = 65535;
  const bool contiguous = shape.layout == BatchLayout::contiguous;
  const banded::ProductShape lines{contiguous ? shape.batch : shape.n, contiguous ? shape.n : shape.batch, contiguous,
                                   matrix.shared};
  const dim3 blocks(banded::blocks_for(lines.length, kThreads),
                    static_cast<unsigned>(lines.n_lines < kMostLines ? lines.n_lines : kMostLines));
  banded_product_kernel<<<blocks, kThreads, 0, context.device()->stream>>>(lines, matrix, x, y);
  GWRM_LAUNCHED(banded_product_kernel);
}

template void banded_product(const Context&, const BandedShape&, const ProductBands<double>&, const double*, double*);
template void banded_product(const Context&, const BandedShape&, const ProductBands<DoubleDouble>&, const DoubleDouble*,
                             DoubleDouble*);
template void banded_product(const Context&, const BandedShape&, const ProductBands<Complex>&, const Complex*,
                             Complex*);

}  // namespace gwrm::cuda
