// What LAPACKE's own functions return where there is no memory for their work.
#pragma once

#include <lapacke.h>

#include <new>

namespace gwrm {

// std::bad_alloc for want of memory, or the number as it is: 0, or what LAPACK has to tell.
inline lapack_int with_memory(lapack_int info) {
  if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR) throw std::bad_alloc();
  return info;
}

}  // namespace gwrm
