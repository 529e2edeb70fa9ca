// How the CPU goes through a batch: some systems at a time, so that the processor has several eliminations under way.
//
// Interleaved batches: neighbours in memory, in vector registers; as many as let a row be read in long runs while the
// rows that are looked at again stay in the cache. Contiguous ones: four, whose chains of dependent operations overlap.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/thread_errors.hpp"
#include "kernels/banded/banded_batch.hpp"

namespace gwrm::cpu {

// Some neighbouring systems of a batch: element (i, b) at i row_step + b system_step.
struct SystemBlock {
  Index first = 0, count = 0;  // systems
  Index row_step = 0, system_step = 0;
  Index offset() const { return first * system_step; }
};

// rows_kept: how many rows behind one are looked at again: all of them, or two where one sweep is all.
inline Index systems_in_block(const BandedShape& shape, std::size_t bytes_of_number, Index rows_kept) {
  constexpr Index kSideBySide = 4, kBytesOfBlock = Index{1} << 18, kShortest = 16, kLongest = 512;
  if (shape.layout == BatchLayout::contiguous) return kSideBySide;
  const Index fitting = kBytesOfBlock / (rows_kept * static_cast<Index>(bytes_of_number));
  const Index of_thread = shape.batch / omp_get_max_threads();  // one block or more each
  return std::clamp(std::min(fitting, of_thread) / kShortest * kShortest, kShortest, kLongest);
}

// work(block) for all blocks, by all threads.
template <class Work>
void for_each_block(const BandedShape& shape, std::size_t bytes_of_number, Index rows_kept, const Work& work) {
  constexpr Index kRowsForThreads = 20000;  // below, waking threads takes longer than the work
  const Index size = systems_in_block(shape, bytes_of_number, rows_kept), n_blocks = (shape.batch + size - 1) / size;
  ThreadErrors errors;
#pragma omp parallel for schedule(static) if (shape.n * shape.batch > kRowsForThreads)
  for (Index k = 0; k < n_blocks; ++k)
    errors.run([&] {
      work(SystemBlock{k * size, std::min(size, shape.batch - k * size), shape.row_step(), shape.system_step()});
    });
  errors.rethrow();
}

// x = 0 for the systems of a block that are singular, and what is said of all.
template <class Number>
void report_block(const SystemBlock& block, Index n, const std::vector<int>& singular, Number* x,
                  BandedStatus* status) {
  for (Index b = 0; b < block.count; ++b) {
    const bool bad = singular[static_cast<std::size_t>(b)] != 0;
    if (status != nullptr) status[block.first + b] = bad ? BandedStatus::singular : BandedStatus::solved;
    if (!bad) continue;
    for (Index i = 0; i < n; ++i) x[block.offset() + b * block.system_step + i * block.row_step] = number<Number>(0.0);
  }
}

}  // namespace gwrm::cpu
