#include "problems/sweep/unit_samples.hpp"

#include <array>
#include <bit>
#include <random>
#include <string>

#include "core/errors.hpp"

namespace gwrm {
namespace {

constexpr int kBits = 32;

// A primitive polynomial of this degree (its inner coefficients as bits) and the first direction numbers.
struct Direction {
  int degree;
  std::uint32_t polynomial;
  std::array<std::uint32_t, 7> first;
};
constexpr std::array<Direction, kMostSobolDimensions - 1> kDirections = {{
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
}};

// v_k = m_k 2^(32-k); behind the first `degree` of them the recurrence of the polynomial.
std::vector<std::uint32_t> directions_of(const Direction& direction) {
  std::vector<std::uint32_t> v(kBits);
  const int s = direction.degree;
  for (int k = 0; k < kBits; ++k) {
    const auto at = static_cast<std::size_t>(k);
    if (k < s) {
      v[at] = direction.first[at] << (kBits - 1 - k);
      continue;
    }
    const std::uint32_t before = v[static_cast<std::size_t>(k - s)];
    v[at] = before ^ (before >> s);
    for (int i = 1; i < s; ++i)
      if ((direction.polynomial >> (s - 1 - i)) & 1u) v[at] ^= v[static_cast<std::size_t>(k - i)];
  }
  return v;
}

// The middle of one of 2^53 equal intervals, so that neither 0 nor 1 is taken.
double unit_number(std::uint64_t bits53) {
  constexpr double kWidth = 0x1p-53;
  const double value = (static_cast<double>(bits53) + 0.5) * kWidth;
  return value < 1.0 ? value : 1.0 - kWidth;
}

}  // namespace

SobolSequence::SobolSequence(std::size_t n_dimensions) : point_(n_dimensions, 0) {
  if (n_dimensions > kMostSobolDimensions)
    throw CaseError("--sobol: error: " + std::to_string(n_dimensions) + " distributions, at most " +
                    std::to_string(kMostSobolDimensions) + " have a dimension of the sequence; leave --sobol out");
  for (std::size_t d = 0; d < n_dimensions; ++d) {
    if (d > 0) {
      directions_.push_back(directions_of(kDirections[d - 1]));
      continue;
    }
    std::vector<std::uint32_t> v(kBits);
    for (int k = 0; k < kBits; ++k) v[static_cast<std::size_t>(k)] = std::uint32_t{1} << (kBits - 1 - k);
    directions_.push_back(std::move(v));
  }
}

void SobolSequence::advance() {
  const auto bit = static_cast<std::size_t>(std::countr_one(number_));
  if (bit >= kBits) throw CaseError("--sobol: error: the sequence ends after 2^32 points");
  ++number_;
  for (std::size_t d = 0; d < point_.size(); ++d) point_[d] ^= directions_[d][bit];
}

std::vector<std::vector<double>> unit_samples(std::size_t n_samples, std::size_t n_dimensions, std::uint64_t seed,
                                              bool sobol) {
  std::mt19937_64 generator(seed);
  const auto random_bits = [&] { return generator() >> 11; };
  std::vector<std::vector<double>> samples(n_samples, std::vector<double>(n_dimensions));
  if (!sobol) {
    for (std::vector<double>& sample : samples)
      for (double& coordinate : sample) coordinate = unit_number(random_bits());
    return samples;
  }
  SobolSequence sequence(n_dimensions);
  std::vector<std::uint64_t> shift(n_dimensions);
  for (std::uint64_t& bits : shift) bits = random_bits();
  for (std::size_t i = 0; i < n_samples; ++i) {
    if (i > 0) sequence.advance();
    for (std::size_t d = 0; d < n_dimensions; ++d)
      samples[i][d] = unit_number((std::uint64_t{sequence.point()[d]} << (53 - kBits)) ^ shift[d]);
  }
  return samples;
}

}  // namespace gwrm
