#include "kernels/transform/fourier_length.hpp"

#include <algorithm>
#include <string>

#include "core/errors.hpp"
#include "kernels/transform/roots_of_unity.hpp"

namespace gwrm {
namespace {

constexpr int kFastRadices[] = {2, 3, 4, 5, 6, 8, 10};
constexpr int kMaxRadix = 10;

// Beside its steps a transform is loaded and stored, worth about two more.
constexpr double kStepsOfTransport = 2.0;

// The fewest radices with the given product, the largest of them as small as possible; empty if there are none.
std::vector<int> fewest_radices(int length, int largest) {
  std::vector<int> best;
  if (length == 1) return best;
  for (int radix : kFastRadices) {
    if (radix > largest || length % radix != 0) continue;
    std::vector<int> rest;
    if (length > radix) {
      rest = fewest_radices(length / radix, radix);
      if (rest.empty()) continue;
    }
    if (best.empty() || rest.size() + 1 < best.size()) {
      best = {radix};
      best.insert(best.end(), rest.begin(), rest.end());
    }
  }
  return best;
}

}  // namespace

FourierLength fourier_length(const std::vector<int>& radices) {
  FourierLength f;
  for (int radix : radices) {
    const int step = f.n_steps++, done = f.length;
    f.radix[step] = radix;
    f.reciprocal[step] =
        done == 1
            ? 0
            : static_cast<unsigned>(((1ULL << 32) + static_cast<unsigned>(done) - 1) / static_cast<unsigned>(done));
    f.pitch[step] = fourier_pitch(done, radix);
    f.length *= radix;
  }
  f.line = f.length;
  int done = 1;
  for (int step = 0; step < f.n_steps; ++step) {
    done *= f.radix[step];
    f.line = std::max(f.line, f.length / done * f.pitch[step]);
  }
  f.n_factors = f.n_steps == 0 ? 0 : f.length - f.radix[0];
  f.n_roots = f.n_factors + f.length / 2 + 1;
  return f;
}

FourierLength factors_of(int length) {
  std::vector<int> radices = fewest_radices(length, kMaxRadix);
  if (radices.size() > static_cast<std::size_t>(FourierLength::max_steps)) radices.clear();  // 3^9, say
  std::reverse(radices.begin(), radices.end());
  FourierLength f = fourier_length(radices);
  f.length = length;  // also where it has no factors
  return f;
}

FourierLength fourier_length(int least) {
  if (least > kLongestFourierLength)
    throw ShapeError("fourier_length: " + std::to_string(least) + " points are too many for one transform");
  FourierLength best;
  double lowest = 0.0;
  // A power of two is at hand below twice `least`; nothing longer can be better.
  for (int length = std::max(least, 1); length < std::max(2, 2 * least); ++length) {
    const FourierLength f = factors_of(length);
    if (f.n_steps == 0 && length > 1) continue;
    const double time = length * (f.n_steps + kStepsOfTransport);
    if (lowest == 0.0 || time < lowest) {
      lowest = time;
      best = f;
    }
  }
  return best;
}

std::complex<double> root_of_unity(long long numerator, long long denominator) {
  return half_turns(2 * numerator, denominator);
}

std::vector<std::complex<double>> fourier_roots(const FourierLength& f) {
  std::vector<std::complex<double>> roots;
  int done = f.radix[0];
  for (int step = 1; step < f.n_steps; ++step) {
    for (int r = 1; r < f.radix[step]; ++r)
      for (int m = 0; m < done; ++m)
        roots.push_back(root_of_unity(static_cast<long long>(r) * m, done * f.radix[step]));
    done *= f.radix[step];
  }
  for (int k = 0; k <= f.length / 2; ++k) roots.push_back(root_of_unity(k, 4LL * f.length));
  return roots;
}

}  // namespace gwrm
