// What elimination needs of the blocks of a matrix, which are numbers or 2 x 2: their numbers, the unit, columns,
// inverses.
//
// Device only: the CPU eliminates rows one by one.
#pragma once

#include "kernels/banded/square_blocks.cuh"

namespace gwrm::banded {

// The numbers of a block, of a matrix or of right-hand sides.
template <class Block>
struct BlockNumbers {
  using Number = Block;
  static constexpr int kCount = 1;
  __device__ static Number& of(Block& a, int) { return a; }
};
template <class Entry>
struct BlockNumbers<Pair<Entry>> {
  using Number = Entry;
  static constexpr int kCount = 2;
  __device__ static Number& of(Pair<Entry>& a, int k) { return k == 0 ? a.x : a.y; }
};
template <class Entry>
struct BlockNumbers<Square<Entry>> {
  using Number = Entry;
  static constexpr int kCount = 4;
  __device__ static Number& of(Square<Entry>& a, int k) { return k == 0 ? a.xx : k == 1 ? a.xy : k == 2 ? a.yx : a.yy; }
};
template <class Block>
__device__ inline Block zero_block() {
  Block zero;
  for (int k = 0; k < BlockNumbers<Block>::kCount; ++k)
    BlockNumbers<Block>::of(zero, k) = number<typename BlockNumbers<Block>::Number>(0.0);
  return zero;
}

// What belongs to blocks of a kind: right-hand sides, the unit, columns.
template <class Block>
struct BlockAlgebra {
  using Values = Block;
  static constexpr int kColumns = 1;
  __device__ static Block unit() { return number<Block>(1.0); }
  __device__ static Values column(const Block& a, int) { return a; }
  __device__ static void set_column(Block& a, int, const Values& values) { a = values; }
};
template <class Number>
struct BlockAlgebra<Square<Number>> {
  using Values = Pair<Number>;
  static constexpr int kColumns = 2;
  __device__ static Square<Number> unit() { return unit_square<Number>(); }
  __device__ static Values column(const Square<Number>& a, int k) {
    return k == 0 ? Values{a.xx, a.yx} : Values{a.xy, a.yy};
  }
  __device__ static void set_column(Square<Number>& a, int k, const Values& values) {
    (k == 0 ? a.xx : a.xy) = values.x;
    (k == 0 ? a.yx : a.yy) = values.y;
  }
};
template <class Block>
using ValuesOf = typename BlockAlgebra<Block>::Values;

template <class Number>
__device__ inline Number inverse_of(const Number& pivot, bool& sound) {
  const bool usable = is_pivot(pivot);
  sound = sound && usable;
  return usable ? number<Number>(1.0) / pivot : number<Number>(0.0);
}

}  // namespace gwrm::banded
