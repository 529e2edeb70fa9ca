// The link between the devices of the ranks, as a shared window uses it: an all-to-all of equal parts against their
// size, each received number checked, and the time of the sum of one number over the ranks. Under mpirun, a device a
// rank.
//
//     mpirun -n 2 link_bench
#include "kernels/device/device_team.cuh"
//
#include <algorithm>
#include <cstdio>
#include <vector>

#include "core/context.hpp"
#include "core/devices.hpp"
#include "core/errors.hpp"
#include "core/team.hpp"

namespace gwrm::cuda {
namespace {

constexpr int kTurns = 9;

__global__ void fill_kernel(double* numbers, std::size_t count, double first) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += gridDim.x * std::size_t{blockDim.x})
    numbers[i] = first + static_cast<double>(i % 1000003);
}

__global__ void compare_kernel(const double* numbers, std::size_t count, double first, unsigned long long* n_wrong) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += gridDim.x * std::size_t{blockDim.x})
    if (numbers[i] != first + static_cast<double>(i % 1000003)) atomicAdd(n_wrong, 1ull);
}

// What `from` sends to `to`.
double first_number(int from, int to) {
  return 1e7 * (1 + from) + 1e9 * (1 + to);
}

class Bench {
 public:
  Bench(const DeviceHandles& handles, DeviceTeam& team) : handles_(handles), team_(team) {
    GWRM_DEVICE(cudaEventCreate(&begin_));
    GWRM_DEVICE(cudaEventCreate(&end_));
  }

  // Median of the seconds of a call on the stream, all ranks having begun together.
  template <class Body>
  double seconds(const Body& body) {
    std::vector<double> all;
    double* const meeting = meeting_.reserve<double>(1);
    for (int turn = -1; turn < kTurns; ++turn) {
      GWRM_DEVICE(cudaMemsetAsync(meeting, 0, sizeof(double), handles_.stream));
      sum(meeting, 1);
      GWRM_DEVICE(cudaEventRecord(begin_, handles_.stream));
      body();
      GWRM_DEVICE(cudaEventRecord(end_, handles_.stream));
      team_.wait();
      float milliseconds = 0.0f;
      GWRM_DEVICE(cudaEventElapsedTime(&milliseconds, begin_, end_));
      if (turn >= 0) all.push_back(1e-3 * milliseconds);
    }
    std::sort(all.begin(), all.end());
    return all[kTurns / 2];
  }

  // n numbers to every other rank; true if all arrived.
  bool all_to_all(std::size_t n) {
    const auto others = static_cast<std::size_t>(team_.size() - 1);
    double* const sent = sent_.reserve<double>(n * others);
    double* const received = received_.reserve<double>(n * others);
    auto* const n_wrong = wrong_.reserve<unsigned long long>(1);
    std::vector<DeviceTeam::Message> to, from;
    for (int other = 0; other < team_.size(); ++other) {
      if (other == team_.rank()) continue;
      to.push_back({sent + to.size() * n, n, other});
      from.push_back({received + from.size() * n, n, other});
      fill_kernel<<<1024, 256, 0, handles_.stream>>>(sent + (to.size() - 1) * n, n, first_number(team_.rank(), other));
      GWRM_LAUNCHED(fill_kernel);
    }
    GWRM_DEVICE(cudaMemsetAsync(received, 0xff, n * others * sizeof(double), handles_.stream));
    GWRM_DEVICE(cudaMemsetAsync(n_wrong, 0, sizeof(unsigned long long), handles_.stream));
    const double time = seconds([&] { team_.exchange(to, from); });
    for (const DeviceTeam::Message& one : from) {
      compare_kernel<<<1024, 256, 0, handles_.stream>>>(one.data, n, first_number(one.other, team_.rank()), n_wrong);
      GWRM_LAUNCHED(compare_kernel);
    }
    unsigned long long wrong = 0;
    handles_.download(&wrong, n_wrong, 1);
    const double bytes = static_cast<double>(n * others * sizeof(double));
    if (team_.rank() == 0)
      std::printf("all-to-all %10.3f MB a rank  %9.1f us  %6.1f GB/s a direction  %s\n", 1e-6 * bytes, 1e6 * time,
                  1e-9 * bytes / time, wrong == 0 ? "right" : "WRONG");
    return wrong == 0;
  }

  bool sums(std::size_t count) {
    double* const numbers = sent_.reserve<double>(count);
    const std::vector<double> own(count, 1.0 + team_.rank());
    GWRM_DEVICE(cudaMemsetAsync(numbers, 0, count * sizeof(double), handles_.stream));
    const double of_sum = seconds([&] { sum(numbers, count); });
    handles_.upload(numbers, own.data(), count);
    sum(numbers, count);
    std::vector<double> result(count);
    handles_.download(result.data(), numbers, count);
    const double wanted = 0.5 * team_.size() * (team_.size() + 1);
    const bool right = result == std::vector<double>(count, wanted);
    if (team_.rank() == 0)
      std::printf("sum over ranks of %4zu numbers  %9.1f us  %s\n", count, 1e6 * of_sum, right ? "right" : "WRONG");
    return right;
  }

 private:
  void sum(double* numbers, std::size_t count) {
    const DeviceTeam::Values own{numbers, count};
    team_.add_up({&own, 1});
  }

  const DeviceHandles& handles_;
  DeviceTeam& team_;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  DeviceBuffer sent_, received_, wrong_, meeting_;
};

int measure() {
  const std::unique_ptr<Team> team = Team::of_launcher();
  const std::unique_ptr<Communicator> ranks = team->communicator();
  if (team->size() < 2) throw CaseError("the link is between ranks: mpirun -n 2 link_bench");
  use_device(team->local_rank());
  const Context context = Context::create(BackendChoice::cuda, 1);
  DeviceTeam devices(*ranks, *context.device());
  Bench bench(*context.device(), devices);
  bool right = true;
  for (const std::size_t count : {std::size_t{1}, std::size_t{80}}) right &= bench.sums(count);
  for (std::size_t n = 1024; n <= std::size_t{128} << 20; n *= 4) right &= bench.all_to_all(n);
  return ranks->agree(right ? 0 : 1);
}

}  // namespace
}  // namespace gwrm::cuda

int main() {
  try {
    return gwrm::cuda::measure();
  } catch (const gwrm::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.status());
  }
}
