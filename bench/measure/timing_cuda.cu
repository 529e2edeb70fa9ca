#include "core/device_handles.cuh"

#include <vector>

#include "bench/measure/timing.hpp"

namespace gwrm::cuda {
namespace {

constexpr double kShortWork = 1e-3;
constexpr int kRepeats = 20;  // of short work
constexpr int kMinRuns = 5, kMaxRuns = 51;
constexpr double kLongestTotal = 0.3;

class Event {
 public:
  Event() { GWRM_DEVICE(cudaEventCreate(&event_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { static_cast<void>(cudaEventDestroy(event_)); }
  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

class Graph {
 public:
  Graph(cudaStream_t stream, const std::function<void()>& call) {
    GWRM_DEVICE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < kRepeats; ++i) call();
    cudaGraph_t graph = nullptr;
    GWRM_DEVICE(cudaStreamEndCapture(stream, &graph));
    const cudaError_t status = cudaGraphInstantiate(&graph_, graph, 0);
    GWRM_DEVICE(cudaGraphDestroy(graph));
    check(status, "cudaGraphInstantiate");
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { static_cast<void>(cudaGraphExecDestroy(graph_)); }
  void launch(cudaStream_t stream) const { GWRM_DEVICE(cudaGraphLaunch(graph_, stream)); }

 private:
  cudaGraphExec_t graph_ = nullptr;
};

// Seconds between the events before and behind `work`, which is waited for.
double seconds_of(cudaStream_t stream, const Event& start, const Event& stop, const std::function<void()>& work) {
  GWRM_DEVICE(cudaEventRecord(start.get(), stream));
  work();
  GWRM_DEVICE(cudaEventRecord(stop.get(), stream));
  GWRM_DEVICE(cudaEventSynchronize(stop.get()));
  float milliseconds = 0.0F;
  GWRM_DEVICE(cudaEventElapsedTime(&milliseconds, start.get(), stop.get()));
  return 1e-3 * static_cast<double>(milliseconds);
}

Timing repeat(cudaStream_t stream, const std::function<void()>& work, int calls_of_work) {
  const Event start, stop;
  for (int i = 0; i < 2; ++i) seconds_of(stream, start, stop, work);
  std::vector<double> seconds;
  double total = 0.0;
  while (seconds.size() < kMinRuns || (total < kLongestTotal && seconds.size() < kMaxRuns)) {
    const double run = seconds_of(stream, start, stop, work);
    total += run;
    seconds.push_back(run / calls_of_work);
  }
  return summarised(std::move(seconds));
}

}  // namespace

Timing time_calls(const Context& context, const std::function<void()>& call) {
  const cudaStream_t stream = context.device()->stream;
  const Event start, stop;
  seconds_of(stream, start, stop, call);
  if (seconds_of(stream, start, stop, call) >= kShortWork) return repeat(stream, call, 1);
  const Graph graph(stream, call);
  return repeat(
      stream, [&] { graph.launch(stream); }, kRepeats);
}

Timing time_peer_calls(const std::function<void()>& call) {
  const Event start, stop;
  seconds_of(cudaStreamLegacy, start, stop, call);
  const int n_calls = seconds_of(cudaStreamLegacy, start, stop, call) >= kShortWork ? 1 : kRepeats;
  const auto calls = [&] {
    for (int i = 0; i < n_calls; ++i) call();
  };
  return repeat(cudaStreamLegacy, calls, n_calls);
}

}  // namespace gwrm::cuda
