#include "problems/sweep/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "core/memory.hpp"
#include "core/thread_errors.hpp"
#include "problems/sweep/points_file.hpp"
#include "problems/sweep/swept_keys.hpp"
#include "problems/sweep/swept_values.hpp"
#include "problems/sweep/unit_samples.hpp"

namespace gwrm {
namespace {

constexpr double kMemoryShare = 0.5;           // of what is free, for one field of all runs
constexpr std::size_t kMostResolutions = 200;  // of which the problems are made to know their size

void add_samples(SweepPoints& points, const std::vector<SweptValues>& random, const SweepRequest& request) {
  if (random.empty()) {
    if (request.n_samples > 0 || request.sobol)
      throw CaseError("--samples: error: no key has a distribution: give one, as --vary constants.nu=uniform(0.1,0.2)");
    return;
  }
  if (request.n_samples == 0)
    throw CaseError("--vary " + random.front().key +
                    ": error: samples of a distribution need their number: --samples 1000");
  if (request.n_samples > kMostSweptRuns)
    throw CaseError(fmt::format("--samples {}: error: at most {}", request.n_samples, kMostSweptRuns));
  SweptDimension samples{"sample", true, {}};
  for (const SweptValues& one : random) samples.keys.push_back({one.key, {}, {}});
  for (const std::vector<double>& unit : unit_samples(request.n_samples, random.size(), request.seed, request.sobol))
    for (std::size_t k = 0; k < random.size(); ++k)
      samples.keys[k].values.push_back(number_text(random[k].distribution->quantile(unit[k])));
  points.dimensions.push_back(std::move(samples));
}

// Of a product that may not fit into an integer.
void refuse_too_many(const SweepPoints& points) {
  double n = 1.0;
  std::string product;
  for (const SweptDimension& dimension : points.dimensions) {
    n *= static_cast<double>(dimension.size());
    product += (product.empty() ? "" : " x ") + std::to_string(dimension.size());
  }
  if (n > static_cast<double>(kMostSweptRuns))
    throw CaseError(
        fmt::format("{} = {:.0f} runs; a sweep has at most {}: divide it, or take samples "
                    "(--samples)",
                    product, n, kMostSweptRuns));
}

// Values of the keys that say how large a problem is; runs that share them cost the same.
std::string resolution_of(const SweepPoints& points, std::size_t run) {
  std::string text;
  for (const auto& [key, value] : points.values_of(run))
    if (key.rfind("constants.", 0) != 0 && key.rfind("initial.", 0) != 0 && key.rfind("boundary.", 0) != 0)
      text += key + "=" + value + "\n";
  return text;
}

std::vector<int> grid_counts(const Case& the_case) {
  std::vector<int> counts;
  for (const GridAxis& axis : the_case.output.grid)
    counts.push_back(axis.count > 0 ? axis.count : static_cast<int>(axis.points.size()));
  return counts;
}

CaseError at_point(const SweepPoints& points, std::size_t run, const std::string& what) {
  return CaseError(fmt::format("run {} of {} ({}): error: {}", run, points.n_runs(), points.text_of(run), what));
}

void check_grid(const Case& base, const Case& the_case, const SweepPoints& points, std::size_t run) {
  const std::vector<int> counts = grid_counts(the_case), first = grid_counts(base);
  for (std::size_t axis = 0; axis < std::min(counts.size(), first.size()); ++axis)
    if (counts[axis] != first[axis])
      throw at_point(points, run,
                     fmt::format("output.grid has {} points in {} here and {} without it: the fields of all runs "
                                 "stand in one array; give all the same number, and vary the resolution",
                                 counts[axis], the_case.output.grid[axis].axis, first[axis]));
}

// An unknown that is sampled lies on all points of its dimensions.
void refuse_too_large(const Case& base, std::size_t n_runs) {
  const std::vector<int> counts = grid_counts(base);
  const double free = kMemoryShare * static_cast<double>(available_memory());
  for (const NamedExpression& field : base.output.fields)
    for (const UnknownCase& unknown : base.unknowns) {
      if (field.text.text != unknown.name) continue;
      double bytes = static_cast<double>(n_runs) * sizeof(double);
      for (std::size_t axis = 0; axis < counts.size(); ++axis)
        if (std::find(unknown.dims.begin(), unknown.dims.end(), base.output.grid[axis].axis) != unknown.dims.end())
          bytes *= counts[axis];
      if (bytes > free)
        throw MemoryError(fmt::format(
            "the field {} of {} runs has {}, more than half of the memory that is free ({}): sample fewer points "
            "(output.grid), other fields (output.fields), or divide the sweep",
            field.name, n_runs, format_bytes(static_cast<std::size_t>(bytes)), format_bytes(available_memory())));
    }
}

}  // namespace

SweepPoints sweep_points(const ProblemModules& modules, const Case& base, const SweepRequest& request) {
  SweepPoints points;
  std::vector<SweptValues> random;
  for (const std::string& argument : request.vary) {
    SweptValues swept = parse_swept_values(argument);
    swept.key = path_of_swept_key(modules, base, swept.key, "--vary " + argument);
    if (swept.distribution)
      random.push_back(std::move(swept));
    else
      points.dimensions.push_back({"", false, {{swept.key, "", std::move(swept.values)}}});
  }
  if (!request.points_file.empty()) {
    SweptDimension listed = read_points_file(request.points_file);
    for (SweptKey& key : listed.keys) key.key = path_of_swept_key(modules, base, key.key, request.points_file + ":1");
    points.dimensions.push_back(std::move(listed));
  }
  add_samples(points, random, request);
  if (points.dimensions.empty())
    throw CaseError("nothing to vary: give values, as --vary constants.nu=0.01,0.02, or --points FILE");
  refuse_too_many(points);
  name_swept_keys(base, points);
  return points;
}

std::vector<Override> overrides_of(const SweepPoints& points, std::size_t run) {
  std::vector<Override> changes;
  for (const auto& [key, value] : points.values_of(run)) changes.push_back({key, value, "--vary"});
  return changes;
}

SweepCosts check_points(const ProblemModules& modules, const Case& base, const SweepPoints& points,
                        const ReadPoint& read, int n_threads) {
  const std::size_t n_runs = points.n_runs();
  refuse_too_large(base, n_runs);
  // The run of the lowest number that is wrong is told, whatever thread finds one.
  std::mutex reporting;
  std::optional<CaseError> wrong;
  std::atomic<std::size_t> next{0}, first_wrong{n_runs};
  const auto work = [&] {
    for (std::size_t run; (run = next++) < first_wrong;) {
      try {
        check_grid(base, read(overrides_of(points, run)), points, run);
      } catch (const CaseError& error) {
        const std::scoped_lock lock(reporting);
        if (run >= first_wrong) continue;
        first_wrong = run;
        const std::string what = error.what();
        wrong = what.rfind("run ", 0) == 0 ? error : at_point(points, run, "its case is wrong\n" + what);
      }
    }
  };
  ThreadErrors failures;
  {
    std::vector<std::jthread> threads;
    for (int t = 1; t < n_threads; ++t) threads.emplace_back([&] { failures.run(work); });
    failures.run(work);
  }
  failures.rethrow();
  if (wrong) throw *wrong;

  SweepCosts costs;
  std::map<std::string, float> known;
  std::vector<float> unknowns(n_runs);
  for (std::size_t run = 0; run < n_runs; ++run) {
    const auto [found, is_new] = known.emplace(resolution_of(points, run), 0.0f);
    if (is_new && known.size() <= kMostResolutions) try {
        const Summary summary = modules.make(read(overrides_of(points, run)))->summary();
        found->second = static_cast<float>(summary.n_unknowns);
        costs.memory_bytes = std::max(costs.memory_bytes, summary.memory_bytes);
        costs.device_pays = costs.device_pays || summary.device_pays;
      } catch (const CaseError& error) {
        throw at_point(points, run, std::string("its case is wrong\n") + error.what());
      }
    unknowns[run] = found->second;
  }
  if (known.size() > 1) costs.unknowns = std::move(unknowns);
  return costs;
}

}  // namespace gwrm
