#include "kernels/transform/fourier_plan.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/errors.hpp"
#include "kernels/transform/fourier_lines.hpp"
#include "kernels/transform/roots_of_unity.hpp"

namespace gwrm {
namespace {

struct Radix {
  Index length;
  double
      cost;  // of a pass: nanoseconds a number in eight lines (EPYC of family 26, AVX-512), loads and stores above all
};
constexpr Radix kRadices[] = {{2, 1.1},  {3, 1.15}, {4, 1.18}, {5, 1.23}, {6, 1.26},
                              {8, 1.27}, {9, 1.5},  {10, 1.5}, {12, 1.5}};

struct Passes {
  std::vector<Index> radices;  // largest first; empty if there are none
  double cost = 0.0;
};
// The cheapest radices up to `largest`, the product of which is this length.
Passes cheapest_passes(Index length, Index largest) {
  Passes best;
  for (const auto& [radix, own] : kRadices) {
    if (radix > largest || length % radix != 0) continue;
    Passes rest;
    if (length > radix) {
      rest = cheapest_passes(length / radix, radix);
      if (rest.radices.empty()) continue;
    }
    const double cost = own + rest.cost;
    if (!best.radices.empty() && cost >= best.cost) continue;
    best.radices = {radix};
    best.radices.insert(best.radices.end(), rest.radices.begin(), rest.radices.end());
    best.cost = cost;
  }
  return best;
}

// The radices of a length in the order of the passes, largest first; empty if a prime factor is too large (and for 1).
std::vector<Index> radices_of(Index length) {
  std::vector<Index> radices;
  for (Index prime : {kLargestRadix, Index{29}, Index{23}, Index{19}, Index{17}, Index{13}, Index{11}, Index{7}})
    for (; length % prime == 0; length /= prime) radices.push_back(prime);
  if (length == 1) return radices;
  const std::vector<Index> others = cheapest_passes(length, length).radices;
  if (others.empty()) return {};
  radices.insert(radices.end(), others.begin(), others.end());
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
    if (std::none_of(std::begin(kRadices), std::end(kRadices), [&](const Radix& own) { return own.length == radix; }))
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
