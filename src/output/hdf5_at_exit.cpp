#include "output/hdf5_at_exit.hpp"

#include <hdf5.h>

namespace gwrm {

void keep_hdf5_from_ending_the_process() {
  H5dont_atexit();
}

}  // namespace gwrm
