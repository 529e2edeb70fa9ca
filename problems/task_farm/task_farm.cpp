#include "problems/task_farm/task_farm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <numeric>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "core/devices.hpp"
#include "core/memory.hpp"
#include "core/thread_errors.hpp"

namespace gwrm {
namespace {

constexpr double kMemoryShare = 0.8;  // of what is free, for the runs that are under way at one time

// One of the threads that take runs.
struct Place {
  BackendChoice backend = BackendChoice::cpu;
  int n_threads = 1, device = 0;
};

// How many runs at once: no more than `most`, and together within the memory.
std::size_t within_memory(const FarmTasks& tasks, std::size_t most) {
  most = std::min(most, tasks.count);
  if (!tasks.memory || most <= 1) return std::max<std::size_t>(1, most);
  std::vector<double> bytes(tasks.count);
  for (std::size_t task = 0; task < tasks.count; ++task) bytes[task] = tasks.memory(task);
  const auto end = bytes.begin() + static_cast<std::ptrdiff_t>(most);
  std::partial_sort(bytes.begin(), end, bytes.end(), std::greater<>());
  double sum = std::accumulate(bytes.begin(), end, 0.0);
  const double free = kMemoryShare * static_cast<double>(available_memory());
  while (most > 1 && sum > free) sum -= bytes[--most];
  return most;
}

// Runs on a device keep a core busy each. The devices come first, then the number of runs beside one another. On the
// CPU each has one thread, also the only one that is left of a continued sweep: more of them round otherwise.
std::vector<Place> places_for(const FarmTasks& tasks, const FarmPlaces& all) {
  const auto n_threads = static_cast<std::size_t>(all.n_threads);
  std::size_t most = n_threads;
  if (all.on_devices()) {
    const std::size_t n_devices = all.devices.size();
    most = std::max(n_devices, std::min(n_threads, n_devices * static_cast<std::size_t>(all.runs_per_device)));
  }
  const std::size_t n = within_memory(tasks, most);
  std::vector<Place> places(n);
  if (!all.on_devices()) return places;
  for (std::size_t k = 0; k < n; ++k)
    places[k] = {all.backend, static_cast<int>(std::max<std::size_t>(1, n_threads / n)),
                 all.devices[k % all.devices.size()]};
  return places;
}

std::vector<std::size_t> order_of(const FarmTasks& tasks) {
  std::vector<std::size_t> order(tasks.count);
  std::iota(order.begin(), order.end(), 0);
  if (!tasks.cost) return order;
  std::vector<double> costs(tasks.count);
  for (std::size_t task = 0; task < tasks.count; ++task) costs[task] = tasks.cost(task);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return costs[a] > costs[b]; });
  return order;
}

RunOutcome run_one(const FarmTasks& tasks, std::size_t task, const Context& context, const RunControl& control) {
  try {
    if (control.interrupted && control.interrupted()) return failed_outcome(ExitStatus::interrupted, "interrupted");
    return tasks.run(task, context, control);
  } catch (const Error& error) {
    return failed_outcome(error.status(), error.what());
  } catch (const std::bad_alloc&) {
    return failed_outcome(ExitStatus::resources, "out of memory");
  }
}

}  // namespace

RunOutcome failed_outcome(ExitStatus status, const std::string& reason) {
  RunOutcome outcome;
  outcome.status = status;
  outcome.report.status = "failed";
  outcome.report.reason = reason;
  return outcome;
}

void run_tasks(const FarmTasks& tasks, const FarmPlaces& all, const RunControl& control) {
  const std::vector<std::size_t> order = order_of(tasks);
  const std::vector<Place> places = places_for(tasks, all);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stopped{false};
  std::size_t done = 0;
  std::mutex reporting;
  std::map<int, std::shared_mutex> devices;  // held by the runs on them, by one that is to be alone there for itself
  for (const Place& place : places) devices[place.device];
  RunControl quiet;
  quiet.interrupted = [&] { return stopped || (control.interrupted && control.interrupted()); };
  const auto run = [&](std::size_t task, const Context& own, const Place& place) {
    if (!all.on_devices() || places.size() == 1) return run_one(tasks, task, own, quiet);
    std::shared_mutex& device = devices.at(place.device);
    {
      const std::shared_lock beside_others(device);
      RunOutcome outcome = run_one(tasks, task, own, quiet);
      if (outcome.status != ExitStatus::resources) return outcome;
    }
    const std::scoped_lock alone(device);
    return run_one(tasks, task, own, quiet);
  };
  const auto work = [&](const Place& place) {
    if (place.backend != BackendChoice::cpu) use_device(place.device);
    // Of this thread: OpenMP keeps the number of threads per thread, and so does CUDA its device.
    const Context own = Context::create(place.backend, place.n_threads);
    for (std::size_t k; !stopped && (k = tasks.next ? tasks.next() : next++) < order.size();) {
      RunOutcome outcome = run(order[k], own, place);
      const std::scoped_lock lock(reporting);
      tasks.consume(order[k], std::move(outcome));
      ++done;
      if (control.progress)
        control.progress(static_cast<double>(done) / static_cast<double>(tasks.count),
                         fmt::format("{} of {} runs", done, tasks.count));
    }
  };
  if (places.size() == 1) return work(places.front());
  ThreadErrors failures;
  {
    std::vector<std::jthread> threads;  // are waited for, also where the next one cannot be started
    for (const Place& place : places)
      threads.emplace_back([&, place] {
        failures.run([&] {
          try {
            work(place);
          } catch (...) {
            stopped = true;  // the others do not go on for nothing
            throw;
          }
        });
      });
  }
  failures.rethrow();
}

}  // namespace gwrm
