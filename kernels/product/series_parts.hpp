// Coefficients moved between tensors of series: padded, truncated, picked by modes, repeated over a batch.
//
// Formula   y[b, i] = factor x[b, places[i]], or with `add` y[b, i] += that; places[i] = -1 stands for a zero.
// Shapes    b < n_batch; item b of x and y begins at b times its stride, and a stride 0 of x repeats one item.
// Memory    the backend's: host pointers on the CPU, device pointers on the GPU, `places` there too. x and y must not
//           overlap.
// Cost      one pass over y and what is read of x.
// Determinism  every number of y is one product and one sum.
#pragma once

#include <vector>

#include "core/array.hpp"
#include "core/context.hpp"

namespace gwrm {

struct SeriesParts {
  const int* places = nullptr;
  Index n_places = 0;
  Index n_batch = 1, x_stride = 0, y_stride = 0;
  double factor = 1.0;
  bool add = false;
};

// Where the coefficients of a tensor y of extents `to` lie in a tensor x of extents `from`. Without `modes` along an
// axis coefficient k of y is coefficient k of x; else coefficient modes[k]. What x does not have is zero. Along axes of
// nodes (values, not coefficients) an extent 1 of x serves all.
std::vector<int> series_places(const Shape& from, const Shape& to, const std::vector<bool>& nodes,
                               const std::vector<std::vector<Index>>& modes = {});

namespace cpu {
void move_parts(const SeriesParts& parts, const double* x, double* y);
}
namespace cuda {
void move_parts(const Context& context, const SeriesParts& parts, const double* x, double* y);
// y[b, i] = 1 where i = first + b, else 0; n_batch items of n numbers.
void unit_items(const Context& context, Index n_batch, Index n, Index first, double* y);
}  // namespace cuda

}  // namespace gwrm
