#include "api/result_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/counted.hpp"
#include "core/memory.hpp"
#include "output/judged_check.hpp"

namespace gwrm {
namespace {

// Length of UTF-8 text in characters, for padding.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t columns) {
  return text + std::string(columns > width(text) ? columns - width(text) : 0, ' ');
}

const char* kind_text(const std::string& kind) {
  if (kind == "estimate") return "estimated error";
  if (kind == "goal") return "error of a goal";
  if (kind == "data") return "data between points";
  if (kind == "data file") return "interpolated data";
  if (kind == "residual") return "residual off the grid";
  if (kind == "tail") return "last coefficients";
  if (kind == "initial") return "initial value";
  if (kind == "boundary") return "boundary condition";
  if (kind == "mean") return "mean, not imposed";
  if (kind == "error_max") return "error, maximum";
  if (kind == "error_l2") return "error, L2";
  if (kind == "growth") return "growth rate, residual";
  if (kind == "modes") return "modes";
  if (kind == "system") return "residual of the system";
  if (kind == "algebraic") return "algebraic error, bound";
  if (kind == "error_h") return "absolute error, norm H";
  return "known value";
}

// "1.5 x estimated error" if the row shows the value times the margin.
std::string row_text(const Check& check) {
  return check.judged && check.margin != 1.0 ? fmt::format("{:g} x {}", check.margin, kind_text(check.kind))
                                             : kind_text(check.kind);
}

// "  from time 1.2e-09, space 3.4e-10, conditions 0.0e+00; perturbations of the initial values grow by 8.1"
std::string budget_text(const ErrorBudgetParts& budget, bool has_time) {
  std::string text = fmt::format("  from {} {:.1e}, space {:.1e}, conditions {:.1e}", has_time ? "time" : "parameters",
                                 budget.time, budget.space, budget.conditions);
  if (std::isfinite(budget.growth))
    text += fmt::format("; perturbations of the initial values grow by {:.2g}", budget.growth);
  return text + "\n";
}

// "  u: largest error 3.1e-09 at t = 1, x = 0.42; 1.2e-09 at the end; rounding 2e-15", ..
std::string estimate_text(const RunOutcome& outcome) {
  const ErrorEstimate& estimate = outcome.report.verification.estimate;
  if (estimate.status == ErrorEstimate::Status::off)
    return "  the error was not estimated: verification.estimate is off\n";
  if (estimate.status == ErrorEstimate::Status::missing)
    return fmt::format("  the error was not estimated: {}\n", estimate.reason);
  std::string text;
  const std::vector<Axis>& axes = outcome.solution.axes;
  for (const FieldError& error : estimate.fields) {
    std::string at;
    for (std::size_t axis = 0; axis < std::min(axes.size(), error.at.size()); ++axis)
      if (std::isfinite(error.at[axis]))
        at += fmt::format("{}{} = {:.4g}", at.empty() ? " at " : ", ", axes[axis].name, error.at[axis]);
    text += fmt::format("  error of {}: largest {:.1e}{}", error.field, error.largest, at);
    if (outcome.solution.windowed_axis() >= 0) text += fmt::format("; {:.1e} at the end", error.at_end);
    if (error.rounding > 0.0) text += fmt::format("; rounding {:.1e}", error.rounding);
    text += "\n";
  }
  if (std::isfinite(estimate.lost_at))
    text += fmt::format("  the accuracy is lost from t = {:.6g} on\n", estimate.lost_at);
  if (estimate.budget) text += budget_text(*estimate.budget, outcome.solution.windowed_axis() >= 0);
  return text;
}

// "  left out   t < 1e-05 within 0.0235 of x = 0: y jumps by 1": where nothing is judged; of an unknown that is judged
// later "  judged from t = 0.02 on: p: error up to .."
std::string left_out_text(const RunOutcome& outcome) {
  std::string text;
  const std::vector<Axis>& axes = outcome.solution.axes;
  const int time = outcome.solution.windowed_axis();
  for (const LeftOut& place : outcome.report.verification.left_out) {
    if (place.other_axis >= 0) {
      text += fmt::format("  left out: within {:.3g} of {} = {:.6g}, {} = {:.6g}: {}\n", place.width,
                          axes.at(static_cast<std::size_t>(place.axis)).name, place.place,
                          axes.at(static_cast<std::size_t>(place.other_axis)).name, place.other_place, place.what);
      continue;
    }
    if (time < 0) continue;
    const std::string& t = axes.at(static_cast<std::size_t>(time)).name;
    const bool at_start = place.start <= axes.at(static_cast<std::size_t>(time)).lower;
    if (place.axis < 0) {
      text += fmt::format("  judged from {} = {:.6g} on{}: {}: {}\n", t, place.end,
                          at_start ? "" : fmt::format(", {:.6g} before", place.start), place.unknown, place.what);
      continue;
    }
    text += fmt::format("  left out: {}{} < {:.6g} within {:.3g} of {} = {:.6g}: {}\n",
                        at_start ? "" : fmt::format("{:.6g} < ", place.start), t, place.end, place.width,
                        axes.at(static_cast<std::size_t>(place.axis)).name, place.place, place.what);
  }
  return text;
}

// " (1 corner left out)"; of unknowns that are judged later " (start of p left out)".
std::string number_left_out(const std::vector<LeftOut>& left_out) {
  std::string unknowns;
  std::ptrdiff_t n_corners = 0;
  for (const LeftOut& place : left_out) {
    if (place.unknown.empty()) ++n_corners;
    if (!place.unknown.empty() && (", " + unknowns + ",").find(", " + place.unknown + ",") == std::string::npos)
      unknowns += (unknowns.empty() ? "" : ", ") + place.unknown;
  }
  std::string text = n_corners == 0 ? "" : counted(n_corners, "corner");
  if (!unknowns.empty()) text += (text.empty() ? "" : ", ") + ("start of " + unknowns);
  return text.empty() ? "" : " (" + text + " left out)";
}

// "  drag = 1.234567890, error 3e-10: integral(dx(u)(x=0), t)", as many digits as the error leaves.
std::string goals_text(const std::vector<Goal>& goals) {
  std::string text;
  for (const Goal& goal : goals) {
    const bool is_known = std::isfinite(goal.error) && goal.value != 0.0;
    const double digits =
        is_known ? std::ceil(std::log10(std::abs(goal.value) / std::max(goal.error, 1e-300))) + 1 : 15;
    text += fmt::format("  {} = {:.{}g}", goal.name, goal.value, static_cast<int>(std::clamp(digits, 2.0, 15.0)));
    if (!std::isnan(goal.error)) text += fmt::format(", error {:.1e}", goal.error);
    text += fmt::format(": {}\n", goal.expression);
  }
  return text;
}

// At most `columns` characters: longer text ends in "...".
std::string shortened(const std::string& text, std::size_t columns) {
  if (width(text) <= columns) return text;
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end)
    if ((text[end] & 0xC0) != 0x80 && ++seen > columns - 3) break;
  return text.substr(0, end) + "...";
}

constexpr std::size_t kSubjectColumns = 56;

// "  on the device 0.61 s: transforms 45 %, .., 12.3 MB sent, 16 MB received, 1.2 GB taken"
std::string profile_text(const RunReport& report) {
  if (report.profile.empty()) return {};
  const double total = report.profile.front().second;
  std::string parts;
  for (std::size_t i = 1; i < report.profile.size(); ++i)
    parts += fmt::format("{}{} {:.1f} %", parts.empty() ? "" : ", ", report.profile[i].first,
                         total > 0.0 ? 100.0 * report.profile[i].second / total : 0.0);
  const auto bytes = [](double value) { return format_bytes(static_cast<std::size_t>(value)); };
  return fmt::format("  solves on the device {:.3g} s: {}\n  {} sent, {} received, {} of device memory taken\n", total,
                     parts, bytes(report.bytes_sent), bytes(report.bytes_received), bytes(report.device_memory));
}

// "  4 ranks sent one another 12.3 MB in exchanges (12.3 MB by the formula), 0.4 MB of sums and solutions"
std::string ranks_text(const RunReport& report) {
  if (report.bytes_by_formula == 0.0) return {};  // of one rank, or between devices
  const auto bytes = [](double value) { return format_bytes(static_cast<std::size_t>(value)); };
  return fmt::format("  {} ranks sent one another {} in exchanges ({} by the formula), {} of sums and solutions\n",
                     report.n_ranks, bytes(report.bytes_exchanged), bytes(report.bytes_by_formula),
                     bytes(report.bytes_gathered));
}

}  // namespace

std::string result_text(const RunOutcome& outcome) {
  const RunReport& report = outcome.report;
  std::string text;
  if (!report.title.empty()) text += report.title + "\n";
  const std::string windows = report.n_windows > 1 ? counted(report.n_windows, "window") + ", " : "";
  std::string work = counted(report.n_newton_iterations, "Newton iteration");
  if (report.n_newton_iterations > 0 && report.n_linear_iterations > 0)
    work += fmt::format(", {} of GMRES", report.n_linear_iterations);
  if (report.n_newton_iterations == 0) work = counted(report.n_linear_iterations, "iteration");  // a linear problem
  if (report.n_newton_iterations > 0) work += ", " + counted(report.n_factorisations, "factorisation");
  text += fmt::format("  {}{}, {}, {:.3g} s on {}\n  {}\n", windows, counted(report.n_unknowns, "unknown"), work,
                      report.wall_seconds, report.device, report.linear_solver);
  text += profile_text(report) + ranks_text(report);
  const auto& checks = report.verification.checks;
  if (checks.empty()) return text;
  std::size_t longest = 10;
  for (const Check& check : checks) longest = std::max(longest, std::min(kSubjectColumns, width(check.subject)));
  const bool is_estimated = report.verification.estimate.status == ErrorEstimate::Status::made;
  text += "\n" + padded(is_estimated ? "  verified" : "  checked", 25) + padded("", longest) + "  relative   allowed\n";
  for (const Check& check : checks) {
    const JudgedTexts numbers = judged_texts(check);
    text += fmt::format("  {} {}  {:>8}  {:>8}  {}\n", padded(row_text(check), 22),
                        padded(shortened(check.subject, kSubjectColumns), longest), numbers.value, numbers.allowed,
                        !check.judged    ? ""
                        : check.passed() ? "ok"
                                         : "FAIL");
  }
  text += left_out_text(outcome) + estimate_text(outcome);
  if (const std::string& advice = report.verification.estimate.advice; !advice.empty())
    text += fmt::format("  {}: {}\n", report.verification.passed() ? "better than asked for" : "to write", advice);
  text += goals_text(report.verification.goals);
  text += fmt::format("  {}{}\n", report.verification.verdict(), number_left_out(report.verification.left_out));
  return text;
}

namespace {

nlohmann::json estimate_json(const RunOutcome& outcome) {
  const ErrorEstimate& estimate = outcome.report.verification.estimate;
  const auto number = [](double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(); };
  const bool is_made = estimate.status == ErrorEstimate::Status::made;
  nlohmann::json object = {{"status", is_made                                             ? "made"
                                      : estimate.status == ErrorEstimate::Status::missing ? "missing"
                                                                                          : "off"}};
  if (!estimate.reason.empty()) object["reason"] = estimate.reason;
  if (!estimate.advice.empty()) object["advice"] = estimate.advice;
  if (!is_made) return object;
  object["lost_at"] = number(estimate.lost_at);
  if (const auto& budget = estimate.budget)
    object["budget"] = {{"time", number(budget->time)},
                        {"space", number(budget->space)},
                        {"conditions", number(budget->conditions)},
                        {"growth", number(budget->growth)}};
  nlohmann::json fields = nlohmann::json::object();  // made before it is filled: eval_command.cpp
  for (const FieldError& error : estimate.fields) {
    nlohmann::json at = nlohmann::json::object();
    nlohmann::json& field = fields[error.field];
    field = {
        {"largest", number(error.largest)}, {"at_end", number(error.at_end)}, {"rounding", number(error.rounding)}};
    for (std::size_t axis = 0; axis < std::min(outcome.solution.axes.size(), error.at.size()); ++axis)
      at[outcome.solution.axes[axis].name] = number(error.at[axis]);
    if (!at.empty()) field["at"] = at;
  }
  if (!fields.empty()) object["fields"] = fields;
  return object;
}

nlohmann::json left_out_json(const RunOutcome& outcome) {
  nlohmann::json places = nlohmann::json::array();
  const auto name_of = [&](int axis) { return outcome.solution.axes.at(static_cast<std::size_t>(axis)).name; };
  for (const LeftOut& place : outcome.report.verification.left_out) {
    nlohmann::json& one = places.emplace_back(nlohmann::json{{"what", place.what}});
    if (!place.unknown.empty()) one["unknown"] = place.unknown;
    if (place.axis >= 0) {
      one["axis"] = name_of(place.axis);
      one["place"] = place.place;
      one["width"] = place.width;
    }
    if (place.other_axis >= 0) {
      one["other_axis"] = name_of(place.other_axis);
      one["other_place"] = place.other_place;
    } else {
      one["start"] = place.start;
      one["end"] = place.end;
    }
  }
  return places;
}

nlohmann::json goals_json(const std::vector<Goal>& goals) {
  const auto number = [](double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(); };
  nlohmann::json object = nlohmann::json::object();
  for (const Goal& goal : goals)
    object[goal.name] = {{"expression", goal.expression}, {"value", number(goal.value)}, {"error", number(goal.error)}};
  return object;
}

}  // namespace

std::string result_json(const RunOutcome& outcome, const std::string& file) {
  const RunReport& report = outcome.report;
  nlohmann::json object = {{"exit_status", static_cast<int>(outcome.status)},
                           {"status", report.status},
                           {"reason", report.reason},
                           {"title", report.title},
                           {"file", file},
                           {"n_unknowns", report.n_unknowns},
                           {"n_newton_iterations", report.n_newton_iterations},
                           {"n_linear_iterations", report.n_linear_iterations},
                           {"n_factorisations", report.n_factorisations},
                           {"n_windows", report.n_windows},
                           {"linear_solver", report.linear_solver},
                           {"device", report.device},
                           {"wall_seconds", report.wall_seconds},
                           {"warnings", report.warnings}};
  if (!report.profile.empty()) {
    nlohmann::json profile = nlohmann::json::object();
    for (const auto& [part, seconds] : report.profile) profile[part + "_seconds"] = seconds;
    profile["bytes_sent"] = report.bytes_sent;
    profile["bytes_received"] = report.bytes_received;
    profile["device_memory"] = report.device_memory;
    object["profile"] = profile;
  }
  if (report.n_ranks > 0)
    object["ranks"] = {{"n_ranks", report.n_ranks},
                       {"bytes_exchanged", report.bytes_exchanged},
                       {"bytes_by_formula", report.bytes_by_formula},
                       {"bytes_gathered", report.bytes_gathered}};
  nlohmann::json checks = nlohmann::json::array();
  const auto number = [](double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(); };
  for (const Check& check : report.verification.checks)  // JSON knows no NaN: null
    checks.push_back({{"kind", check.kind},
                      {"subject", check.subject},
                      {"value", number(check.value)},
                      {"judged_value", number(judged_value(check))},
                      {"tolerance", check.tolerance},
                      {"margin", check.margin},
                      {"passed", check.passed()}});
  const bool verified = outcome.complete;
  object["verification"] = {{"result", verified ? report.verification.verdict() : "none"},
                            {"checks", checks},
                            {"estimate", estimate_json(outcome)},
                            {"goals", goals_json(report.verification.goals)}};
  if (!report.verification.left_out.empty()) object["verification"]["left_out"] = left_out_json(outcome);
  return object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace gwrm
