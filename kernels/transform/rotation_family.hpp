// The families of kernels/transform/rotation_chain.hpp; in a file of its own for code that is compiled at run time.
#pragma once

namespace gwrm {

enum class RotationFamily { jones_worland, energy, legendre };

}  // namespace gwrm
