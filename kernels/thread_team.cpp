#include "kernels/thread_team.hpp"

#include <omp.h>

namespace gwrm {

void in_threads(int n, const std::function<void(int)>& work) {
#pragma omp parallel for schedule(static, 1) num_threads(n) if (n > 1)
  for (int i = 0; i < n; ++i) work(i);
}

int loop_threads() {
  return omp_get_max_threads();
}

}  // namespace gwrm
