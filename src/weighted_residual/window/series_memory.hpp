// Where the series of an evaluation live, and the operations on them that are not products: on the CPU or on the
// device.
//
// All of it goes to one stream, in order; fetch() alone waits. Pointers are those of the backend.
#pragma once

#include <memory>
#include <vector>

#include "core/context.hpp"
#include "core/matrix.hpp"
#include "kernels/linear_algebra/block_matrix.hpp"
#include "kernels/product/series_parts.hpp"

namespace gwrm {

class SeriesMemory {
 public:
  // Shared: what is read later by several steps lives until the last of them is gone.
  using Numbers = std::shared_ptr<double>;

  // A matrix that is applied along an axis.
  struct Operator {
    BlockMatrix matrix;
    Numbers numbers;  // on the device
  };
  // The places of kernels/product/series_parts.hpp.
  struct Places {
    std::shared_ptr<const int> places;
    Index count = 0;
  };

  virtual ~SeriesMemory() = default;
  virtual Numbers take(Index count) = 0;  // not initialised
  virtual void send(const double* host, Index count, double* to) = 0;
  virtual void fetch(const double* from, Index count, double* host) = 0;
  virtual void set_zero(double* numbers, Index count) = 0;
  // n_batch items of n numbers: item b is the unit vector first + b.
  virtual void set_units(Index n_batch, Index n, Index first, double* numbers) = 0;

  virtual Operator keep(Matrix matrix) = 0;
  virtual Places keep(const std::vector<int>& places) = 0;
  // y = A x along an axis of x, whose extents are `shape`.
  virtual void apply(const Operator& matrix, const Shape& shape, std::size_t axis, const double* x, double* y) = 0;
  virtual void move(const SeriesParts& parts, const double* x, double* y) = 0;

  // Numbers that the products of one turn should not exceed: what fits into a cache, or fills a device.
  virtual Index good_batch() const = 0;

  Numbers sent(const double* host, Index count) {
    Numbers numbers = take(count);
    send(host, count, numbers.get());
    return numbers;
  }
};

// On the backend of the context, which must outlive it.
std::unique_ptr<SeriesMemory> make_series_memory(const Context& context);
namespace cuda {
std::unique_ptr<SeriesMemory> make_series_memory(const Context& context);
}

}  // namespace gwrm
