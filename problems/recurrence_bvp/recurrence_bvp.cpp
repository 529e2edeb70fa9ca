#include "problems/recurrence_bvp/recurrence_bvp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/log.hpp"
#include "core/memory.hpp"
#include "expression/parser.hpp"
#include "expression/printer.hpp"
#include "kernels/device/run_time_compiler.hpp"
#include "kernels/recurrence/recurrence_paper.hpp"
#include "kernels/recurrence/recurrence_solver.hpp"
#include "problems/data_files/file_data.hpp"
#include "problems/needed_intervals.hpp"
#include "problems/recurrence_bvp/bvp_data_check.hpp"
#include "problems/recurrence_bvp/bvp_estimate.hpp"
#include "problems/recurrence_bvp/bvp_verification.hpp"
#include "problems/recurrence_bvp/grid_expression.hpp"
#include "problems/recurrence_bvp/moments_solution.hpp"
#include "problems/spare_accuracy.hpp"

namespace gwrm {
namespace {

// Points from which the device is faster, its start of some tenths of a second included; between 2^26, where 16
// cores are as fast, and 2^28, where they are slower (docs/recurrence-bvp.md).
constexpr Index kDeviceFrom = Index{1} << 27;

constexpr Index kLeastAdvised = 16;  // intervals
constexpr double kMostFiner = 1e5;   // along one dimension

PaperAlgorithm paper_algorithm(RecurrenceAlgorithm algorithm) {
  switch (algorithm) {
    case RecurrenceAlgorithm::a1s:
      return PaperAlgorithm::a1s;
    case RecurrenceAlgorithm::a1d:
      return PaperAlgorithm::a1d;
    case RecurrenceAlgorithm::a2s:
      return PaperAlgorithm::a2s;
    case RecurrenceAlgorithm::a2d:
      return PaperAlgorithm::a2d;
    case RecurrenceAlgorithm::a2sd:
      return PaperAlgorithm::a2sd;
    case RecurrenceAlgorithm::moments:
      break;
  }
  throw ShapeError("moments is no algorithm of the paper");
}

// The last point is a boundary value in the paper's algorithms, which do not store it.
class WithLastValue : public GridSolution {
 public:
  WithLastValue(std::unique_ptr<GridSolution> values, Index last, double value)
      : values_(std::move(values)), last_(last), value_(value) {}
  void gather(std::span<const Index> points, double* u) const override {
    std::vector<Index> inside(points.begin(), points.end());
    for (Index& i : inside) i = std::min(i, last_ - 1);
    values_->gather(inside, u);
    for (std::size_t i = 0; i < points.size(); ++i)
      if (points[i] == last_) u[i] = value_;
  }

 private:
  std::unique_ptr<GridSolution> values_;
  Index last_;
  double value_;
};

// Points of the grid next to those asked for, each once.
std::vector<Index> sampled_points(const EqualGrid& grid, const GridAxis& wanted) {
  std::vector<Index> points;
  const double n = static_cast<double>(grid.intervals);
  const Index count = std::min<Index>(wanted.count, grid.n_points());
  for (Index i = 0; i < count; ++i)
    points.push_back(static_cast<Index>(std::llround(static_cast<double>(i) * n / static_cast<double>(count - 1))));
  for (double x : wanted.points)
    points.push_back(
        std::clamp<Index>(static_cast<Index>(std::llround((x - grid.lower) / grid.step())), 0, grid.intervals));
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

}  // namespace

RecurrenceBvp::RecurrenceBvp(const Case& the_case)
    : case_(the_case),
      model_(build_bvp_model(case_)),
      closure_(model_, section_of<RecurrenceCase>(case_).reaction_where) {
  refuse_products(case_, "a recurrence on a grid multiplies no Chebyshev series");
  for (const NamedExpression& field : case_.output.fields) parse_answer(model_, field.text);
  for (const ReferenceValue& value : case_.verification.values) parse_answer(model_, value.expr);
  if (is_of_the_paper()) check_paper_case();
  if (model_.conditions.size() == 3) closure_.close({}, {}, 0.0, 0.0);  // refuses one too many
  if (model_.source != nullptr) {
    // The digits of the paper depend on how its source is rounded.
    expression_ = expression_source(model_, is_of_the_paper() ? 0 : GridExpression::kMaxCalls);
    return;
  }
  const RecurrenceCase& recurrence = section_of<RecurrenceCase>(case_);
  try {
    NumberSeries::check_file(recurrence.source_file);
  } catch (const OutputError& error) {
    throw_case_error(recurrence.source_file_where, 0, error.what());
  }
  try {
    dataset_.emplace(recurrence.source_file, recurrence.source_dataset);
  } catch (const OutputError& error) {
    throw_case_error(recurrence.source_where, 0, error.what());
  }
  if (dataset_->size() != model_.grid.n_points())
    throw_case_error(recurrence.source_where, 0,
                     fmt::format("the dataset {} of {} has {} values, {} intervals have {} points: one value each",
                                 recurrence.source_dataset, recurrence.source_file, dataset_->size(),
                                 model_.grid.intervals, model_.grid.n_points()));
}

// The paper's system: u'(a) and u(b) given, no reaction, order 2.
void RecurrenceBvp::check_paper_case() const {
  const std::string name = "the algorithms of the paper (a1s, a1d, a2s, a2d, a2sd) solve ";
  if (model_.reaction != 0.0)
    throw_case_error(section_of<RecurrenceCase>(case_).reaction_where, 0, name + "reaction: 0 only");
  if (model_.order != 2) throw_case_error(section_of<RecurrenceCase>(case_).where, 0, name + "order: 2 only");
  const std::vector<EndCondition>& conditions = model_.conditions;
  const auto only = [](const EndCondition& c, double EndCondition::*member) {
    double others = std::abs(c.u_left) + std::abs(c.slope_left) + std::abs(c.u_right) + std::abs(c.slope_right) +
                    std::abs(c.integral);
    return c.*member != 0.0 && others == std::abs(c.*member);
  };
  const bool fits = conditions.size() == 2 && only(conditions[0], &EndCondition::slope_left) &&
                    only(conditions[1], &EndCondition::u_right);
  if (!fits)
    throw_case_error(conditions[0].text, 0,
                     name + fmt::format("a slope at the lower end, then a value at the upper: boundary: "
                                        "[\"d{0}({1})({0}={2:g}) = 0\", \"{1}({0}={3:g}) = 0\"]; algorithm: moments "
                                        "solves all others",
                                        model_.axis.name, model_.unknown, model_.axis.lower, model_.axis.upper));
  const Index n = model_.grid.intervals, columns = section_of<RecurrenceCase>(case_).columns;
  if (columns > 0 && (n % columns != 0 || n / columns < 2))
    throw_case_error(section_of<RecurrenceCase>(case_).where, 0,
                     fmt::format("{} intervals do not fill {} columns of two or more: take a divisor", n, columns));
}

std::string RecurrenceBvp::method_text() const {
  static constexpr std::array names = {"", "A1S", "A1D", "A2S", "A2D", "A2SD"};
  if (is_of_the_paper())
    return fmt::format("algorithm {} of the paper",
                       names.at(static_cast<std::size_t>(section_of<RecurrenceCase>(case_).algorithm)));
  static constexpr std::array kinds = {"Poisson", "shooting", "two-sided"};
  return fmt::format("block moments, double-double carries ({} recurrence, order {}{})",
                     kinds.at(static_cast<std::size_t>(closure_.op().kind)), model_.order,
                     is_single() ? ", stored in single precision" : "");
}

std::size_t RecurrenceBvp::memory_bytes() const {
  const std::size_t data = dataset_ ? static_cast<std::size_t>(model_.grid.n_points()) * sizeof(double) : 0;
  return recurrence_solver_bytes(model_.grid.n_points(), is_single()) + data;
}

// What an estimate may take once the solution is there.
std::size_t RecurrenceBvp::free_memory() const {
  const auto limit = static_cast<std::size_t>(case_.solver.memory_gb * 1e9);
  return limit == 0 ? available_memory() : limit - std::min(limit, memory_bytes());
}

void RecurrenceBvp::check_memory() const {
  const std::size_t limit =
      case_.solver.memory_gb > 0.0 ? static_cast<std::size_t>(case_.solver.memory_gb * 1e9) : available_memory();
  if (memory_bytes() > limit)
    throw MemoryError(fmt::format(
        "not enough memory: {} points need {}, there are {}; take fewer intervals{}, or raise solver.memory",
        model_.grid.n_points(), format_bytes(memory_bytes()), format_bytes(limit),
        is_single() ? "" : ", recurrence: {precision: single}"));
}

Summary RecurrenceBvp::summary() const {
  Summary summary;
  summary.n_unknowns = model_.grid.n_points();
  summary.memory_bytes = memory_bytes();
  summary.linear_solver = method_text();
  summary.device_pays = model_.grid.n_points() >= kDeviceFrom && !is_of_the_paper();
  summary.scheme_order = model_.order;
  summary.lines = {
      {"equation", fmt::format("-d{0}({1},2){2} = {3}", model_.axis.name, model_.unknown,
                               model_.reaction > 0.0 ? fmt::format(" + {:g}*{}", model_.reaction, model_.unknown) : "",
                               model_.source != nullptr ? section_of<RecurrenceCase>(case_).source.text
                                                        : section_of<RecurrenceCase>(case_).source_dataset)},
      {"grid", fmt::format("{} = {:g} .. {:g}, {} intervals of {:.6g}", model_.axis.name, model_.axis.lower,
                           model_.axis.upper, model_.grid.intervals, model_.grid.step())}};
  for (const EndCondition& condition : model_.conditions) summary.lines.emplace_back("condition", condition.text.text);
  print_system(summary);
  summary.lines.emplace_back("unknowns", fmt::format("{}", summary.n_unknowns));
  summary.lines.emplace_back("method", summary.linear_solver);
  summary.lines.emplace_back("memory", format_bytes(summary.memory_bytes));
  return summary;
}

void RecurrenceBvp::print_system(Summary& summary) const {
  const std::string &u = model_.unknown, &x = model_.axis.name,
                    &dataset = section_of<RecurrenceCase>(case_).source_dataset;
  const bool given = section_of<RecurrenceCase>(case_).source_file.empty();
  const expression::Expr source =
      given ? expression::parse(*model_.pool, section_of<RecurrenceCase>(case_).source) : nullptr;
  summary.system = printed_definitions(*model_.pool);
  const std::string reaction = model_.reaction > 0.0 ? fmt::format(" + {:g} {}", model_.reaction, u) : "";
  summary.system.push_back({"equation", summary.lines.front().second,
                            fmt::format("-\\partial_{}^{{2}} {}{} = {}", x, u, reaction,
                                        given ? expression::latex(source) : "\\text{" + dataset + "}")});
  for (std::size_t i = 0; i < case_.boundary.size(); ++i) {
    const expression::Equation condition = expression::parse_equation(*model_.pool, case_.boundary[i]);
    summary.system.push_back({fmt::format("condition {}", i + 1),
                              expression::print(condition.left) + " = " + expression::print(condition.right),
                              expression::latex(condition.left) + " = " + expression::latex(condition.right)});
  }
}

GridSource RecurrenceBvp::source() const {
  if (!dataset_) return *expression_;
  auto values = std::make_shared<std::vector<double>>(static_cast<std::size_t>(model_.grid.n_points()));
  dataset_->read(0, model_.grid.n_points(), values->data());
  return stored_source(std::move(values));
}

RunOutcome RecurrenceBvp::run(const Context& given, const RunControl& control) {
  const auto seconds = [began = std::chrono::steady_clock::now()] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  check_memory();
  const bool on_cpu = is_of_the_paper() && is_sequential(paper_algorithm(section_of<RecurrenceCase>(case_).algorithm));
  const Context context = on_cpu ? given.without_device() : given;
  if (given.backend() == Backend::cuda && on_cpu)
    logger().info(
        "a1s and a1d are sequential and run on the CPU; on the GPU run algorithm: a2s, a2d, a2sd and moments");
  if (context.backend() == Backend::cuda && !is_of_the_paper() && !dataset_ && !run_time_compiler_missing().empty())
    logger().warn("{}: the right-hand side is evaluated on the CPU", run_time_compiler_missing());
  RunOutcome outcome;
  RunReport& report = outcome.report = report_of(case_, summary(), context.device_name());
  report.n_windows = 1;
  outcome.status = ExitStatus::converged;

  const GridSource f = source();
  if (is_of_the_paper())
    solve_by_paper(context, f.f, outcome);
  else
    solve_by_moments(context, f, outcome);
  outcome.complete = outcome.status == ExitStatus::converged;
  if (outcome.complete && !stopped_before_verdict(control, outcome)) {
    const GridValues values(model_, *solution_, f.at);
    const double rounding =
        is_single() ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
    sample(values, outcome);
    BvpEstimate estimate;
    if (case_.verification.estimate != EstimateChoice::off)
      estimate = estimate_bvp_error(context, case_, model_, f, values, free_memory(), rounding);
    const bool is_made = estimate.error.status == ErrorEstimate::Status::made;
    report.verification = verify_bvp(case_, model_, values, shift_, rounding, !is_made);
    check_bvp_data(model_, is_made ? estimate.intervals : 0, report.verification.checks, report.warnings);
    check_data_files(case_, case_.verification.tolerance, report.verification.checks, report.warnings);
    add_estimate(report.verification, std::move(estimate.error), case_.verification.tolerance);
    advise_intervals(report.verification);
    if (!report.verification.passed()) {
      outcome.status = ExitStatus::unresolved;
      report.status = "verification failed";
      report.reason = unseen_reason(report.verification.checks);
      if (report.reason.empty())
        report.reason = "the solution does not meet the tolerances of `verification`: " +
                        cure_of(given, control, report.verification, seconds());
      const std::string& why = report.verification.estimate.reason;
      if (!why.empty()) report.reason += "; " + why;
    }
    end_without_estimate(outcome);
  }
  report.wall_seconds = seconds();
  return outcome;
}

// Of an answer that is not good enough.
std::string RecurrenceBvp::cure_of(const Context& context, const RunControl& control, const Verification& verification,
                                   double seconds) const {
  const std::string higher = model_.order < 4 ? "order: 4" : "";
  if (dataset_ || excess_error(case_, verification) == 0.0)
    return "try more intervals" + (higher.empty() ? "" : ", or " + higher);
  const auto with = [&](double finer) {
    auto section = std::make_shared<RecurrenceCase>(section_of<RecurrenceCase>(case_));
    section->intervals = finer_even(model_.grid.intervals, finer);
    Case result = case_;
    result.section = std::move(section);
    result.output.fields.clear();
    return result;
  };
  IntervalTrials trials;
  trials.order = model_.order;
  trials.points = static_cast<double>(model_.grid.intervals);
  trials.most_finer = kMostFiner;
  trials.seconds = seconds;
  trials.interrupted = control.interrupted;
  trials.line = [&](double finer) {
    return fmt::format("recurrence.intervals: {}", finer_even(model_.grid.intervals, finer));
  };
  trials.fits = [&](double finer) {
    return static_cast<double>(memory_bytes()) * finer <= static_cast<double>(free_memory());
  };
  if (control.tries_proposals)
    trials.run = [&](double finer) {
      RunControl quiet;
      quiet.interrupted = control.interrupted;
      return RecurrenceBvp(with(finer)).run(context, quiet).report.verification;
    };
  const NeededIntervals needed = needed_intervals(case_, verification, trials);
  if (needed.is_proposed) return needed.text + (higher.empty() ? "" : "; or try " + higher);
  return (higher.empty() ? "" : "try " + higher + "; ") + "more intervals are not proposed: " + needed.text;
}

// Of an answer that is far better than asked for. A dataset has the intervals that it has.
void RecurrenceBvp::advise_intervals(Verification& verification) const {
  const double spare = dataset_ ? 0.0 : spare_accuracy(case_, verification);
  const Index enough = spare > 0.0 ? enough_intervals(model_.grid.intervals, spare, model_.order, kLeastAdvised) : 0;
  if (enough == 0 || enough >= model_.grid.intervals) return;
  std::vector<Check> unseen;
  std::vector<std::string> undecided;
  check_bvp_data(model_, enough, unseen, undecided);
  if (unseen.empty() && undecided.empty())
    verification.estimate.advice = fmt::format("recurrence.intervals: {} may suffice", enough);
}

void RecurrenceBvp::solve_by_moments(const Context& context, const GridSource& source, RunOutcome& outcome) {
  MomentsSolution result =
      gwrm::solve_by_moments(context, model_, closure_, source, is_single(), case_.verification.tolerance);
  if (!result.finite) return report_not_finite(source.f, outcome);
  if (result.status != ClosureStatus::closed) {
    outcome.status = ExitStatus::singular;
    outcome.report.status = result.status == ClosureStatus::singular ? "singular" : "no solution";
    outcome.report.reason = result.message;
    return;
  }
  shift_ = result.shift;
  solution_ = std::move(result.values);
}

void RecurrenceBvp::solve_by_paper(const Context& context, const RecurrenceSource& f, RunOutcome& outcome) {
  const Index n = model_.grid.intervals;
  const double h = model_.grid.step(), h2 = h * h;
  const double slope = model_.conditions[0].value / model_.conditions[0].slope_left;
  const double last = model_.conditions[1].value / model_.conditions[1].u_right;
  const RecurrenceSource d{nullptr, nullptr, [&](Index first, Index count, double* values) {
                             const double* const at = f.fetch(first, count, values);
                             for (Index i = 0; i < count; ++i) values[i] = h2 * at[i];
                             if (first == 0) values[0] = 0.5 * values[0] - h * slope;
                             if (first + count == n) values[count - 1] += last;
                           }};
  const RecurrenceCase& recurrence = section_of<RecurrenceCase>(case_);
  const Index columns = recurrence.columns > 0 ? recurrence.columns : square_columns(n);
  solution_ = std::make_unique<WithLastValue>(
      gwrm::solve_by_paper(context, paper_algorithm(recurrence.algorithm), columns, d, n), n, last);
  const std::array<Index, 1> start = {0};
  double u = 0.0;
  solution_->gather(start, &u);
  if (!std::isfinite(u)) report_not_finite(f, outcome);
}

// Names the first point at which the right-hand side is no number.
void RecurrenceBvp::report_not_finite(const RecurrenceSource& f, RunOutcome& outcome) const {
  outcome.status = ExitStatus::not_finite;
  outcome.report.status = "NaN or Inf";
  outcome.report.reason = "the sums over the source overflow: its values are too large";
  std::array<double, kRecurrenceChunk> buffer;
  for (Index first = 0; first < model_.grid.n_points(); first += kRecurrenceChunk) {
    const Index count = std::min(kRecurrenceChunk, model_.grid.n_points() - first);
    const double* const values = f.fetch(first, count, buffer.data());
    const double* const bad = std::find_if(values, values + count, [](double v) { return !std::isfinite(v); });
    if (bad == values + count) continue;
    const Index i = first + (bad - values);
    outcome.report.reason = fmt::format("the source is {} at {} = {:.10g} (point {} of {})", *bad, model_.axis.name,
                                        model_.grid.point(i), i, model_.grid.n_points());
    return;
  }
}

void RecurrenceBvp::sample(const GridValues& values, RunOutcome& outcome) const {
  const std::vector<Index> points = sampled_points(model_.grid, case_.output.grid.front());
  outcome.solution.axes = {model_.axis};
  outcome.solution.subdomains = {{{0, {model_.axis.lower, model_.axis.upper}}}};
  outcome.grid = {{}};
  for (Index i : points) outcome.grid[0].push_back(model_.grid.point(i));
  for (const NamedExpression& field : case_.output.fields) {
    const expression::Expr e = parse_answer(model_, field.text);
    SampledField sampled{field.name, field.text.text, {}, {}};
    const bool varies = (e->facts.axes & 1u) != 0;
    if (varies) sampled.axes = {0};
    sampled.values.data = values.evaluate(e, field.text, varies ? points : std::vector<Index>{0});
    if (varies) sampled.values.shape = {static_cast<Index>(points.size())};
    outcome.fields.push_back(std::move(sampled));
  }
}

}  // namespace gwrm
