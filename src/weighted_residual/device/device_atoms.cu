#include "weighted_residual/device/device_atoms.cuh"

#include "kernels/linear_algebra/device_vectors.cuh"

namespace gwrm::cuda {

DeviceAtoms::DeviceAtoms(DeviceTools& tools, DeviceMatrices& matrices, const AtomValues& atoms,
                         const WindowSystem& system, bool with_state)
    : tools_(tools),
      time_(at(std::max(0, system.model().time_axis()))),
      outputs_(at(atoms.size())),
      shapes_(at(atoms.size())) {
  const int time = system.model().time_axis();
  for (const auto& source : atoms.roots()) {
    Root root;
    root.offset = system.layouts()[source->field].offset;
    root.shape = system.layouts()[source->field].extents;
    Shape shape = root.shape;
    root.time.identity = true;
    if (time >= 0 && system.model().fields[source->field].depends_on(time)) {
      root.time = DeviceBlockMatrix(source->time, matrices);
      shape[time] = source->time.rows;
      if (with_state)
        for (const auto& [m, column] : source->state) {
          const Array& state = system.state()[source->field][m];
          root.shares.push_back({matrices.add(column.data(), static_cast<std::size_t>(column.size())), column.rows(),
                                 matrices.add(state.data.data(), state.data.size()), state.size()});
        }
    }
    root.space = make(source->space, shape, matrices);
    roots_.push_back(std::move(root));
  }
}

// shape: that of the node's values.
DeviceAtoms::Node DeviceAtoms::make(const AtomValues::Node& source, Shape shape, DeviceMatrices& matrices) {
  Node node;
  node.shape = std::move(shape);
  node.output = source.output;
  if (node.output >= 0) {
    shapes_[node.output] = node.shape;
    outputs_[node.output] = tools_.pool.take(static_cast<std::size_t>(element_count(node.shape)));
  }
  for (const auto& child : source.children) {
    Shape next = node.shape;
    next[child->axis] = child->matrix.rows;
    Node made = make(*child, std::move(next), matrices);
    made.axis = child->axis;
    made.matrix = DeviceBlockMatrix(child->matrix, matrices);
    node.children.push_back(std::move(made));
  }
  return node;
}

void DeviceAtoms::descend(const Node& node, const double* values) {
  for (const Node& child : node.children) {
    DeviceArray own;
    const double* result = values;
    if (child.output >= 0 || !child.matrix.identity) {
      double* target = child.output >= 0 ? outputs_[child.output].data() : nullptr;
      const auto size = static_cast<std::size_t>(element_count(child.shape));
      if (target == nullptr) {
        own = tools_.pool.take(size);
        target = own.data();
      }
      if (child.matrix.identity)
        GWRM_DEVICE(
            cudaMemcpyAsync(target, values, size * sizeof(double), cudaMemcpyDeviceToDevice, tools_.handles.stream));
      else
        child.matrix.apply(tools_.handles, node.shape, child.axis, 1.0, values, target);
      result = target;
    }
    descend(child, result);
  }
}

void DeviceAtoms::evaluate(const double* x) {
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::transforms);
  for (const Root& root : roots_) {
    const double* values = x + root.offset;
    const auto size = static_cast<std::size_t>(element_count(root.space.shape));
    DeviceArray own;
    double* target = nullptr;
    if (root.space.output >= 0) {
      target = outputs_[root.space.output].data();
    } else if (!root.time.identity || !root.shares.empty()) {
      own = tools_.pool.take(size);
      target = own.data();
    }
    if (target != nullptr) {
      if (root.time.identity)
        GWRM_DEVICE(
            cudaMemcpyAsync(target, values, size * sizeof(double), cudaMemcpyDeviceToDevice, tools_.handles.stream));
      else
        root.time.apply(tools_.handles, root.shape, time_, 1.0, values, target);
      for (const Root::Share& share : root.shares)
        add_outer(tools_.handles, share.column, static_cast<std::size_t>(share.n_times), share.state,
                  static_cast<std::size_t>(share.width), target);
      values = target;
    }
    descend(root.space, values);
  }
}

}  // namespace gwrm::cuda
