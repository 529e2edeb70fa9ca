// Values of atoms at the points of a window on the device: the trees of AtomValues, every step one matrix product for
// all points in time.
//
// Contract: src/weighted_residual/window/atom_values.hpp
//
// Where several ranks share the window (device_shares.cuh), x are the rank's columns and the values those of its
// planes: what is done along time and the first modal axis z comes first, in columns, and every such table goes to
// planes before the other axes.
#pragma once

#include "kernels/transform/device_tensor.cuh"
//
#include <memory>
#include <vector>

#include "kernels/device/device_pool.cuh"
#include "kernels/device/device_profile.cuh"
#include "kernels/device/device_team.cuh"
#include "weighted_residual/window/plane_trees.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm::cuda {

// What the parts of a window share on the device.
struct DeviceTools {
  explicit DeviceTools(DeviceHandles& device) : handles(device), profile(device) {}
  DeviceHandles& handles;
  DeviceProfile profile;
  DevicePool pool;
  DeviceTeam* team = nullptr;  // of the ranks that share the window; null: none
};

class DeviceShares;
class DeviceExchange;

class DeviceAtoms {
 public:
  // with_state: the initial state takes part in the time integrals. shares: null for one GPU.
  DeviceAtoms(DeviceTools& tools, DeviceMatrices& matrices, const AtomValues& atoms, const WindowSystem& system,
              bool with_state, const DeviceShares* shares = nullptr);
  ~DeviceAtoms();

  // x: the unknowns of the window, on the device. Results stay where they are until the next call.
  void evaluate(const double* x);
  const double* values(int atom) const { return places_[atom]; }
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
    Node space;  // of one GPU
  };
  struct Source {  // as PlaneSource
    std::size_t root = 0;
    DeviceBlockMatrix along_z;
    Index by_columns = 0, by_lines = 0;
    Node tree;
  };
  void share(const AtomValues& atoms, const WindowSystem& system, DeviceMatrices& matrices);
  const double* in_time(const Root& root, const double* x, double* target, DeviceArray& own);
  void evaluate_shared(const double* x);
  Node make(const AtomValues::Node& node, Shape shape, DeviceMatrices& matrices);
  Node make_in_planes(const PlaneNode& node, Shape shape, DeviceMatrices& matrices);
  void descend(const Node& node, const double* values);

  DeviceTools& tools_;
  std::size_t time_ = 0;
  std::vector<Root> roots_;
  std::vector<DeviceArray> outputs_;
  std::vector<const double*> places_;  // of the values: in outputs_, or among the lines of the exchange
  std::vector<Shape> shapes_;
  const DeviceShares* shares_ = nullptr;
  std::vector<Source> sources_;
  std::unique_ptr<DeviceExchange> exchange_;
  DeviceArray by_lines_;
};

}  // namespace gwrm::cuda
