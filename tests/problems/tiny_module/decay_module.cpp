#include "tiny_module/decay_module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "expression/tape.hpp"
#include "problems/manufactured_data.hpp"
#include "problems/registry.hpp"

namespace gwrm::test {
namespace {

using expression::Expr;
using expression::Pool;

std::vector<double> values_of(Pool& pool, Expr e, const std::vector<double>& times) {
  const std::array<Expr, 1> output = {expression::lower(pool, e)};
  const expression::Tape tape(pool, output);
  Array t(Shape{static_cast<Index>(times.size())});
  t.data = times;
  const std::vector<Array> leaves(tape.leaves().size(), t);
  std::vector<double> values = tape.evaluate(leaves, {}).front().data;
  values.resize(times.size(), values.front());  // of a constant there is one
  return values;
}

class Decay : public Problem {
 public:
  explicit Decay(const Case& the_case) : case_(the_case), section_(section_of<DecayCase>(case_)) {
    for (const NamedExpression& field : case_.output.fields)
      if (field.text.text != case_.unknowns.front().name)
        throw_case_error(field.text, 0, "problem: decay stores its unknown and nothing else");
    const Axis& t = case_.domain.front().axis;
    for (int i = 0; i < section_.points; ++i)
      times_.push_back(t.lower + (t.upper - t.lower) * static_cast<double>(i) / (section_.points - 1));
    source_.assign(times_.size(), 0.0);
    if (!section_.source.text.empty()) source_ = at_times(section_.source);
    if (!case_.exact.empty()) exact_ = at_times(case_.exact.front().text);
  }

  Summary summary() const override {
    Summary summary;
    summary.lines = {{"equation", fmt::format("dt(u) = -{}*u", section_.rate)},
                     {"grid", fmt::format("{} points in t", section_.points)}};
    summary.n_unknowns = section_.points;
    summary.memory_bytes = 3 * times_.size() * sizeof(double);
    summary.linear_solver = "trapezoidal rule";
    summary.one_thread = true;
    summary.device_pays = false;
    summary.scheme_order = 2;
    return summary;
  }

  RunOutcome run(const Context& context, const RunControl&) override {
    RunOutcome outcome;
    RunReport& report = outcome.report = report_of(case_, summary(), context.device_name());
    report.n_windows = 1;
    // (u_n+1 - u_n)/h = -rate (u_n + u_n+1)/2 + (f_n + f_n+1)/2
    std::vector<double> u = {section_.start};
    for (std::size_t n = 0; n + 1 < times_.size(); ++n) {
      const double half = 0.5 * (times_[n + 1] - times_[n]);
      u.push_back(((1.0 - half * section_.rate) * u[n] + half * (source_[n] + source_[n + 1])) /
                  (1.0 + half * section_.rate));
    }
    verify(u, report.verification);
    outcome.complete = true;
    outcome.status = report.verification.passed() ? ExitStatus::converged : ExitStatus::unresolved;
    if (outcome.status == ExitStatus::unresolved) {
      report.status = "verification failed";
      report.reason = "the error exceeds verification.tolerance: take more decay.points";
    }
    const Axis& t = case_.domain.front().axis;
    outcome.solution.axes = {t};
    outcome.solution.window_edges = {t.lower, t.upper};
    outcome.solution.subdomains = {{{0, {t.lower, t.upper}}}};
    outcome.grid = {times_};
    const std::string& name = case_.unknowns.front().name;
    Array values(Shape{static_cast<Index>(u.size())});
    values.data = std::move(u);
    outcome.fields.push_back({name, name, {0}, std::move(values)});
    return outcome;
  }

 private:
  std::vector<double> at_times(const SourceText& text) const {
    Pool pool(case_.symbols());
    return values_of(pool, parsed_exact(pool, text), times_);
  }

  void verify(const std::vector<double>& u, Verification& verification) const {
    if (exact_.empty()) return;
    double error = 0.0, size = 0.0;
    for (std::size_t n = 0; n < u.size(); ++n) {
      error = std::max(error, std::abs(u[n] - exact_[n]));
      size = std::max(size, std::abs(exact_[n]));
    }
    verification.checks.push_back(
        {"error_max", case_.unknowns.front().name, error / size, case_.verification.tolerance});
  }

  Case case_;
  const DecayCase& section_;
  std::vector<double> times_, source_, exact_;
};

}  // namespace

std::unique_ptr<Problem> DecayModule::make(const Case& the_case) const {
  return std::make_unique<Decay>(the_case);
}

Case DecayModule::manufactured(const Case& the_case) const {
  Pool pool(the_case.symbols());
  const Expr exact = parsed_exact(pool, only_exact(the_case));
  auto section = std::make_shared<DecayCase>(section_of<DecayCase>(the_case));
  section->start = values_of(pool, exact, {the_case.domain.front().axis.lower}).front();
  section->source = derived_text(
      pool.sum(pool.derivative(exact, "t", 1), pool.product(pool.number(section->rate), exact)), "manufactured source");
  Case result = the_case;
  result.section = std::move(section);
  return result;
}

Case DecayModule::coarser(const Case& the_case, int divisor, std::size_t) const {
  auto section = std::make_shared<DecayCase>(section_of<DecayCase>(the_case));
  section->points = std::max(2, section->points / divisor);
  Case result = the_case;
  result.section = std::move(section);
  return result;
}

const ProblemModules& modules_with_decay() {
  static const ProblemModules modules = [] {
    auto list = problem_modules().list();
    list.push_back(std::make_shared<DecayModule>());
    return ProblemModules(list);
  }();
  return modules;
}

}  // namespace gwrm::test
