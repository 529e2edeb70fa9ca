// The operator on several blocks of points, its coefficients and stored rows in device memory.
//
// Contract: kernels/sbp_sat/block_operator.hpp
#pragma once

#include "core/device_handles.cuh"
#include "kernels/sbp_sat/block_operator.hpp"
#include "kernels/sbp_sat/block_walk.cuh"

namespace gwrm::cuda {

class DeviceBlockTables {
 public:
  // with_scale: the inverse of the diagonal as well.
  DeviceBlockTables(const DeviceHandles& handles, const BlockOperator& a, bool with_scale);
  const DeviceBlocks& view() const { return view_; }
  unsigned n_blocks() const { return n_blocks_; }  // of threads: kBlockThreads each
  long long size() const { return view_.n; }

  // Calls call(walk) with the BlockWalk of this operator.
  template <class Call>
  void with_walk(Call call) const {
    if (half_ == 1) cross_ ? call(BlockWalk<1, true>{view_}) : call(BlockWalk<1, false>{view_});
    if (half_ == 2) cross_ ? call(BlockWalk<2, true>{view_}) : call(BlockWalk<2, false>{view_});
    if (half_ == 3) cross_ ? call(BlockWalk<3, true>{view_}) : call(BlockWalk<3, false>{view_});
  }

 private:
  void send_coefficients(const DeviceHandles& handles, const BlockOperator& a);
  void send_stored_rows(const DeviceHandles& handles, const BlockOperator& a);

  DeviceBuffer coefficients_, views_, tiles_, rows_, starts_, columns_, values_, scale_;
  DeviceBlocks view_ = {};
  int half_ = 0;
  bool cross_ = false;
  unsigned n_blocks_ = 0;
};

// q = A u of vectors on the device; a part of p.A p for every block of threads to `partial` with `state`
// (kernels/sbp_sat/device_cg.cuh), which may both be null.
struct CgState;
void apply_on_device(const DeviceHandles& handles, const DeviceBlockTables& a, const double* u, double* q,
                     double* partial, const CgState* state);

}  // namespace gwrm::cuda
