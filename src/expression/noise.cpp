#include "expression/noise.hpp"

#include <cmath>
#include <numbers>

#include "core/errors.hpp"
#include "expression/tensor_series.hpp"

namespace gwrm::expression {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// 1, cos, sin, cos 2, sin 2, .. of theta, or T_0, T_1, .. of xi.
class NoiseFunctions : public AxisFunctions {
 public:
  NoiseFunctions(const Axis& axis, bool periodic, int modes) : axis_(axis), periodic_(periodic), modes_(modes) {}

  Index size() const override { return periodic_ ? 2 * modes_ + 1 : modes_ + 1; }
  std::int64_t mode(Index i) const { return !periodic_ ? i : i % 2 == 1 ? (i + 1) / 2 : -i / 2; }
  // Of the squares of all functions but 1, as many as there are, with the spectrum: sum of 1/(1 + k)^2 is pi^2/6.
  double mean_square() const {
    const double all = std::numbers::pi * std::numbers::pi / 6.0;
    return periodic_ ? all : 0.5 * (1.0 + all);
  }
  int highest_order() const override { return kHighestOrder; }
  std::string why_no_higher_order() const override {
    return "more than " + std::to_string(kHighestOrder) + " derivatives of noise are not formed";
  }

  Rows rows(std::span<const double> points, int order) const override {
    Rows result{Matrix(std::ssize(points), size()), std::vector<Index>(points.size(), 0)};
    for (Index p = 0; p < std::ssize(points); ++p) {
      const double relative = (points[static_cast<std::size_t>(p)] - axis_.lower) / (axis_.upper - axis_.lower);
      if (periodic_)
        waves(result.values.row(p), kTwoPi * relative, order);
      else
        polynomials(result.values.row(p), 2.0 * relative - 1.0, order);
    }
    return result;
  }

  std::vector<double> sampling() const override {
    constexpr int kPerMode = 8;
    const int n = kPerMode * (modes_ + 1);
    std::vector<double> points;
    for (int i = 0; i <= n; ++i) {
      const double share = static_cast<double>(i) / n;
      const double relative = periodic_ ? share : 0.5 - 0.5 * std::cos(std::numbers::pi * share);
      points.push_back(i == n ? axis_.upper : axis_.lower + relative * (axis_.upper - axis_.lower));
    }
    return points;
  }

 private:
  static constexpr int kHighestOrder = 16;

  template <class Row>
  void waves(Row row, double theta, int order) const {
    for (Index i = 0; i < size(); ++i) {
      const double k = static_cast<double>(std::abs(mode(i)));
      const double factor = order == 0 ? 1.0 : std::pow(k * kTwoPi / (axis_.upper - axis_.lower), order);
      // A derivative is a quarter of a turn; sin is cos a quarter back.
      const int quarters = (mode(i) < 0 ? 3 : 0) + order;
      const double angle = k * theta;
      const double c = std::cos(angle), s = std::sin(angle);
      row(i) = factor * (quarters % 4 == 0 ? c : quarters % 4 == 1 ? -s : quarters % 4 == 2 ? -c : s);
    }
  }

  // T_k+1^(m) = 2 xi T_k^(m) + 2 m T_k^(m-1) - T_k-1^(m): the recurrence, differentiated m times.
  template <class Row>
  void polynomials(Row row, double xi, int order) const {
    std::vector<double> lower(static_cast<std::size_t>(size()), 0.0), now;
    for (int m = 0; m <= order; ++m) {
      now.assign(lower.size(), 0.0);
      now[0] = m == 0 ? 1.0 : 0.0;
      if (now.size() > 1) now[1] = m == 0 ? xi : m == 1 ? 1.0 : 0.0;
      for (std::size_t k = 2; k < now.size(); ++k) now[k] = 2.0 * xi * now[k - 1] + 2.0 * m * lower[k - 1] - now[k - 2];
      lower = now;
    }
    const double factor = std::pow(2.0 / (axis_.upper - axis_.lower), order);
    for (Index i = 0; i < size(); ++i) row(i) = factor * now[static_cast<std::size_t>(i)];
  }

  Axis axis_;
  bool periodic_;
  int modes_;
};

}  // namespace

double noise_number(std::uint64_t seed, const std::array<std::int64_t, 3>& k) {
  constexpr std::uint64_t kIncrement = 0x9e3779b97f4a7c15u;
  constexpr double kTwoTo53 = 9007199254740992.0;
  std::uint64_t h = mix(seed + kIncrement);
  for (const std::int64_t mode : k) h = mix(h + kIncrement * (1u + static_cast<std::uint64_t>(mode)));
  return std::numbers::sqrt3 * (2.0 * (static_cast<double>(h >> 11) + 0.5) / kTwoTo53 - 1.0);
}

std::shared_ptr<const DataFunction> noise_function(const Symbols& symbols, std::uint64_t seed, int modes) {
  if (symbols.noise.empty()) throw CaseError("noise() needs a space dimension (x, y or z) in the domain");
  std::vector<std::string> axes;
  std::vector<std::shared_ptr<const NoiseFunctions>> functions;
  std::vector<std::size_t> letters;
  double mean_square = 1.0, count = 1.0;
  for (const NoiseAxis& along : symbols.noise) {
    const int highest = modes >= 0 ? modes : std::min(along.modes, kMostNoiseModes);
    if (highest < 0)
      throw CaseError("noise(amplitude, seed) has the modes up to half of resolution.degree, and that of " +
                      along.name + " is not given: give it, or the highest mode, as in noise(amplitude, " +
                      std::to_string(seed) + ", 16)");
    const Axis& axis = symbols.axes[static_cast<std::size_t>(symbols.find_axis(along.name))];
    functions.push_back(std::make_shared<const NoiseFunctions>(axis, along.periodic, highest));
    axes.push_back(along.name);
    const std::string& name = along.name;
    letters.push_back(name == "x" || name == "r" || name == "rho" ? 0 : name == "y" || name == "theta" ? 1 : 2);
    mean_square *= functions.back()->mean_square();
    count *= static_cast<double>(functions.back()->size());
  }
  if (count > kMostNoiseNumbers)
    throw CaseError("noise() would have " + std::to_string(static_cast<long long>(count)) +
                    " modes: give a smaller highest mode, as in noise(amplitude, " + std::to_string(seed) + ", 16)");
  const double scale = 1.0 / std::sqrt(mean_square - 1.0);  // without the mode 0
  std::vector<double> coefficients(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    std::array<std::int64_t, 3> k{};
    double spectrum = scale;
    auto rest = static_cast<Index>(i);
    for (std::size_t axis = functions.size(); axis-- > 0;) {
      k[letters[axis]] = functions[axis]->mode(rest % functions[axis]->size());
      rest /= functions[axis]->size();
      spectrum /= 1.0 + static_cast<double>(std::abs(k[letters[axis]]));
    }
    coefficients[i] = i == 0 ? 0.0 : spectrum * noise_number(seed, k);
  }
  return std::make_shared<const TensorSeries>(
      std::move(axes), std::vector<std::shared_ptr<const AxisFunctions>>(functions.begin(), functions.end()),
      std::move(coefficients));
}

}  // namespace gwrm::expression
