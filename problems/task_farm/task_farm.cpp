#include "problems/task_farm/task_farm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <numeric>
#include <thread>
#include <vector>

#include "core/memory.hpp"
#include "core/thread_errors.hpp"

namespace gwrm {
namespace {

constexpr double kMemoryShare = 0.8;  // of what is free, for the runs that are under way at one time

// How many runs at once: no more than threads, and together within the memory.
int worker_count(const FarmTasks& tasks, const Context& context) {
  if (context.backend() == Backend::cuda) return 1;
  int workers = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(context.n_threads()), tasks.count));
  if (!tasks.memory) return workers;
  std::vector<double> bytes(tasks.count);
  for (std::size_t task = 0; task < tasks.count; ++task) bytes[task] = tasks.memory(task);
  std::partial_sort(bytes.begin(), bytes.begin() + workers, bytes.end(), std::greater<>());
  const double free = kMemoryShare * static_cast<double>(available_memory());
  while (workers > 1 && std::accumulate(bytes.begin(), bytes.begin() + workers, 0.0) > free) --workers;
  return workers;
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

void run_tasks(const FarmTasks& tasks, const Context& context, const RunControl& control) {
  const std::vector<std::size_t> order = order_of(tasks);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stopped{false};
  std::size_t done = 0;
  std::mutex reporting;
  RunControl quiet;
  quiet.interrupted = [&] { return stopped || (control.interrupted && control.interrupted()); };
  const auto work = [&](const Context& own) {
    for (std::size_t k; !stopped && (k = tasks.next ? tasks.next() : next++) < order.size();) {
      RunOutcome outcome = run_one(tasks, order[k], own, quiet);
      const std::scoped_lock lock(reporting);
      tasks.consume(order[k], std::move(outcome));
      ++done;
      if (control.progress)
        control.progress(static_cast<double>(done) / static_cast<double>(tasks.count),
                         fmt::format("{} of {} runs", done, tasks.count));
    }
  };
  const int workers = worker_count(tasks, context);
  if (workers <= 1) return work(context);
  // A context of its own: OpenMP keeps the number of threads per thread.
  ThreadErrors failures;
  {
    std::vector<std::jthread> threads;  // are waited for, also where the next one cannot be started
    for (int w = 0; w < workers; ++w)
      threads.emplace_back([&] {
        failures.run([&] {
          try {
            work(Context::create(BackendChoice::cpu, 1));
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
