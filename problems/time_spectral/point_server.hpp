// Windows at single points of the collocated parameters, solved from plain data: on a further device of this process,
// or in a process that helps another one (point_places.hpp). Bits are those of the run's own process.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/worker.hpp"
#include "problems/time_spectral/point_solver.hpp"
#include "problems/time_spectral/point_task.hpp"

namespace gwrm {

// Of one march, or one estimate, in one place. All references outlive it.
class PointServer {
 public:
  PointServer(const Context& context, const Model& model, const SystemPlan& plan, const MarchSettings& settings,
              const std::vector<std::vector<double>>& points, const std::function<bool()>& interrupted);

  // On the CPU side by side, on a device one after the other. Nothing is thrown: an error is an answer.
  std::vector<PointAnswer> solve(const WindowTask& window, std::span<const PointTask* const> points);

 private:
  PointAnswer solve(const WindowTask& window, const PointTask& task);

  const Context& context_;
  const Context point_context_;
  const Model& model_;
  const SystemPlan& plan_;
  const MarchSettings settings_;
  const std::vector<std::vector<double>>& points_;
  const std::function<bool()>& interrupted_;
  std::vector<SolverMemory> memories_;  // per point
};

// A device of this process besides that of the run's context, with a thread of its own, on which everything happens
// that has to do with it.
class FurtherDevice {
 public:
  // The context is like that of the run; tensor: windows are solved by a DeviceSolver (time_spectral.cpp). DeviceError
  // where it cannot be opened.
  FurtherDevice(int number, const Context& of_run, bool tensor, double memory_limit);
  ~FurtherDevice();
  FurtherDevice(const FurtherDevice&) = delete;
  FurtherDevice& operator=(const FurtherDevice&) = delete;

  void begin(Worker::Job job);  // returns at once; what the job throws comes out of finish()
  void finish();

  const Context& context() const { return *context_; }
  const std::shared_ptr<DeviceSolver>& solver() const { return solver_; }
  DeviceUse use();  // of the solver

 private:
  std::optional<Context> context_;
  std::shared_ptr<DeviceSolver> solver_;
  Worker thread_;  // last: it uses the above
};

// The points of one march on the further devices of this process.
class FurtherServers {
 public:
  // Of a solver as above, but for context and device, which are those of each further device.
  FurtherServers(std::span<const std::unique_ptr<FurtherDevice>> devices, const Model& model, const SystemPlan& plan,
                 const MarchSettings& settings, const std::vector<std::vector<double>>& points,
                 const std::function<bool()>& interrupted);
  ~FurtherServers();
  FurtherServers(const FurtherServers&) = delete;
  FurtherServers& operator=(const FurtherServers&) = delete;

  std::size_t size() const { return servers_.size(); }

  // tasks: per device. The window stays where it is until finish().
  void begin(const WindowTask& window, std::vector<std::vector<const PointTask*>> tasks);
  std::vector<PointAnswer> finish();

 private:
  std::span<const std::unique_ptr<FurtherDevice>> devices_;
  std::vector<std::shared_ptr<PointServer>> servers_;  // per device
  std::vector<std::vector<PointAnswer>> answers_;      // likewise
};

}  // namespace gwrm
