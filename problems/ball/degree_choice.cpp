#include "problems/ball/degree_choice.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "problems/ball/coupled_residual.hpp"

namespace gwrm::ball {
namespace {

constexpr double kShareOfTolerance = 0.1;
constexpr Index kHighestR = 400, kHighestL = 170;
constexpr int kMostRounds = 14, kMostVerdicts = 5;
constexpr double kSlow = 1.0 / 3.0;
constexpr double kFinestWindows = 1e-13;

double bound_of(const BallModel& model) {
  return kShareOfTolerance * model.of_case().verification.tolerance;
}

// Squares of the coefficients of a part, by degree l, order m and radial function n.
struct Energies {
  std::vector<double> of_l, of_m, of_n;
};

Energies energies_of(const BallSpace& space, std::size_t part, const double* e) {
  const Degrees& degrees = space.degrees();
  const auto zeros = [](Index highest) { return std::vector<double>(static_cast<std::size_t>(highest + 1), 0.0); };
  Energies energies{zeros(degrees.l), zeros(degrees.m), zeros(degrees.r)};
  for (Index l = space.parts()[part].first_l(); l <= degrees.l; ++l)
    for (Index c = 0; c < space.series().n_orders(l); ++c)
      for (Index n = 0; n <= degrees.r; ++n) {
        const double value = e[space.series().place(part, l, c) + n];
        energies.of_l[static_cast<std::size_t>(l)] += value * value;
        energies.of_m[static_cast<std::size_t>(space.series().orders().size_of(c))] += value * value;
        energies.of_n[static_cast<std::size_t>(n)] += value * value;
      }
  return energies;
}

double sum(const std::vector<double>& values) {
  double result = 0.0;
  for (double value : values) result += value;
  return result;
}

// The lowest index behind which there is no more than `share` in the root mean square.
Index last_needed(const std::vector<double>& energies, double share) {
  const double allowed = share * share * sum(energies);
  double behind = 0.0;
  for (std::size_t i = energies.size(); i-- > 0;) {
    behind += energies[i];
    if (behind > allowed) return static_cast<Index>(i);
  }
  return 0;
}

bool ends_small(const std::vector<double>& energies, double share) {
  const std::size_t n = energies.size();
  const double last = energies[n - 1] + (n > 1 ? energies[n - 2] : 0.0);
  return last <= share * share * sum(energies);
}

// Initial values, and sources at five times, in the functions of a space.
std::vector<std::vector<double>> data_series(const BallModel& model, const BallSpace& space) {
  std::vector<std::vector<double>> series = {model.initial_series(space)};
  if (!model.has_source()) return series;
  const Axis& time = model.of_case().domain.front().axis;
  for (double place : {0.0, 0.137, 0.371, 0.713, 1.0})
    series.push_back(model.source_series(space, time.lower + place * (time.upper - time.lower)));
  return series;
}

bool couples_orders(const BallModel& model) {
  const FlowCase& flow = model.section().flow;
  const auto has_order = [](const HarmonicCase& harmonic) { return harmonic.m != 0; };
  return is_nonlinear(model) || std::any_of(flow.toroidal.begin(), flow.toroidal.end(), has_order) ||
         std::any_of(flow.poloidal.begin(), flow.poloidal.end(), has_order);
}

// l and m that the data need; those of the case where it gives them.
void choose_harmonics(const BallModel& model, Degrees& degrees) {
  const ChosenDegrees& chosen = model.section().chosen;
  const Degrees of_case = model.degrees();
  constexpr Index kTried[] = {4, 8, 16, 32, 64};
  Index l = 0, m = 0;
  for (Index tried : kTried) {
    Degrees trial = of_case;
    trial.t = 1;
    trial.r = 8;
    if (chosen.l) trial.l = std::max(tried, of_case.l);
    if (chosen.m) trial.m = trial.l;
    trial.m = std::min(trial.m, trial.l);
    trial.m -= trial.m % trial.fold;
    const BallSpace space(model.parts(), trial);
    l = m = 0;
    for (const std::vector<double>& series : data_series(model, space))
      for (std::size_t part = 0; part < space.parts().size(); ++part) {
        const Energies energies = energies_of(space, part, series.data());
        l = std::max(l, last_needed(energies.of_l, bound_of(model)));
        m = std::max(m, last_needed(energies.of_m, bound_of(model)));
      }
    if ((!chosen.l || l + 2 <= trial.l) && (!chosen.m || m + 2 * trial.fold <= trial.m)) break;
    if (!chosen.l) break;  // m <= l, all of which were looked at
  }
  if (chosen.l) degrees.l = std::max(of_case.l, l) + (couples_harmonics(model) ? 2 : 0);
  if (chosen.m) degrees.m = std::min(std::max(of_case.m, m), degrees.l);
  if (degrees.listed.empty()) degrees.m -= degrees.m % degrees.fold;
}

void choose_radial(const BallModel& model, Degrees& degrees) {
  constexpr Index kTried[] = {8, 11, 15, 21, 30, 42};
  for (Index tried : kTried) {
    degrees.r = tried;
    Degrees trial = degrees;
    trial.t = 1;
    const BallSpace space(model.parts(), trial);
    bool holds = true;
    for (const std::vector<double>& series : data_series(model, space))
      for (std::size_t part = 0; part < space.parts().size(); ++part)
        holds = holds && ends_small(energies_of(space, part, series.data()).of_n, bound_of(model));
    if (holds) return;
  }
}

}  // namespace

Degrees first_degrees(const BallModel& model) {
  const ChosenDegrees& chosen = model.section().chosen;
  Degrees degrees = model.degrees();
  if (chosen.l || chosen.m) choose_harmonics(model, degrees);
  if (chosen.r) choose_radial(model, degrees);
  return degrees;
}

// Windows of a run whose accuracy is asked for err less than what is judged.
DegreeSearch::DegreeSearch(const BallModel& model, std::function<bool(const Degrees&)> fits)
    : model_(model), fits_(std::move(fits)), bound_(bound_of(model)), window_tolerance_(model.section().tolerance) {
  if (model.section().chosen.t) window_tolerance_ = std::min(window_tolerance_, kShareOfTolerance * bound_);
}

DegreeSearch::Tails DegreeSearch::tails_of(const BallSpace& space, const BallSolution& solution, bool coupled) const {
  const Degrees& degrees = space.degrees();
  const Index stride = std::max<Index>(stride_of_orders(space, solution), 1);
  Tails worst;
  for (std::size_t field = 0; field < model_.section().fields.size(); ++field) {
    double all = 0.0;
    Tails last;
    for (const BallWindow& window : solution.windows) {
      double of_window = 0.0;
      Tails tail;
      for (Index k = 0; k < window.coefficients.rows(); ++k)
        for (std::size_t part = 0; part < space.parts().size(); ++part) {
          if (space.parts()[part].field != field) continue;
          const Energies energies = energies_of(space, part, &window.coefficients(k, 0));
          of_window += sum(energies.of_n);
          const auto behind = [](const std::vector<double>& e, Index first) {
            double result = 0.0;
            for (auto i = static_cast<std::size_t>(std::max<Index>(first, 0)); i < e.size(); ++i) result += e[i];
            return result;
          };
          tail.r += behind(energies.of_n, degrees.r - 1);
          tail.l += behind(energies.of_l, degrees.l - 1);
          tail.m += behind(energies.of_m, degrees.m - stride + 1);
        }
      all = std::max(all, of_window);
      last = {std::max(last.r, tail.r), std::max(last.l, tail.l), std::max(last.m, tail.m)};
    }
    if (all == 0.0) continue;
    worst = {std::max(worst.r, std::sqrt(last.r / all)), std::max(worst.l, std::sqrt(last.l / all)),
             std::max(worst.m, std::sqrt(last.m / all))};
  }
  if (!coupled) return worst;
  if (!couples_harmonics(model_)) worst.l = 0.0;
  if (!couples_orders(model_) || stride_of_orders(space, solution) == 0)
    worst.m = 0.0;  // 0: about the axis, and stays so
  return worst;
}

std::optional<Degrees> DegreeSearch::raised(const BallSpace& space, const BallSolution& solution, bool r, bool l,
                                            bool m, bool twice) {
  const auto more = [&](Index degree) { return twice ? degree : degree / 3; };
  const ChosenDegrees& chosen = model_.section().chosen;
  const FlowCase& flow = model_.section().flow;
  Index step_l = 2, step_m = std::max(stride_of_orders(space, solution), space.degrees().fold);
  for (const auto* harmonics : {&flow.toroidal, &flow.poloidal})
    for (const HarmonicCase& harmonic : *harmonics) {
      step_l = std::max<Index>(step_l, harmonic.l);
      step_m = std::max<Index>(step_m, std::abs(harmonic.m));
    }
  const Degrees& now = space.degrees();
  Degrees next = now;
  if (chosen.r && r) next.r = std::min(now.r + std::max<Index>(4, 2 * now.r / 5), kHighestR);
  if (chosen.l && l) next.l = std::min(now.l + std::max(step_l, more(now.l)), kHighestL);
  if (chosen.m && m) {
    next.m = now.m + std::max(step_m, more(now.m));
    if (chosen.l) next.l = std::min(std::max(next.l, next.m), kHighestL);
    next.m = std::min(next.m, next.l);
    next.m -= next.m % next.fold;
  }
  if (next.r == now.r && next.l == now.l && next.m == now.m) return std::nullopt;
  return fits_(next) ? std::optional(next) : std::nullopt;
}

std::optional<Degrees> DegreeSearch::by_tails(const BallSpace& space, const BallSolution& solution) {
  if (!model_.section().chosen.any() || ++n_rounds_ > kMostRounds) return std::nullopt;
  const Tails tails = tails_of(space, solution, true);
  if (last_tail_r_ > 0.0 && tails.r > kSlow * last_tail_r_) slow_in_r_ = true;
  const bool wants_r = tails.r > bound_ && !slow_in_r_;
  last_tail_r_ = wants_r ? tails.r : 0.0;
  return raised(space, solution, wants_r, tails.l > bound_, tails.m > bound_);
}

std::optional<Degrees> DegreeSearch::by_verdict(const BallSpace& space, const BallSolution& solution, bool of_data) {
  if (!model_.section().chosen.any() || ++n_verdicts_ > kMostVerdicts) return std::nullopt;
  const Tails tails = tails_of(space, solution, !of_data);
  const double largest = std::max({tails.r, tails.l, tails.m});
  const bool tightens =
      model_.section().chosen.t && model_.section().windows.empty() && 0.1 * window_tolerance() > kFinestWindows;
  if (tightens) tightening_ *= 0.1;
  const std::optional<Degrees> higher =
      raised(space, solution, tails.r >= 0.01 * largest, tails.l > 0.01 * largest, tails.m > 0.01 * largest, of_data);
  return higher || !tightens ? higher : std::optional(space.degrees());
}

}  // namespace gwrm::ball
