#include "problems/time_spectral/missing_resolution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "basis/axis_basis.hpp"
#include "case/resolved_text.hpp"
#include "problems/time_spectral/data_check.hpp"
#include "problems/time_spectral/data_edges.hpp"
#include "problems/time_spectral/data_series.hpp"
#include "problems/time_spectral/series_decay.hpp"
#include "problems/time_spectral/time_degree.hpp"
#include "problems/time_spectral/time_kinks.hpp"
#include "problems/time_spectral/time_spectral_section.hpp"

namespace gwrm {
namespace {

constexpr double kAxesShare = 1.0 / 3.0;      // of the tolerance, for all axes together
constexpr double kMostGrowth = 3.0;           // of a degree, by geometric decay
constexpr double kMostByPowers = 2.0;         // .., by powers
constexpr double kUselessError = 0.3;         // an error of which nothing follows
constexpr double kSeriesRounding = 2e-16;     // of a series
constexpr int kMostParts = 100;               // of a window
constexpr int kMostRaises = 5;                // of degrees that do not see the data
constexpr int kMostDegreeOfWholeTime = 1000;  // Radau's matrices take K^3 operations: seconds

int even_share(int degree) {
  return std::max(4, degree / 2 * 2);
}

struct Shortfall {
  double excess = 0.0;       // by how much what has failed is too large; 0: nothing that resolution mends
  bool all_is_lost = false;  // errors of the answer's own size say that alone
  bool at_start = false;     // the initial values are not those of the case
};

Shortfall shortfall(const Verification& verification) {
  const bool is_made = verification.estimate.status == ErrorEstimate::Status::made;
  const auto is_one_of = [](const Check& check, std::initializer_list<const char*> kinds) {
    return std::any_of(kinds.begin(), kinds.end(), [&](const char* kind) { return check.kind == kind; });
  };
  Shortfall result;
  bool in_series = false;  // without an estimate: `exact` may be that of another problem
  for (const Check& check : verification.checks) {
    if (check.passed()) continue;
    if (is_one_of(check, {"data", "data file", "mean"})) return {};
    const bool counts = is_one_of(check, {"estimate", "goal", "initial", "boundary"}) || !is_made;
    const double value = std::isfinite(check.value) ? std::min(check.margin * check.value, 1.0) : 1.0;
    result.at_start = result.at_start || check.kind == "initial";
    if (counts) {
      result.excess = std::max(result.excess, value / check.tolerance);
      result.all_is_lost = result.all_is_lost || value > kUselessError;
    }
    in_series = in_series || is_one_of(check, {"tail", "residual"});
  }
  return is_made || in_series ? result : Shortfall();
}

bool is_whole(const Model& model, const Solution& answer) {
  return !answer.fields.empty() && !answer.fields.front().windows.empty() &&
         (model.window_edges.empty() || (answer.window_edges.size() >= model.window_edges.size() &&
                                         answer.window_edges.back() == model.window_edges.back()));
}

// "degree: {t: 12, x: 40}, domains: {t: 8, x: [0, 0.4, 1]}": the divisions of all axes that are divided.
std::string resolution_text(const Model& model, const std::vector<AxisDescription>& degrees,
                            const std::vector<double>& windows) {
  std::string text;
  for (std::size_t i = 0; i < model.axes.size(); ++i) {
    const bool in_time = static_cast<int>(i) == model.time_axis();
    const std::vector<double>& edges = in_time ? windows : model.subdomains[i].edges;
    if (edges.size() == 2) continue;
    const int n = static_cast<int>(edges.size()) - 1;
    std::string list;
    if (edges != equal_parts(model.axes[i], n))
      for (double edge : edges) list += (list.empty() ? "" : ", ") + casefile::number_text(edge);
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", model.axes[i].name,
                        list.empty() ? std::to_string(n) : "[" + list + "]");
  }
  return degrees_text(model, degrees) + (text.empty() ? "" : ", domains: {" + text + "}");
}

MissingResolution proposed(ProposedResolution proposal) {
  std::string text = proposal.text();
  return {std::move(proposal), std::move(text)};
}

// Where the program can choose: a branch has the degrees that are given.
std::string or_by_tolerance(const Case& the_case) {
  if (the_case.continuation.active()) return {};
  return fmt::format("; or leave it to the program, resolution: {{tolerance: {:g}}}", the_case.verification.tolerance);
}

// What a run needs along one axis.
struct Need {
  int degree = 0;
  double parts = 1.0;     // of every window: a whole number, or one that makes a whole number of equal windows
  bool is_guess = false;  // the series have not begun to fall
  bool by_powers = false;
};

class Proposal {
 public:
  // edges: of the run's windows.
  Proposal(const Case& the_case, const Model& model, const Losses& losses, const std::vector<double>& edges,
           const Losses& finer, const Shortfall& shortfall, bool corner)
      : case_(the_case), model_(model), edges_(edges), all_is_lost_(shortfall.all_is_lost) {
    double largest = 0.0;
    for (std::size_t axis = 0; axis < losses.size(); ++axis) {
      const bool is_finer = axis < finer.size() && !finer[axis].empty();
      decays_.emplace_back(is_finer ? finer[axis] : losses[axis].empty() ? std::vector<double>{0.0} : losses[axis]);
      needs_.push_back({model.subdomains[axis].degree});
      if (losses[axis].empty()) continue;
      ++n_axes_;
      largest = std::max(largest, decays_.back().behind(needs_.back().degree));
    }
    // That rounding is too much says the error itself, without the share that is there to be safe.
    is_hopeless_ = largest / shortfall.excess < kSeriesRounding;
    allowed_ = kAxesShare * largest / (shortfall.excess * n_axes_);
    if (!is_hopeless_) allowed_ = std::max(allowed_, kSeriesRounding);
    const bool kinks_in_space = !describe_kinks_inside_subdomains(model).empty();
    // What a state lacks of the initial values only degrees in space can mend, and its conditions it misses by that: in
    // time there is a corner that the case does not have.
    const bool space_first = shortfall.at_start && model.weighting == Weighting::radau && loses_in_space(losses);
    // What fails without any loss that shows is lost along a series too short to show any.
    for (std::size_t axis = 0; axis < losses.size(); ++axis) {
      if (losses[axis].empty()) continue;
      const bool in_time = static_cast<int>(axis) == model.time_axis();
      if (in_time && space_first) continue;
      const int degree = needs_[axis].degree;
      if (is_hopeless_ && !decays_[axis].is_long_enough() && losses[axis].front() > 0.0) {
        too_short_ = true;
        needs_[axis] = {degree + even_share(degree), 1.0, true};
      } else if (decays_[axis].behind(degree) <= allowed_) {
        continue;
      } else {
        needs_[axis] =
            in_time && !model.whole_time && model.weighting == Weighting::radau ? in_windows(axis) : along(axis);
      }
      needs_[axis].by_powers = needs_[axis].by_powers ||
                               (in_time ? corner || !describe_kinks_inside_windows(model).empty() : kinks_in_space);
    }
  }

  MissingResolution result() const {
    const auto any = [&](auto is) { return std::any_of(needs_.begin(), needs_.end(), is); };
    if (is_hopeless_ && !too_short_) {  // the series do not show what is lost
      if (case_.continuation.active()) return {};
      return proposed(by_tolerance("may show more: the series of this run do not show where the error is made"));
    }
    if (any([](const Need& need) { return need.by_powers; })) {
      const std::string edge = can_divide_powers() ? "an edge of resolution.domains there" : "";
      if (case_.continuation.active())
        return {{}, higher_degrees_gain_little() + (edge.empty() ? "" : ": try " + edge)};
      return proposed(
          by_tolerance((edge.empty() ? "raises the degrees where it has to: " : "divides where it has to: ") +
                       higher_degrees_gain_little() + (edge.empty() ? "" : "; or try " + edge)));
    }
    std::vector<AxisDescription> needed = model_.subdomains;
    for (std::size_t axis = 0; axis < needs_.size(); ++axis) needed[axis].degree = needs_[axis].degree;
    const std::vector<double> windows = divided_windows();
    if (needed == model_.subdomains && windows == model_.window_edges) return {};
    const std::vector<UnseenData> unseen = find_unseen_data(model_, data_of(model_), needed, windows, kMaxDataBoxes);
    if (std::any_of(unseen.begin(), unseen.end(), [](const UnseenData& data) { return !data.undecided; })) return {};
    ProposedResolution proposal{needed, windows, 0.0, {}, "may suffice, as the series fall"};
    proposal.line = fmt::format("resolution: {{{}}}", resolution_text(model_, needed, windows));
    const std::string unresolved = names_of([](const Need& need) { return need.is_guess; });
    if (!unresolved.empty() || all_is_lost_)
      proposal.why = "tells more: " +
                     (unresolved.empty() ? "the error is as large as the answer"
                                         : "the series along " + unresolved + " hardly fall yet") +
                     or_by_tolerance(case_);
    return proposed(std::move(proposal));
  }

 private:
  bool loses_in_space(const Losses& losses) const {
    for (std::size_t axis = 0; axis < losses.size(); ++axis)
      if (model_.is_modal(static_cast<int>(axis)) && !losses[axis].empty() &&
          decays_[axis].behind(model_.subdomains[axis].degree) > allowed_)
        return true;
    return false;
  }
  // The lowest degree of the same parity that loses no more than is allowed.
  Need along(std::size_t axis) const {
    const SeriesDecay& decay = decays_[axis];
    Need need{model_.subdomains[axis].degree};
    const double level = decay.level_for(allowed_);
    const bool by_powers = decay.law() == SeriesDecay::Law::powers && decay.shows_power();
    if (level <= (by_powers ? kMostByPowers : kMostGrowth) * need.degree) {
      need.degree += std::max(2, 2 * static_cast<int>(std::ceil((level - need.degree) / 2.0)));
    } else if (by_powers) {
      need.by_powers = true;
    } else {
      need.is_guess = true;
      need.degree += even_share(need.degree);
    }
    return need;
  }

  int n_windows() const { return static_cast<int>(edges_.size()) - 1; }
  // Given by their number.
  bool are_equal(std::size_t axis) const {
    return model_.window_edges == equal_parts(model_.axes[axis], static_cast<int>(model_.window_edges.size()) - 1);
  }

  // The fewest nodes.
  Need in_windows(std::size_t axis) const {
    const SeriesDecay& decay = decays_[axis];
    const int degree = model_.subdomains[axis].degree;
    const double whole = are_equal(axis) ? n_windows() : 1.0;
    Need best{degree, 0.0};
    for (int k = degree; k <= std::max(degree, kMostTimeDegree); ++k) {
      const double shorter = std::max(1.0, std::pow(decay.behind(k) / allowed_, 1.0 / k));
      const double parts = std::min(std::ceil(whole * shorter) / whole, kMostParts + 1.0);
      if (best.parts == 0.0 || parts * (k + 1) < best.parts * (best.degree + 1.0)) best = {k, parts};
    }
    if (best.parts > kMostParts) best = {degree, 2.0, true};
    return best;
  }

  // Every window of the run in as many parts; of windows that are given by their number, that number.
  std::vector<double> divided_windows() const {
    const int time = model_.time_axis();
    if (time < 0) return model_.window_edges;
    const double parts = needs_[at(time)].parts;
    if (parts == 1.0 && edges_.size() == model_.window_edges.size()) return model_.window_edges;
    if (are_equal(at(time)))
      return equal_parts(model_.axes[at(time)], static_cast<int>(std::lround(n_windows() * parts)));
    std::vector<double> divided{edges_.front()};
    for (std::size_t w = 1; w < edges_.size(); ++w)
      for (int part = 1; part <= parts; ++part)
        divided.push_back(part == parts ? edges_[w] : edges_[w - 1] + (edges_[w] - edges_[w - 1]) * part / parts);
    return divided;
  }

  // Whether an edge can be put along an axis with a series of powers.
  bool can_divide_powers() const {
    for (std::size_t axis = 0; axis < needs_.size(); ++axis) {
      const bool in_time = static_cast<int>(axis) == model_.time_axis();
      const bool is_divisible =
          in_time ? !model_.whole_time
                  : model_.axes[axis].kind == AxisKind::space && make_basis(model_.subdomains[axis])->can_be_divided();
      if (needs_[axis].by_powers && is_divisible) return true;
    }
    return false;
  }

  std::string higher_degrees_gain_little() const {
    std::string laws;
    for (std::size_t axis = 0; axis < needs_.size(); ++axis)
      if (needs_[axis].by_powers)
        laws += fmt::format("{}along {} {}", laws.empty() ? "" : ", ", model_.axes[axis].name, law_text(decays_[axis]));
    return fmt::format(
        "higher degrees gain little, the series {} (a kink, a corner, a layer far thinner than the degree shows)",
        laws);
  }

  ProposedResolution by_tolerance(std::string why) const {
    ProposedResolution proposal{
        model_.subdomains, model_.window_edges, case_.verification.tolerance, {}, std::move(why)};
    proposal.line = fmt::format("resolution: {{tolerance: {:g}}}", proposal.tolerance);
    return proposal;
  }

  static std::string law_text(const SeriesDecay& decay) {
    if (decay.shows_power()) return fmt::format("fall like n^-{:.1f}", decay.power());
    if (!decay.is_long_enough()) return "are too short to show how they fall";
    return decay.falls() ? "fall by no power that these degrees show" : "do not fall yet at these degrees";
  }

  template <class Is>
  std::string names_of(Is is) const {
    std::string names;
    for (std::size_t axis = 0; axis < needs_.size(); ++axis)
      if (is(needs_[axis])) names += (names.empty() ? "" : ", ") + model_.axes[axis].name;
    return names;
  }

  static std::size_t at(int axis) { return static_cast<std::size_t>(axis); }

  const Case& case_;
  const Model& model_;
  const std::vector<double> edges_;  // of the run's windows
  std::vector<SeriesDecay> decays_;  // per axis
  std::vector<Need> needs_;
  int n_axes_ = 0;
  double allowed_ = 0.0;
  bool all_is_lost_, is_hopeless_ = false;
  bool too_short_ = false;  // a series for its law to show, and it is there that the answer is lost
};

}  // namespace

namespace {

// Every window in two parts; of windows that are given by their number, equal ones.
std::vector<double> halved_windows(const Model& model, const std::vector<double>& edges) {
  const int n = static_cast<int>(edges.size()) - 1;
  if (const Axis& time = model.axes[static_cast<std::size_t>(model.time_axis())]; edges == equal_parts(time, n))
    return equal_parts(time, 2 * n);
  std::vector<double> halved{edges.front()};
  for (std::size_t w = 1; w < edges.size(); ++w)
    halved.insert(halved.end(), {0.5 * (edges[w - 1] + edges[w]), edges[w]});
  return halved;
}

// Of a run whose points do not show all data: the degrees that do; in time more windows in place of degrees above those
// that serve best.
MissingResolution degrees_that_see(const Case& the_case, const Model& model, const Solution& answer) {
  const std::vector<Data> data = data_of(model);
  ProposedResolution proposal{model.subdomains, model.window_edges, 0.0, {}, {}};
  std::vector<double> windows = answer.window_edges;
  const int time = model.time_axis();
  const bool divides_time = time >= 0 && !model.whole_time && model.weighting == Weighting::radau;
  const DataDegrees known = data_degrees(model, series_of_data(model, data), the_case.verification.tolerance);
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
    if (model.axes[axis].kind == AxisKind::space)
      proposal.subdomains[axis].degree = std::max(proposal.subdomains[axis].degree, known.resolving[axis]);
  for (int raises = 0; raises <= kMostRaises; ++raises) {
    std::vector<bool> hide(model.axes.size(), false);  // an axis, something
    for (const UnseenData& unseen : find_unseen_data(model, data, proposal.subdomains, windows, kMaxDataBoxes))
      for (const auto& [axis, coordinate] : unseen.at) hide[static_cast<std::size_t>(axis)] = !unseen.undecided;
    if (std::find(hide.begin(), hide.end(), true) == hide.end()) {
      if (proposal.subdomains == model.subdomains && proposal.windows == model.window_edges) return {};
      proposal.line = fmt::format("resolution: {{{}}}", resolution_text(model, proposal.subdomains, proposal.windows));
      proposal.why = "tells more: data lie between the points of the run" + or_by_tolerance(the_case);
      return proposed(std::move(proposal));
    }
    for (std::size_t axis = 0; axis < hide.size(); ++axis) {
      if (!hide[axis]) continue;
      int& degree = proposal.subdomains[axis].degree;
      const bool in_time = static_cast<int>(axis) == time;
      if (in_time && divides_time && 2 * degree > kMostTimeDegree) {
        windows = proposal.windows = halved_windows(model, windows);
        continue;
      }
      degree += even_share(degree);
      if (in_time && degree > kMostDegreeOfWholeTime) return {};
    }
  }
  return {};
}

MissingResolution missing_by(const Case& the_case, const Model& model, const Losses& losses,
                             const std::vector<double>& edges, const Verification& verification, const Losses& finer,
                             bool corner) {
  const Shortfall missing = shortfall(verification);
  if (!(missing.excess > 1.0)) return {};
  return Proposal(the_case, model, losses, edges, finer, missing, corner).result();
}

}  // namespace

MissingResolution missing_resolution(const Case& the_case, const Model& model, const Solution& answer,
                                     const Verification& verification, const Losses& finer, bool corner,
                                     double grown_rounding) {
  const bool is_inaccurate = std::any_of(
      verification.checks.begin(), verification.checks.end(),
      [](const Check& check) { return (check.kind == "estimate" || check.kind == "goal") && !check.passed(); });
  if (is_inaccurate && kEstimateMargin * grown_rounding > the_case.verification.tolerance)
    return {{},
            fmt::format("no resolution would do: by the growth of the equations rounding alone is {:.1e} of the answer "
                        "at the end (a shorter time, a larger verification.tolerance)",
                        grown_rounding)};
  if (the_case.resolution.automatic() || verification.passed() || !is_whole(model, answer)) return {};
  if (std::any_of(verification.checks.begin(), verification.checks.end(),
                  [](const Check& check) { return check.kind == "data" && !check.passed(); }))
    return degrees_that_see(the_case, model, answer);
  return missing_by(the_case, model, relative_losses(model, answer), answer.window_edges, verification, finer, corner);
}

MissingResolution missing_resolution(const Case& the_case, const Model& model, const Losses& losses,
                                     const Verification& verification) {
  if (the_case.resolution.automatic() || verification.passed()) return {};
  return missing_by(the_case, model, losses, {}, verification, {}, false);
}

}  // namespace gwrm
