#include "bench/measure/timing.hpp"

#include <algorithm>
#include <chrono>

#include "core/have_cuda.hpp"

namespace gwrm {

Timing summarised(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const std::size_t n = seconds.size();
  return {(seconds[(n - 1) / 2] + seconds[n / 2]) / 2.0, seconds.front(), static_cast<int>(n)};
}

Timing time_calls(const Context& context, const std::function<void()>& call) {
#if GWRM_HAVE_CUDA
  if (context.backend() == Backend::cuda) return cuda::time_calls(context, call);
#endif
  static_cast<void>(context);
  return cpu::time_calls(call);
}

namespace cpu {

Timing time_calls(const std::function<void()>& call) {
  // Short work is repeated until the clock's own cost vanishes; half a second in all, three runs at least.
  constexpr double shortest_run = 2e-4, longest_total = 0.5;
  constexpr std::size_t fewest_runs = 3, most_runs = 200;
  const auto run = [&](int n_calls) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < n_calls; ++i) call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / n_calls;
  };
  run(1);
  const double first = run(1);
  const int n_calls = std::max(1, static_cast<int>(shortest_run / std::max(first, 1e-9)));
  std::vector<double> seconds;
  for (double total = 0.0; seconds.size() < fewest_runs || (total < longest_total && seconds.size() < most_runs);) {
    seconds.push_back(run(n_calls));
    total += seconds.back() * n_calls;
  }
  return summarised(std::move(seconds));
}

}  // namespace cpu
}  // namespace gwrm
