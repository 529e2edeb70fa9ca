#include "kernels/transform/fourier_plan.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/errors.hpp"
#include "kernels/transform/fourier_lines.hpp"
#include "kernels/transform/roots_of_unity.hpp"

namespace gwrm {
namespace {

// The radices of a length in the order of the passes, largest first; empty if a prime factor is too large (and for 1).
std::vector<Index> radices_of(Index length) {
  std::vector<Index> radices;
  for (Index radix : {kLargestRadix, Index{29}, Index{23}, Index{19}, Index{17}, Index{13}, Index{11}, Index{7},
                      Index{5}, Index{3}, Index{8}, Index{4}, Index{2}})
    for (; length % radix == 0 && length > 1; length /= radix) {
      if (radix == 8 && length == 16) break;  // 4 x 4 rather than 8 x 2
      radices.push_back(radix);
    }
  if (length > 1) return {};
  return radices;
}

}  // namespace

Index smooth_length(Index least) {
  const auto is_smooth = [](Index n) {
    for (Index prime : {2, 3, 5})
      while (n % prime == 0) n /= prime;
    return n == 1;
  };
  Index length = std::max<Index>(least, 1);
  while (!is_smooth(length)) ++length;
  return length;
}

FourierPlan::FourierPlan(Index length) : length_(length) {
  if (length < 1) throw ShapeError("Fourier transform: the length is " + std::to_string(length) + ", below 1");
  if (length == 1) return;
  if (radices_of(length).empty())
    prepare_convolution();
  else
    add_passes();
}

void FourierPlan::add_passes() {
  const auto append = [this](std::complex<double> factor) {
    table_.push_back(factor.real());
    table_.push_back(factor.imag());
  };
  Index left = length_, s = 1;
  for (Index radix : radices_of(length_)) {
    const Index m = left / radix;
    FourierPass pass{radix, m, s, table_.size(), 0};
    if (m > 1)
      for (Index p = 0; p < m; ++p)
        for (Index r = 1; r < radix; ++r) append(half_turns(-2 * r * p, left));
    pass.roots = table_.size();
    if (radix > 5 && radix != 8)
      for (Index t = 0; t < radix; ++t) append(half_turns(-2 * t, radix));
    passes_.push_back(pass);
    left = m;
    s *= radix;
  }
}

void FourierPlan::prepare_convolution() {
  const Index wide = smooth_length(2 * length_ - 1);
  convolution_ = std::make_unique<FourierPlan>(wide);
  const auto n = static_cast<std::size_t>(length_), l = static_cast<std::size_t>(wide);
  chirp_.resize(n);
  for (Index j = 0; j < length_; ++j) chirp_[static_cast<std::size_t>(j)] = half_turns(j * j % (2 * length_), length_);
  // c_{-j} = c_j stands at the end of the circle.
  std::vector<double> planes(4 * l, 0.0);
  for (std::size_t j = 0; j < n; ++j)
    for (const std::size_t place : {j, (l - j) % l}) {
      planes[place] = chirp_[j].real();
      planes[l + place] = chirp_[j].imag();
    }
  double* begin = planes.data();
  const cpu::Planes transformed =
      cpu::fourier_lines(*convolution_, 1, {begin, begin + l}, {begin + 2 * l, begin + 3 * l});
  kernel_.resize(l);
  for (std::size_t k = 0; k < l; ++k)
    kernel_[k] = std::complex<double>(transformed.re[k], transformed.im[k]) / static_cast<double>(wide);
}

}  // namespace gwrm
