// What came of a factorisation by Eigen's SparseLU, which takes memory as it fills in and says in words alone that
// there was none: where it fails at the beginning its info() is that of a success.
#pragma once

#include <new>
#include <string>

#include "kernels/linear_algebra/dense_lu.hpp"

namespace gwrm {

// std::bad_alloc for want of memory. `lu` has not failed before.
template <class SparseLu>
LuStatus sparse_lu_status(const SparseLu& lu) {
  if (lu.lastErrorMessage().find("MEMORY") != std::string::npos) throw std::bad_alloc();
  return lu.info() == 0 ? LuStatus::regular : LuStatus::singular;  // Eigen::Success
}

}  // namespace gwrm
