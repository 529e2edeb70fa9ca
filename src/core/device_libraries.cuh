// cuBLAS and cuSOLVER, whose handles a Context holds: for the files that call them. All others do with
// core/device_handles.cuh, as these headers take longer to compile than most kernels.
//
// Include this file first in a .cu (core/device_handles.cuh says why).
#pragma once

#include "core/device_handles.cuh"
//
#include <cublas_v2.h>
#include <cusolverDn.h>

namespace gwrm::cuda {

// DeviceError "CALL: MESSAGE" unless the status is success.
void check(cublasStatus_t status, const char* call);
void check(cusolverStatus_t status, const char* call);

}  // namespace gwrm::cuda
