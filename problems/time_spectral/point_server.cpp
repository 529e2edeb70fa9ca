#include "problems/time_spectral/point_server.hpp"

#include <utility>

#include "core/devices.hpp"

namespace gwrm {

PointServer::PointServer(const Context& context, const Model& model, const SystemPlan& plan,
                         const MarchSettings& settings, const std::vector<std::vector<double>>& points,
                         const std::function<bool()>& interrupted)
    : context_(context),
      point_context_(context.single_threaded()),
      model_(model),
      plan_(plan),
      settings_(settings),
      points_(points),
      interrupted_(interrupted),
      memories_(solver_memories(settings, points.size())) {}

PointAnswer PointServer::solve(const WindowTask& window, const PointTask& task) {
  PointAnswer answer{task.point, {}, {}, {}};
  try {
    Window own(point_context_, model_, plan_, window.subdomains, points_.at(task.point), window.start, window.end,
               task.state);
    own.change_x() = task.x;
    answer.newton = solve_window(own, window.method, settings_.newton, memories_[task.point], interrupted_);
    answer.x = std::move(own.change_x());
  } catch (...) {
    answer.error = std::current_exception();
  }
  return answer;
}

std::vector<PointAnswer> PointServer::solve(const WindowTask& window, std::span<const PointTask* const> points) {
  std::vector<PointAnswer> answers(points.size());
  const bool parallel = points.size() > 1 && context_.backend() == Backend::cpu && settings_.device == nullptr;
  if (parallel) {
#pragma omp parallel for schedule(dynamic) num_threads(context_.n_threads())
    for (std::size_t i = 0; i < points.size(); ++i) answers[i] = solve(window, *points[i]);
  } else {
    for (std::size_t i = 0; i < points.size(); ++i) answers[i] = solve(window, *points[i]);
  }
  return answers;
}

FurtherDevice::FurtherDevice(int number, const Context& of_run, bool tensor, double memory_limit) : thread_(1, 1) {
  begin([=, this, required = of_run.device_required()] {
    use_device(number);
    const Context own = Context::create(required ? BackendChoice::cuda : BackendChoice::automatic, 1);
    if (tensor) solver_ = make_device_solver(own, memory_limit);
    context_ = tensor ? own.without_device() : own;
  });
  finish();
}

FurtherDevice::~FurtherDevice() {
  try {
    begin([this] {
      solver_.reset();
      context_.reset();
    });
    finish();
  } catch (...) {  // of a job before, and told there
  }
}

DeviceUse FurtherDevice::use() {
  DeviceUse found;
  begin([&] { found = solver_->use(); });
  finish();
  return found;
}

void FurtherDevice::begin(Worker::Job job) {
  thread_.add(std::move(job));
}

void FurtherDevice::finish() {
  thread_.finish([] {});
}

FurtherServers::FurtherServers(std::span<const std::unique_ptr<FurtherDevice>> devices, const Model& model,
                               const SystemPlan& plan, const MarchSettings& settings,
                               const std::vector<std::vector<double>>& points, const std::function<bool()>& interrupted)
    : devices_(devices), answers_(devices.size()) {
  for (const auto& device : devices_) {
    MarchSettings own = settings;
    own.device = device->solver();
    servers_.push_back(std::make_shared<PointServer>(device->context(), model, plan, own, points, interrupted));
  }
}

// What the servers keep is on their devices.
FurtherServers::~FurtherServers() {
  for (std::size_t d = 0; d < devices_.size(); ++d) {
    try {
      devices_[d]->begin([server = std::move(servers_[d])]() mutable { server.reset(); });
      devices_[d]->finish();
    } catch (...) {  // of a job before, and told there
    }
  }
}

void FurtherServers::begin(const WindowTask& window, std::vector<std::vector<const PointTask*>> tasks) {
  for (std::size_t d = 0; d < devices_.size(); ++d)
    devices_[d]->begin(
        [this, d, &window, own = std::move(tasks[d])] { answers_[d] = servers_[d]->solve(window, own); });
}

std::vector<PointAnswer> FurtherServers::finish() {
  std::vector<PointAnswer> all;
  for (std::size_t d = 0; d < devices_.size(); ++d) {
    devices_[d]->finish();
    for (PointAnswer& answer : answers_[d]) all.push_back(std::move(answer));
    answers_[d].clear();
  }
  return all;
}

}  // namespace gwrm
