// Values of atoms at the points of a window on the device: the trees of AtomValues, every step one matrix product for
// all points in time.
//
// Contract: src/weighted_residual/window/atom_values.hpp
#pragma once

#include "kernels/transform/device_tensor.cuh"
//
#include <memory>
#include <vector>

#include "kernels/device/device_pool.cuh"
#include "kernels/device/device_profile.cuh"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm::cuda {

// What the parts of a window share on the device.
struct DeviceTools {
  explicit DeviceTools(DeviceHandles& device) : handles(device), profile(device) {}
  DeviceHandles& handles;
  DeviceProfile profile;
  DevicePool pool;
};

class DeviceAtoms {
 public:
  // with_state: the initial state takes part in the time integrals.
  DeviceAtoms(DeviceTools& tools, DeviceMatrices& matrices, const AtomValues& atoms, const WindowSystem& system,
              bool with_state);

  // x: the unknowns of the window, on the device. Results stay where they are until the next call.
  void evaluate(const double* x);
  const double* values(int atom) const { return outputs_[atom].data(); }
  const Shape& shape(int atom) const { return shapes_[atom]; }

 private:
  struct Node {
    std::size_t axis = 0;
    DeviceBlockMatrix matrix;
    Shape shape;  // of its values
    int output = -1;
    std::vector<Node> children;
  };
  struct Root {
    Index offset = 0;  // of the field's unknowns
    Shape shape;       // of the field's unknowns
    DeviceBlockMatrix time;
    struct Share {
      const double* column = nullptr;  // per point in time
      Index n_times = 0;
      const double* state = nullptr;  // coefficients in space
      Index width = 0;
    };
    std::vector<Share> shares;
    Node space;
  };
  Node make(const AtomValues::Node& node, Shape shape, DeviceMatrices& matrices);
  void descend(const Node& node, const double* values);

  DeviceTools& tools_;
  std::size_t time_ = 0;
  std::vector<Root> roots_;
  std::vector<DeviceArray> outputs_;
  std::vector<Shape> shapes_;
};

}  // namespace gwrm::cuda
