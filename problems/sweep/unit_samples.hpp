// Points of the unit cube: random, or a Sobol sequence. The same numbers on every platform.
//
// Random    53 bits of the generator MT19937-64 (M. Matsumoto and T. Nishimura; std::mt19937_64 is defined to the bit).
// Sobol     The sequence of I. M. Sobol (USSR Comput. Math. Math. Phys. 7 (1967) 86) in the order of I. A. Antonov and
//           V. M. Saleev (Gray code), with the direction numbers of S. Joe and F. Y. Kuo, SIAM J. Sci. Comput. 30
//           (2008) 2635 (new-joe-kuo-6), 32 bits; all points shifted digit by digit by a random one (exclusive or),
//           which keeps the sequence's uniformity and keeps 0 away. The first 2^n points belong together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gwrm {

inline constexpr std::size_t kMostSobolDimensions = 21;

// Points of the sequence without a shift: coordinates times 2^32. The first is 0.
class SobolSequence {
 public:
  explicit SobolSequence(std::size_t n_dimensions);  // CaseError beyond kMostSobolDimensions
  const std::vector<std::uint32_t>& point() const { return point_; }
  void advance();

 private:
  std::vector<std::vector<std::uint32_t>> directions_;  // per dimension, 32 of them
  std::vector<std::uint32_t> point_;
  std::uint32_t number_ = 0;
};

// n_samples points, each with n_dimensions coordinates in (0, 1).
std::vector<std::vector<double>> unit_samples(std::size_t n_samples, std::size_t n_dimensions, std::uint64_t seed,
                                              bool sobol);

}  // namespace gwrm
