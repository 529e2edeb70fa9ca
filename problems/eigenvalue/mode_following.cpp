#include "problems/eigenvalue/mode_following.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/log.hpp"

namespace gwrm {
namespace {

constexpr double kHigh = 0.7, kLow = 0.35;  // scores: surely the same, surely another
constexpr double kItself = 0.99;            // cosine with one of nearly equal modes: it is that one
constexpr double kEqualFollowed = 1e-9;     // relative: but for rounding
constexpr int kDeepest = 12;                // halvings of a step

using Number = std::complex<double>;

// The part of v in the span of the members, orthogonal in W.
Eigen::VectorXcd projection(const Eigen::VectorXcd& v, const std::vector<const Mode*>& members,
                            const Eigen::VectorXd& shares) {
  const Eigen::VectorXd roots = shares.cwiseSqrt();
  Eigen::MatrixXcd span(v.size(), static_cast<Index>(members.size()));
  for (std::size_t k = 0; k < members.size(); ++k)
    span.col(static_cast<Index>(k)) = roots.cwiseProduct(members[k]->vector).normalized();
  const Eigen::VectorXcd weights = span.colPivHouseholderQr().solve(Eigen::VectorXcd(roots.cwiseProduct(v)));
  return (span * weights).cwiseQuotient(roots);
}

std::vector<Number> values_of(const std::vector<Mode>& modes) {
  std::vector<Number> values;
  for (const Mode& mode : modes) values.push_back(mode.value);
  return values;
}

double square(const Eigen::VectorXcd& v, const Eigen::VectorXd& shares) {
  return (shares.array() * v.array().abs2()).sum();
}

}  // namespace

ModeFollower::ModeFollower(SpectrumAt spectrum_at, double at, std::shared_ptr<const PointSpectrum> start,
                           const std::vector<Mode>& modes)
    : spectrum_at_(std::move(spectrum_at)), at_(at), functionals_(modes.size()) {
  step_.spectrum = std::move(start);
  for (const Mode& mode : modes) {
    const std::vector<std::vector<std::size_t>>& clusters = step_.spectrum->clusters();
    const auto of_mode = [&](std::size_t k) { return step_.spectrum->candidates()[k].value == mode.value; };
    step_.is_double.push_back(std::any_of(clusters.begin(), clusters.end(), [&](const auto& cluster) {
      return cluster.size() > 1 && std::any_of(cluster.begin(), cluster.end(), of_mode);
    }));
    step_.modes.push_back(step_.spectrum->polished(mode));
    set_functionals(step_.modes.size() - 1, {step_.modes.back()});
  }
}

// z of the mode; where several are equal the part of the last one in the span of theirs.
void ModeFollower::set_functionals(std::size_t i, const std::vector<Mode>& members) {
  const std::vector<Eigen::VectorXcd> before = std::move(functionals_[i]);
  functionals_[i].clear();
  const PointSpectrum& spectrum = *step_.spectrum;
  for (const Mode& mode : members)
    if (spectrum.functionals(mode).empty()) return;
  if (members.size() == 1 || before.empty()) {
    functionals_[i] = spectrum.functionals(members.front());
    return;
  }
  const Eigen::VectorXd roots = spectrum.pencil().shares().cwiseSqrt();
  std::vector<std::vector<Eigen::VectorXcd>> all;
  for (const Mode& mode : members) all.push_back(spectrum.functionals(mode));
  for (std::size_t power = 0; power < before.size(); ++power) {
    Eigen::MatrixXcd span(roots.size(), static_cast<Index>(all.size()));
    for (std::size_t k = 0; k < all.size(); ++k) span.col(static_cast<Index>(k)) = all[k][power].cwiseQuotient(roots);
    const Eigen::VectorXcd weights =
        span.colPivHouseholderQr().solve(Eigen::VectorXcd(before[power].cwiseQuotient(roots)));
    functionals_[i].push_back((span * weights).cwiseProduct(roots));
  }
}

std::vector<std::size_t> ModeFollower::matches(const PointSpectrum& spectrum, bool& sure, std::size_t& unsure) const {
  const Eigen::VectorXd& shares = spectrum.pencil().shares();
  const std::vector<std::vector<std::size_t>>& clusters = spectrum.clusters();
  std::vector<std::size_t> result, taken(clusters.size(), 0);
  sure = true;
  for (std::size_t i = 0; i < step_.modes.size(); ++i) {
    const Mode& mode = step_.modes[i];
    const std::vector<Eigen::VectorXcd>& z = functionals_[i];
    const auto pairing = [&](const Eigen::VectorXcd& x, Number value) {
      if (z.empty()) return (mode.vector.conjugate().array() * shares.array() * x.array()).sum();
      Number product = z[0].dot(x);
      if (z.size() > 1) product += (mode.value + value) * z[1].dot(x);
      return product;
    };
    const Number own = pairing(mode.vector, mode.value);
    std::size_t best = 0;
    double highest = -1.0, second = -1.0;
    for (std::size_t c = 0; c < clusters.size(); ++c) {
      std::vector<const Mode*> members;
      for (std::size_t k : clusters[c]) members.push_back(&spectrum.candidates()[k]);
      const Eigen::VectorXcd x = projection(mode.vector, members, shares);
      const double score = own == 0.0 ? 0.0 : std::abs(pairing(x, members.front()->value) / own);
      if (score > highest)
        second = std::exchange(highest, score), best = c;
      else
        second = std::max(second, score);
    }
    result.push_back(best);
    const bool clear = highest >= kHigh && second <= kLow && ++taken[best] <= clusters[best].size();
    if (!clear && sure) {
      sure = false;
      unsure = i;
    }
  }
  return result;
}

void ModeFollower::take(std::shared_ptr<const PointSpectrum> spectrum, const std::vector<std::size_t>& clusters) {
  const Eigen::VectorXd& shares = spectrum->pencil().shares();
  step_.spectrum = std::move(spectrum);
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    std::vector<Mode> members;
    for (std::size_t k : step_.spectrum->clusters()[clusters[i]])
      members.push_back(step_.spectrum->polished(step_.spectrum->candidates()[k]));
    step_.is_double[i] = members.size() > 1;
    Mode next = members.front();
    if (members.size() > 1) {
      const double before = std::sqrt(square(step_.modes[i].vector, shares));
      const auto share = [&](const Mode& mode) {
        return std::abs((mode.vector.conjugate().array() * shares.array() * step_.modes[i].vector.array()).sum()) /
               (before * std::sqrt(square(mode.vector, shares)));
      };
      next = *std::max_element(members.begin(), members.end(),
                               [&](const Mode& a, const Mode& b) { return share(a) < share(b); });
      const bool is_equal = std::all_of(members.begin(), members.end(), [&](const Mode& mode) {
        return std::abs(mode.value - next.value) <= kEqualFollowed * std::abs(next.value);
      });
      if (!is_equal && share(next) >= kItself) {
        members = {next};
      } else {
        std::vector<const Mode*> pointers;
        for (const Mode& mode : members) pointers.push_back(&mode);
        next.vector = projection(step_.modes[i].vector, pointers, shares);
        const bool is_real =
            std::all_of(members.begin(), members.end(), [](const Mode& mode) { return mode.value.imag() == 0.0; });
        if (is_real && step_.modes[i].value.imag() == 0.0) next.vector = next.vector.real().cast<Number>();
      }
    }
    // The phase of the one before.
    const Number turned = (step_.modes[i].vector.conjugate().array() * shares.array() * next.vector.array()).sum();
    const double size = std::sqrt(square(next.vector, shares));
    if (turned != 0.0) next.vector *= std::abs(turned) / turned / size;
    if (next.value.imag() == 0.0 && step_.modes[i].value.imag() == 0.0) next.vector = next.vector.real().cast<Number>();
    step_.modes[i] = next;
    set_functionals(i, members);
  }
}

void ModeFollower::advance(double to, const std::function<bool()>& interrupted) {
  advance(to, 0, interrupted);
}

void ModeFollower::advance(double to, int depth, const std::function<bool()>& interrupted) {
  if (interrupted && interrupted()) return;
  const double from = at_;
  std::shared_ptr<const PointSpectrum> spectrum = spectrum_at_(to, values_of(step_.modes));
  bool sure = false;
  std::size_t unsure = 0;
  const std::vector<std::size_t> clusters = matches(*spectrum, sure, unsure);
  if (!sure && depth < kDeepest && !loss_) {
    advance((from + to) / 2.0, depth + 1, interrupted);
    advance(to, depth + 1, interrupted);
    return;
  }
  if (!sure && !loss_) loss_ = {from, to, unsure};
  logger().debug("modes followed from {:.12g} to {:.12g}{}", from, to, sure ? "" : ": lost");
  take(std::move(spectrum), clusters);
  at_ = to;
}

}  // namespace gwrm
