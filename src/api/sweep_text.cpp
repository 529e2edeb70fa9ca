#include "api/sweep_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/counted.hpp"

namespace gwrm {
namespace {

constexpr std::size_t kMostFailuresInJson = 1000;

std::string keys_of(const SweptDimension& dimension) {
  std::string keys;
  for (const SweptKey& key : dimension.keys) keys += (keys.empty() ? "" : ", ") + key.key;
  return keys;
}

}  // namespace

std::string sweep_text(const std::string& title, const SweepPoints& points, const SweepTotals& totals) {
  std::string text = title.empty() ? "" : title + "\n";
  text += "  " + counted(totals.n_runs, "run") + "\n";
  for (const SweptDimension& dimension : points.dimensions)
    text += fmt::format("  {:<16} {} of {}\n", dimension.name, counted(dimension.size(), "value"), keys_of(dimension));
  text += "\n";
  for (const auto& [how, count] : totals.counts)
    text += fmt::format("  {:>8} {}{}\n", count, how.second,
                        how.first > 0 ? fmt::format(" (exit status {})", how.first) : "");
  return text;
}

std::string sweep_json(const std::string& title, const SweepPoints& points, const SweepTotals& totals, int exit_status,
                       const std::string& file) {
  nlohmann::json json;
  json["title"] = title;
  json["exit_status"] = exit_status;
  json["n_runs"] = totals.n_runs;
  json["n_ended"] = totals.n_ended;
  json["dimensions"] = nlohmann::json::array();
  for (const SweptDimension& dimension : points.dimensions) {
    nlohmann::json keys = nlohmann::json::array();
    for (const SweptKey& key : dimension.keys) keys.push_back({{"key", key.key}, {"name", key.name}});
    json["dimensions"].push_back({{"name", dimension.name}, {"size", dimension.size()}, {"keys", keys}});
  }
  json["counts"] = nlohmann::json::array();
  for (const auto& [how, count] : totals.counts)
    json["counts"].push_back({{"exit_status", how.first}, {"status", how.second}, {"count", count}});
  json["failures"] = nlohmann::json::array();
  for (const SweepRun& run : totals.failures) {
    if (json["failures"].size() == kMostFailuresInJson) break;
    json["failures"].push_back({{"run", run.run},
                                {"values", points.text_of(run.run)},
                                {"exit_status", run.exit_status},
                                {"status", run.status},
                                {"reason", run.reason}});
  }
  json["file"] = file.empty() ? nlohmann::json() : nlohmann::json(file);
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace gwrm
