#include "kernels/sbp_sat/block_operator_device.cuh"
//
#include "kernels/sbp_sat/device_level_kernels.cuh"

namespace gwrm::cuda {
namespace {

class LevelTables {
 public:
  LevelTables(const DeviceHandles& handles, const BlockOperator& a) : tables_(handles, a, true) {
    for (const StencilBlock& block : a.blocks)
      grids_.push_back({static_cast<int>(block.n_slow), static_cast<int>(block.n_fast), block.offset});
  }

  long long size() const { return tables_.size(); }
  std::vector<PointGrid> grids() const { return grids_; }
  dim3 n_blocks() const { return dim3(tables_.n_blocks()); }
  int n_threads() const { return kBlockThreads; }

  template <class Call>
  void with_walk(Call call) const {
    tables_.with_walk(call);
  }

 private:
  DeviceBlockTables tables_;
  std::vector<PointGrid> grids_;
};

}  // namespace

std::unique_ptr<LevelOperator> make_level(const DeviceHandles& handles, const BlockOperator& a) {
  return std::make_unique<WalkedLevel<LevelTables>>(handles, a);
}

}  // namespace gwrm::cuda
