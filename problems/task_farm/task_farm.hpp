// Independent runs of one command, side by side on the cores and on the devices of this process: the task farm of
// `gwrm converge` and `gwrm sweep`. Threads take the next task from a shared counter, the costliest first, so that the
// others fill the time it takes. The bits of a run on the CPU do not depend on what runs beside it.
#pragma once

#include <cstddef>
#include <functional>

#include "core/context.hpp"
#include "problems/problem.hpp"
#include "problems/task_farm/farm_places.hpp"

namespace gwrm {

struct FarmTasks {
  std::size_t count = 0;

  // Called in several threads at once, each with a context of its own. What it throws becomes an outcome without an
  // answer (Error, std::bad_alloc) or ends the farm (all else).
  std::function<RunOutcome(std::size_t task, const Context& context, const RunControl& control)> run;

  // Called by one thread at a time, as soon as a run has ended, whatever its end. What it throws ends the farm.
  std::function<void(std::size_t task, RunOutcome outcome)> consume;

  // The place of the next task in the order of their costs, each once: of a counter that other processes share. Numbers
  // from `count` on end the farm. Empty: a counter of its own.
  std::function<std::size_t()> next;

  // Any number that grows with the time of a run; empty: all alike, in their order.
  std::function<double(std::size_t task)> cost;
  // Bytes that a run takes; empty: too few to ask.
  std::function<double(std::size_t task)> memory;
};

// The number of runs at once: at most the threads of the place, on devices at most runs_per_device each, and together
// within the memory that is free. A run that a device has no memory for beside others is repeated alone on it.
// `progress` of the control counts the runs, `interrupted` is handed to them: tasks that have not begun end as
// interrupted.
void run_tasks(const FarmTasks& tasks, const FarmPlaces& places, const RunControl& control);

// The outcome of a run that ended without an answer.
RunOutcome failed_outcome(ExitStatus status, const std::string& reason);

}  // namespace gwrm
