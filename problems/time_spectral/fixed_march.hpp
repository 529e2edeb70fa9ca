// Windows as the case gives them; one in which Newton fails is halved. A steady problem is a single one.
#pragma once

#include <vector>

#include "problems/time_spectral/window_march.hpp"

namespace gwrm {

class FixedMarch : public WindowMarch {
 public:
  using WindowMarch::WindowMarch;

 private:
  void advance(double next_step) override;
  // The ends of the windows behind now_, the next last. Where now_ is the end of a half, the other halves come too.
  std::vector<double> ends_to_come() const;
};

}  // namespace gwrm
