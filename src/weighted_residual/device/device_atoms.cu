#include "weighted_residual/device/device_atoms.cuh"

#include <algorithm>

#include "kernels/linear_algebra/device_vectors.cuh"
#include "weighted_residual/device/device_shares.cuh"

namespace gwrm::cuda {

DeviceAtoms::DeviceAtoms(DeviceTools& tools, DeviceMatrices& matrices, const AtomValues& atoms,
                         const WindowSystem& system, bool with_state, const DeviceShares* shares)
    : tools_(tools),
      time_(at(std::max(0, system.model().time_axis()))),
      outputs_(at(atoms.size())),
      places_(at(atoms.size()), nullptr),
      shapes_(at(atoms.size())),
      shares_(shares) {
  const int time = system.model().time_axis();
  for (const auto& source : atoms.roots()) {
    Root root;
    root.offset = system.layouts()[source->field].offset;
    root.shape = system.layouts()[source->field].extents;
    if (shares != nullptr) {
      const DeviceShares::Part& part = shares->unknowns()[at(source->field)];
      root.offset = part.offset;
      root.shape = {root.shape.front(), root.shape[shares->z()], part.own_columns};
    }
    Shape shape = root.shape;
    root.time.identity = true;
    if (time >= 0 && system.model().fields[source->field].depends_on(time)) {
      root.time = DeviceBlockMatrix(source->time, matrices);
      shape[time] = source->time.rows;
      if (with_state)
        for (const auto& [m, column] : source->state) {
          const Array& state = system.state()[source->field][m];
          std::vector<double> own;
          if (shares != nullptr) own = shares->own_columns(at(source->field), state);
          const double* data = shares != nullptr ? own.data() : state.data.data();
          const std::size_t width = shares != nullptr ? own.size() : state.data.size();
          root.shares.push_back({matrices.add(column.data(), static_cast<std::size_t>(column.size())), column.rows(),
                                 matrices.add(data, width), static_cast<Index>(width)});
        }
    }
    if (shares == nullptr)
      root.space = make(source->space, shape, matrices);
    else
      root.space.shape = shape;
    roots_.push_back(std::move(root));
  }
  if (shares != nullptr) share(atoms, system, matrices);
}

DeviceAtoms::~DeviceAtoms() = default;

void DeviceAtoms::share(const AtomValues& atoms, const WindowSystem& system, DeviceMatrices& matrices) {
  const PlaneTrees trees = plane_trees(
      atoms, shares_->z(), {std::vector<bool>(at(atoms.size()), true), std::vector<bool>(at(atoms.size()), false)});
  std::vector<SharedTable> tables;
  for (const PlaneSource& from : trees.sources) {
    const auto field = at(atoms.roots()[from.root]->field);
    Source& source = sources_.emplace_back();
    source.root = from.root;
    source.along_z = DeviceBlockMatrix(from.along_z->matrix, matrices);
    source.tree =
        make_in_planes(from.tree, shares_->in_planes(system.layouts()[field].extents, from.at_edge()), matrices);
    tables.push_back(shares_->table(from.at_edge(), shares_->unknowns()[field].columns));
  }
  exchange_ = std::make_unique<DeviceExchange>(tools_, shares_->team(), std::move(tables));
  by_lines_ = tools_.pool.take(std::max<std::size_t>(1, exchange_->n_by_lines()));
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    sources_[s].by_columns = exchange_->by_columns_before(s);
    sources_[s].by_lines = exchange_->by_lines_before(s);
    for (const int output : trees.sources[s].tree.outputs)
      places_[at(output)] = by_lines_.data() + sources_[s].by_lines;
  }
}

// shape: that of the node's values. Those of a root lie among the lines of the exchange. Atoms with the same values
// have one place.
DeviceAtoms::Node DeviceAtoms::make_in_planes(const PlaneNode& source, Shape shape, DeviceMatrices& matrices) {
  Node node;
  node.shape = std::move(shape);
  if (source.operation != nullptr) {
    node.axis = source.operation->axis;
    node.matrix = DeviceBlockMatrix(source.operation->matrix, matrices);
  }
  for (const int output : source.outputs) {
    shapes_[at(output)] = node.shape;
    if (source.operation == nullptr) continue;
    if (node.output < 0) {
      node.output = output;
      outputs_[at(output)] =
          tools_.pool.take(std::max<std::size_t>(1, static_cast<std::size_t>(element_count(node.shape))));
    }
    places_[at(output)] = outputs_[at(node.output)].data();
  }
  for (const PlaneNode& child : source.children) {
    Shape next = node.shape;
    next[child.operation->axis] = child.operation->matrix.rows;
    node.children.push_back(make_in_planes(child, std::move(next), matrices));
  }
  return node;
}

// shape: that of the node's values.
DeviceAtoms::Node DeviceAtoms::make(const AtomValues::Node& source, Shape shape, DeviceMatrices& matrices) {
  Node node;
  node.shape = std::move(shape);
  node.output = source.output;
  if (node.output >= 0) {
    shapes_[node.output] = node.shape;
    outputs_[node.output] = tools_.pool.take(static_cast<std::size_t>(element_count(node.shape)));
    places_[node.output] = outputs_[node.output].data();
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

// The field of a root at the points in time, in `target`, or where it is already; null: in `own`, where that is needed.
const double* DeviceAtoms::in_time(const Root& root, const double* x, double* target, DeviceArray& own) {
  const double* values = x + root.offset;
  const auto size = static_cast<std::size_t>(element_count(root.space.shape));
  if (target == nullptr && (!root.time.identity || !root.shares.empty())) {
    own = tools_.pool.take(size);
    target = own.data();
  }
  if (target == nullptr) return values;
  if (root.time.identity)
    GWRM_DEVICE(
        cudaMemcpyAsync(target, values, size * sizeof(double), cudaMemcpyDeviceToDevice, tools_.handles.stream));
  else
    root.time.apply(tools_.handles, root.shape, time_, 1.0, values, target);
  for (const Root::Share& share : root.shares)
    add_outer(tools_.handles, share.column, static_cast<std::size_t>(share.n_times), share.state,
              static_cast<std::size_t>(share.width), target);
  return target;
}

void DeviceAtoms::evaluate(const double* x) {
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::transforms);
  if (shares_ != nullptr) return evaluate_shared(x);
  for (const Root& root : roots_) {
    DeviceArray own;
    const int output = root.space.output;
    descend(root.space, in_time(root, x, output >= 0 ? outputs_[output].data() : nullptr, own));
  }
}

void DeviceAtoms::evaluate_shared(const double* x) {
  {
    const DeviceArray by_columns = tools_.pool.take(std::max<std::size_t>(1, exchange_->n_by_columns()));
    for (std::size_t r = 0; r < roots_.size(); ++r) {
      DeviceArray own;
      const Root& root = roots_[r];
      const double* values = in_time(root, x, nullptr, own);
      for (const Source& source : sources_) {
        if (source.root != r) continue;
        double* target = by_columns.data() + source.by_columns;
        if (source.along_z.identity)
          GWRM_DEVICE(cudaMemcpyAsync(target, values,
                                      static_cast<std::size_t>(element_count(root.space.shape)) * sizeof(double),
                                      cudaMemcpyDeviceToDevice, tools_.handles.stream));
        else
          source.along_z.apply(tools_.handles, root.space.shape, 1, 1.0, values, target);
      }
    }
    exchange_->to_lines(by_columns.data(), by_lines_.data());
  }
  for (const Source& source : sources_) descend(source.tree, by_lines_.data() + source.by_lines);
}

}  // namespace gwrm::cuda
