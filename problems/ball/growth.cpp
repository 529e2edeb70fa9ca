#include "problems/ball/growth.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "basis/time_basis.hpp"
#include "core/log.hpp"
#include "solver/arnoldi.hpp"

namespace gwrm::ball {
namespace {

using Number = std::complex<double>;

constexpr Index kMostWindows = 300;
constexpr Index kEveryWindow = 40, kStride = 5;  // the modes are computed after every window, then after every fifth
constexpr int kFewestWindows = 10;               // that Arnoldi's method needs
constexpr Index kLowestDegree = 8;               // in time
constexpr double kLongestGrowthWindow = 6.0;     // sqrt(h / kappa) max |u| of a window: some 40 iterations
constexpr double kWithoutFlow = 0.02;            // h kappa / R^2
constexpr double kDamping = 1e-6;                // of a neutral mode in a window
constexpr double kWrongDecay = 0.1;              // |R(-z) - exp(-z)| / exp(-z)
constexpr double kSameRate = 1e-7;               // relative: counted once
constexpr double kOneBranch = 0.5;               // h |sigma - Rayleigh quotient|: solutions are some 2 pi apart
constexpr int kMostHalvings = 5;                 // of a window that the linear solver fails in

// R(z) = e_K^T (1 - z Q/2)^-1 1 of the Radau nodes.
class StabilityFunction {
 public:
  explicit StabilityFunction(Index degree)
      : half_(TimeBasis(Weighting::radau, degree, 0, 1, -1.0, 1.0, 2.0).values(1).cast<Number>() / 2.0) {}

  // R and R' at z.
  std::pair<Number, Number> at(Number z) const {
    const Index n = half_.rows();
    const Eigen::PartialPivLU<Eigen::MatrixXcd> lu(Eigen::MatrixXcd::Identity(n, n) - z * half_);
    const Eigen::VectorXcd values = lu.solve(Eigen::VectorXcd::Ones(n)), slopes = lu.solve(half_ * values);
    return {values(n - 1), slopes(n - 1)};
  }
  // z of R(z) = mu by Newton's method; nothing if it does not converge.
  std::optional<Number> inverse(Number mu, Number z) const {
    for (int i = 0; i < 30; ++i) {
      const auto [value, slope] = at(z);
      const Number step = (value - mu) / slope;
      if (!std::isfinite(std::abs(step))) return std::nullopt;
      z -= step;
      if (std::abs(step) <= 4e-16 * std::max(1.0, std::abs(z)) || (i > 3 && std::abs(value - mu) <= 1e-15)) return z;
    }
    return std::nullopt;
  }
  double longest_oscillation() const {
    double y = 0.0;
    while (y < 60.0 && 1.0 - std::abs(at({0.0, y + 0.01}).first) < kDamping) y += 0.01;
    return std::max(y, 0.01);
  }
  // Modes that decay fast must not have a larger |R| than one that decays by this.
  double longest_decay() const {
    const auto error = [&](double z) { return std::abs(at({-z, 0.0}).first - std::exp(-z)); };
    double z = 0.0, fastest = 0.0;
    while (z < 60.0 && error(z + 0.05) < kWrongDecay * std::exp(-z - 0.05)) z += 0.05;
    for (double x = z + 0.05; x < 1e6; x *= 1.02) fastest = std::max(fastest, std::abs(at({-x, 0.0}).first));
    return std::clamp(-std::log(2.0 * fastest), 0.05, std::max(z, 0.05));
  }

 private:
  Eigen::MatrixXcd half_;
};

// splitmix64 (Steele, Lea, Flood 2014): the same numbers on every machine.
Eigen::VectorXd random_start(Index size, std::uint64_t seed) {
  std::uint64_t state = seed * 0x9e3779b97f4a7c15u;
  return Eigen::VectorXd::NullaryExpr(size, [&](Index) {
    std::uint64_t x = state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return std::ldexp(static_cast<double>((x ^ (x >> 31)) >> 11), -52) - 1.0;
  });
}

Eigen::MatrixXd dense(const SymmetricBands& bands) {
  const auto n = static_cast<Index>(bands.n());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t d = 0; d < bands.count; ++d)
    for (std::size_t k = 0; k + d < bands.n(); ++k) {
      const auto i = static_cast<Index>(k), j = static_cast<Index>(k + d);
      matrix(i, j) = matrix(j, i) = bands.entry(d, k);
    }
  return matrix;
}

// The n-th slowest decay by diffusion among the harmonics of the space, each degree counted once.
double slow_decay(const BallSpace& space, std::size_t n) {
  std::vector<double> rates;
  for (std::size_t part = 0; part < space.parts().size(); ++part)
    for (Index l = space.parts()[part].first_l(); l <= space.degrees().l; ++l) {
      if (space.unknowns().n_orders(l) == 0 || space.mass(part, l).n() == 0) continue;
      const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(
          dense(space.diffusion(part, l)), dense(space.mass(part, l)), Eigen::EigenvaluesOnly);
      const double slowest = solver.eigenvalues()(0);
      const bool is_faster = rates.size() >= n && slowest > rates[n - 1];
      for (const double rate : solver.eigenvalues()) rates.push_back(rate);
      std::sort(rates.begin(), rates.end());
      if (is_faster) break;  // and so are those of higher l
    }
  return rates.empty() ? 0.0 : std::max(rates[std::min(n, rates.size()) - 1], 0.0);
}

double window_length(const BallModel& model, const BallSpace& space, double speed) {
  const BallCase& section = model.section();
  double kappa = 0.0;
  for (const Part& part : space.parts()) kappa = std::max(kappa, part.like_diffusivity());
  const double u = speed / section.radius;  // of the unit ball
  const double rotation = section.has(TermWord::coriolis) ? std::abs(section.rotation) : 0.0;
  const StabilityFunction stability(space.degrees().t);
  const double decay = slow_decay(space, static_cast<std::size_t>(section.growth.modes));
  double longest = std::numeric_limits<double>::infinity();
  if (rotation + u > 0.0) longest = stability.longest_oscillation() / (rotation + u);
  if (decay > 0.0) longest = std::min(longest, stability.longest_decay() / decay);
  if (const double given = section.growth.window; given > 0.0) {
    if (given > longest)
      logger().warn(
          "growth.window: {:g} is reduced to {:.4g}: in longer windows modes that oscillate or decay fast are "
          "not computed accurately",
          given, longest);
    return std::min(given, longest);
  }
  const double of_diffusion = kWithoutFlow / kappa;
  const double of_flow = u > 0.0 ? kLongestGrowthWindow * kLongestGrowthWindow * kappa / (u * u) : of_diffusion;
  return std::min({of_diffusion, of_flow, longest});
}

// Of A and M, for vectors of complex coefficients.
class Generator {
 public:
  Generator(const BallSpace& space, const BallTerms& terms) : space_(space), terms_(terms) {}

  // <v, A v> / <v, M v>.
  Number rayleigh(const Eigen::VectorXcd& v) const {
    const auto [mass_of_real, rates_of_real] = products(v.real());
    const auto [mass_of_imaginary, rates_of_imaginary] = products(v.imag());
    const Number i(0.0, 1.0);
    return v.dot(rates_of_real + i * rates_of_imaginary) / v.dot(mass_of_real + i * mass_of_imaginary);
  }

 private:
  std::pair<Eigen::VectorXcd, Eigen::VectorXcd> products(const Eigen::VectorXd& v) const {
    Eigen::VectorXd mass(v.size()), rates = Eigen::VectorXd::Zero(v.size()), diffused(v.size());
    space_.apply_mass(v.data(), mass.data());
    space_.apply_diffusion(v.data(), diffused.data());
    if (terms_.any()) terms_.apply(v.data(), rates.data());
    return {mass.cast<Number>(), (rates - diffused).cast<Number>()};
  }

  const BallSpace& space_;
  const BallTerms& terms_;
};

// One search in windows of one length.
class Search {
 public:
  Search(const BallModel& model, const BallSpace& space, const BallTerms& terms, double window,
         const GrowthSearch& search)
      : space_(space),
        generator_(space, terms),
        stability_(space.degrees().t),
        window_(window),
        tolerance_(model.section().growth.tolerance),
        wanted_(static_cast<std::size_t>(model.section().growth.modes)),
        needed_(wanted_),
        expected_(search.expected) {}

  // Whether the modes wanted are there; those found so far.
  bool finished(const Arnoldi& arnoldi, GrowthResult& result) {
    const std::vector<RitzPair> pairs = arnoldi.ritz_pairs();
    const auto crude = [&](const RitzPair& pair) { return pair.residual / window_; };
    std::size_t n_leading = 0;
    while (n_leading < pairs.size() && crude(pairs[n_leading]) <= tolerance_) ++n_leading;
    if (!arnoldi.is_full() && n_leading < needed_) return false;
    std::vector<GrowthMode> modes;
    std::size_t n = 0;
    for (const RitzPair& pair : pairs) {
      if (n >= n_leading && modes.size() >= wanted_) break;
      if (n++ < n_leading || arnoldi.is_full()) add(mode_of(arnoldi, pair), modes);
    }
    if (!arnoldi.is_full() && modes.size() < wanted_) {
      needed_ = n_leading + 1;
      return false;
    }
    std::stable_sort(modes.begin(), modes.end(),
                     [](const GrowthMode& a, const GrowthMode& b) { return a.rate > b.rate; });
    result.converged.clear();
    for (const GrowthMode& mode : modes)
      if (mode.residual <= tolerance_) result.converged.push_back(mode);
    modes.resize(std::min(modes.size(), wanted_));
    result.modes = modes;
    if (n_first_ == 0) n_first_ = arnoldi.n_products();
    return has_expected(result) || arnoldi.n_products() >= 2 * n_first_ + 20;
  }

 private:
  bool has_expected(const GrowthResult& result) const {
    return std::all_of(expected_.begin(), expected_.end(), [&](const GrowthMode& wanted) {
      return std::any_of(result.converged.begin(), result.converged.end(), [&](const GrowthMode& mode) {
        return growth_distance(mode, wanted) <= 1e-6 * growth_scale(space_, wanted);
      });
    });
  }

  GrowthMode mode_of(const Arnoldi& arnoldi, const RitzPair& pair) const {
    const Number quotient = generator_.rayleigh(arnoldi.vector(pair));
    const std::optional<Number> z = stability_.inverse(pair.value, window_ * quotient);
    const Number sigma = z ? *z / window_ : quotient;
    double residual =
        pair.residual * std::abs(pair.value) / (window_ * std::abs(stability_.at(window_ * sigma).second));
    if (!z || !(std::abs(sigma - quotient) <= kOneBranch / window_))
      residual = std::max(residual, z ? std::abs(sigma - quotient) : 1.0 / window_);
    return {sigma.real(), std::abs(sigma.imag()), residual};
  }

  void add(const GrowthMode& mode, std::vector<GrowthMode>& modes) const {
    for (GrowthMode& other : modes)
      if (growth_distance(other, mode) <= kSameRate * growth_scale(space_, mode)) {
        if (mode.residual < other.residual) other = mode;
        return;
      }
    modes.push_back(mode);
  }

  const BallSpace& space_;
  Generator generator_;
  StabilityFunction stability_;
  double window_, tolerance_;
  std::size_t wanted_, needed_;
  std::vector<GrowthMode> expected_;
  Index n_first_ = 0;
};

}  // namespace

double growth_scale(const BallSpace& space, const GrowthMode& mode) {
  double slowest = std::numeric_limits<double>::infinity();
  for (const Part& part : space.parts())
    slowest = std::min(slowest, std::numbers::pi * std::numbers::pi * part.like_diffusivity());
  return std::max(std::hypot(mode.rate, mode.frequency), slowest);
}

double growth_distance(const GrowthMode& a, const GrowthMode& b) {
  return std::hypot(a.rate - b.rate, a.frequency - b.frequency);
}

GrowthResult find_growth(const BallModel& model, const BallSpace& given, const std::function<bool()>& interrupted,
                         WindowDevice* device, const GrowthSearch& search) {
  std::optional<BallSpace> finer_in_time;
  if (given.degrees().t < kLowestDegree) {
    Degrees degrees = given.degrees();
    degrees.t = kLowestDegree;
    finer_in_time.emplace(given.parts(), degrees);
  }
  const BallSpace& space = finer_in_time ? *finer_in_time : given;
  WindowSolver solver(model, space, kFewestWindows, device);
  const Index size = space.unknowns().size(), most = std::min(kMostWindows, size);
  const double begin = model.of_case().domain.front().axis.lower;
  GrowthResult result;
  result.window = search.window_share * window_length(model, space, solver.terms().largest_speed());
  std::vector<double> start(static_cast<std::size_t>(size));
  for (int halvings = 0;; ++halvings) {
    result.failure.clear();
    Search now(model, space, solver.terms(), result.window, search);
    Arnoldi arnoldi(random_start(size, search.seed), most);
    while (!arnoldi.is_full()) {
      if (interrupted && interrupted()) break;
      Eigen::Map<Eigen::VectorXd>(start.data(), size) = arnoldi.last();
      const WindowValues values = solver.solve(start, begin, begin + result.window, true);
      if (!values.failure.empty()) {
        result.failure = values.failure + "; take a shorter growth.window";
        break;
      }
      arnoldi.add(values.rows.bottomRows(1).transpose());
      result.n_windows = static_cast<int>(arnoldi.n_products());
      if (arnoldi.n_products() > kEveryWindow && arnoldi.n_products() % kStride != 0 && !arnoldi.is_full()) continue;
      if (now.finished(arnoldi, result)) break;
    }
    if (result.failure.empty() || halvings == kMostHalvings) return result;
    result.window /= 2.0;
  }
}

}  // namespace gwrm::ball
