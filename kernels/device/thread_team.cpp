#include "kernels/device/thread_team.hpp"

#include <omp.h>

namespace gwrm {

void in_team(int n, const std::function<void(const TeamMember&)>& work) {
#pragma omp parallel num_threads(n)
  work({omp_get_thread_num(), omp_get_num_threads()});
}

}  // namespace gwrm
