// Kernels of one template for one purpose, of which the fastest is taken: compiled at run time, tried, remembered.
//
// A family is a template of device code (kernels/banded/sweep_choices.hpp). For a size it names some choices of its
// constants that give the same bits; the first is what the family would take untried, and what is compiled with the
// program for machines without NVRTC.
// Trial   every choice is compiled (or read from disk), run for some 20 ms on the caller's arguments, and the fastest
//         kept on disk by device, question and choices (device_cache.hpp). GWRM_TUNE=off: the first, untried. A choice
//         that cannot be compiled or launched is left out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gwrm {

struct KernelChoice {
  std::string source;      // `extern "C" __global__ void kernel(..)`, with includes of device_text.hpp
  int n_threads = 0;       // of a block
  int items_of_block = 1;  // systems, columns
  int shared_bytes = 0;    // dynamic
};

inline constexpr std::size_t kMostChoices = 8;

// Whether kernels of this many numbers in memory are worth a trial here: NVRTC is there, GWRM_TUNE is not off, and a
// call takes longer than its launch (2^22 numbers).
bool worth_tuning(double n_numbers);

}  // namespace gwrm
