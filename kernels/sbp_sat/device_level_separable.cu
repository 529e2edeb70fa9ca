#include "core/device_handles.cuh"

#include "kernels/sbp_sat/device_level_kernels.cuh"
#include "kernels/sbp_sat/separable_operator_device.cuh"

namespace gwrm::cuda {
namespace {

template <int half, int rows>
struct SeparableWalk {
  DeviceSeparable a;

  struct Place {
    int j, i;
  };
  __device__ Place place_of(long long k) const {
    return {static_cast<int>(k / a.fast.n), static_cast<int>(k % a.fast.n)};
  }
  __device__ long long index(Place place) const { return a.place(place.j, place.i); }
  __device__ double inverse_diagonal(Place place) const { return a.inverse_diagonal(place.j, place.i); }

  template <class Read, class Load, class Finish>
  __device__ void walk(Read read, Load load, Finish finish) const {
    cuda::walk<half, rows>(
        a,
        [&](int j, int i) {
          return read(Place{j, i});
        },
        [&](int j, int i) {
          return load(Place{j, i});
        },
        [&](int j, int i, double value, double image, auto before) {
          finish(Place{j, i}, value, image, before);
        });
  }
};

class SeparableTables {
 public:
  SeparableTables(const DeviceHandles& handles, const SeparableOperator& a) : tables_(handles, a) {}

  long long size() const { return tables_.view().size(); }
  std::vector<PointGrid> grids() const { return {{tables_.view().slow.n, tables_.view().fast.n, 0}}; }
  dim3 n_blocks() const { return walk_grid(tables_.view()); }
  int n_threads() const { return kColumns; }

  template <class Call>
  void with_walk(Call call) const {
    with_schedule(tables_.view(), tables_.half(),
                  [&](auto half, auto rows) { call(SeparableWalk<half(), rows()>{tables_.view()}); });
  }

 private:
  DeviceSeparableTables tables_;
};

}  // namespace

std::unique_ptr<LevelOperator> make_level(const DeviceHandles& handles, const SeparableOperator& a) {
  return std::make_unique<WalkedLevel<SeparableTables>>(handles, a);
}

}  // namespace gwrm::cuda
