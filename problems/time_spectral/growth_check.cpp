#include "problems/time_spectral/growth_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/errors.hpp"
#include "core/log.hpp"

namespace gwrm {
namespace {

constexpr double kGrowthToMention = 1e6;  // in a run that failed otherwise
// Growing modes of an ill-posed problem that are too fast for the windows are damped there (the time integration is
// L-stable) and come to light in shorter ones: a few windows are divided into four, many into two.
constexpr std::size_t kFewWindows = 8;
constexpr int kMaxHalvings = 4;  // of a part in which Newton fails

// A quarter more, and of the same parity: periodic conditions take other modes for even and odd degrees.
int finer_degree(int degree) {
  return degree + 2 * std::max(1, (degree + 4) / 8);
}

// The windows of a run once more, in parts and on finer subdomains.
class FinerMarch : public WindowMarch {
 public:
  FinerMarch(const MarchInput& input, std::span<const WindowRecord> windows, const std::function<bool()>& enough)
      : WindowMarch(input), records_(windows), enough_(enough) {}

 private:
  void advance(double /*next_step*/) override {
    const int n_parts = !can_divide_time() ? 1 : records_.size() <= kFewWindows ? 4 : 2;
    double start = first_edge(0);
    for (const WindowRecord& record : records_) {
      subdomains_ = *record.subdomains;
      for (std::size_t axis = 0; axis < subdomains_.size(); ++axis)
        if (model_.axes[axis].kind == AxisKind::space)
          subdomains_[axis].degree = finer_degree(subdomains_[axis].degree);
      if (std::string excess = solver_.memory_excess(subdomains_); !excess.empty()) return give_up(excess);
      const double length = record.end - start;
      for (int part = 1; part <= n_parts; ++part) {
        const double end = part == n_parts ? record.end : start + length * part / n_parts;
        if (!solve(part == 1 ? start : now_, end, 0)) return;
      }
      if (enough_()) return;
      start = record.end;
    }
  }

  bool solve(double start, double end, int halvings) {
    const std::vector<NewtonResult> results = attempt(start, end);
    const std::size_t p = first_failure(results);
    if (p == results.size()) {
      accept(results, 0.0);
      return true;
    }
    if (halvings < kMaxHalvings && worth_shortening(results[p].status) && can_divide_time()) {
      const double middle = 0.5 * (start + end);
      return solve(start, middle, halvings + 1) && solve(middle, end, halvings + 1);
    }
    fail(results, start, end);
    return false;
  }

  std::span<const WindowRecord> records_;
  const std::function<bool()>& enough_;
};

// Sizes of the run and of the finer one, window by window.
class Comparison {
 public:
  Comparison(const Model& model, const GrowthWatch& watch)
      : model_(model), watch_(watch), finer_(model.fields.size(), 0.0) {}

  void update(const MarchWindow& finer) {
    const std::vector<double> sizes = sizes_of(model_, finer);
    for (std::size_t f = 0; f < finer_.size(); ++f) finer_[f] = std::max(finer_[f], sizes[f]);
  }
  // At the end of window w of the run. Fields that have not grown yet say nothing.
  void compare(const WindowRecord& coarse) {
    for (std::size_t f = 0; f < finer_.size(); ++f) {
      const auto [smaller, larger] = std::minmax(coarse.sizes[f], finer_[f]);
      if (!(larger > watch_.doubtful_growth() * watch_.data(f))) continue;
      const double ratio = smaller > 0.0 ? larger / smaller : HUGE_VAL;
      if (ratio <= ratio_) continue;
      ratio_ = ratio;
      field_ = f;
      coarse_size_ = coarse.sizes[f];
      finer_size_ = finer_[f];
    }
  }

  double ratio() const { return ratio_; }
  std::size_t field() const { return field_; }
  double coarse_size() const { return coarse_size_; }
  double finer_size() const { return finer_size_; }

 private:
  const Model& model_;
  const GrowthWatch& watch_;
  std::vector<double> finer_;  // up to now
  double ratio_ = 0.0, coarse_size_ = 0.0, finer_size_ = 0.0;
  std::size_t field_ = 0;
};

std::string growth_text(const Model& model, const GrowthWatch& watch) {
  const std::size_t f = watch.largest_field();
  return fmt::format("{} grows to {:.1e}, its data are no larger than {:.1e}", model.fields[f].name,
                     watch.windows().back().sizes[f], watch.data(f));
}

}  // namespace

void check_growth(const MarchInput& run, const GrowthWatch& watch, RunReport& report) {
  if (!watch.applies() || watch.growth() <= watch.doubtful_growth()) return;
  const std::string growth = growth_text(run.model, watch);
  if (!report.verification.passed()) {
    if (watch.growth() > kGrowthToMention) report.warnings.push_back(fmt::format("{}; {}", growth, kIllPosedCure));
    return;
  }
  logger().info("{}: it is solved again, at a finer resolution, to see whether it grows alike", growth);
  const LogTime time("growth at a finer resolution");
  Comparison comparison(run.model, watch);
  const std::span<const WindowRecord> windows(watch.windows().data(), watch.n_until_grown());
  std::size_t compared = 0;
  const std::function<bool()> differs = [&] {
    comparison.compare(windows[compared++]);
    return comparison.ratio() > kSameGrowth;
  };
  MarchInput finer = run;
  finer.window_done = [&](MarchWindow&& window) { comparison.update(window); };
  MarchEnd end;
  try {
    end = FinerMarch(finer, windows, differs).run(MarchSoFar(run.model));
  } catch (const MemoryError& error) {  // the answer itself is there, and stays
    end.status = MarchStatus::unresolved;
    end.detail = error.what();
  }
  // What is linear and well-posed is solved in shorter windows as well as in longer ones.
  const bool has_broken_down =
      run.model.linear && end.status == MarchStatus::newton_failed && end.newton != NewtonStatus::interrupted;
  if (has_broken_down) {
    report.verification.checks.push_back(
        {"growth", fmt::format("{} (the finer run ends at t = {:.6g}: {})", growth, end.start, to_string(end.newton)),
         HUGE_VAL, kSameGrowth, true});
    return;
  }
  if (end.status != MarchStatus::finished) {
    report.warnings.push_back(
        fmt::format("{}; whether it grows alike at a finer resolution could not be seen there (t = {:.6g}: {}): "
                    "compare two runs of "
                    "different degrees. {}",
                    growth, end.end, end.detail.empty() ? to_string(end.newton) : end.detail, kIllPosedCure));
    return;
  }
  const std::size_t f = comparison.ratio() > 0.0 ? comparison.field() : watch.largest_field();
  report.verification.checks.push_back(
      {"growth",
       comparison.ratio() > kSameGrowth
           ? fmt::format("{}, {:.1e} at t = {:.6g}, at a finer resolution {:.1e}, data {:.1e}",
                         run.model.fields[f].name, comparison.coarse_size(), windows[compared - 1].end,
                         comparison.finer_size(), watch.data(f))
           : fmt::format("{}, {:.1e} times its data", run.model.fields[f].name, watch.growth()),
       comparison.ratio(), kSameGrowth, true});
}

}  // namespace gwrm
