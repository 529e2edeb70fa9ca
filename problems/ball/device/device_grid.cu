#define GWRM_BOTH_SIDES __host__ __device__  // for all headers
#include "problems/ball/device/device_grid.cuh"

#include <algorithm>

#include "core/errors.hpp"

#include "problems/ball/point_products.hpp"

namespace gwrm::cuda {
namespace {

using ball::PointVector;

constexpr int kThreads = 256;

__device__ PointVector vector_at(const double* components, long long n, long long place) {
  return {components[place], components[n + place], components[2 * n + place]};
}

// The product of the vector `left` with what stands at a point.
__device__ PointVector product(const DeviceGrid::List::Product& p, const PointVector& left, const double* right,
                               long long n, long long place) {
  const double* const from = right + p.right * n;
  return p.factor * (p.right_components == 1 ? from[place] * left : cross(left, vector_at(from, n, place)));
}

// n points of all nodes of the pass, components one after the other. `left`: of given vectors, on n / n_nodes points
// [angles][r]; of fields like `right`. both: left x right + right x left.
template <bool given, bool both>
__global__ void __launch_bounds__(kThreads)
    products_kernel(const DeviceGrid::List list, const double* __restrict__ left, const double* __restrict__ right,
                    long long n, int n_nodes, int n_radii, double* __restrict__ results) {
  const long long i = blockIdx.x * static_cast<long long>(kThreads) + threadIdx.x;
  if (i >= n) return;
  const long long of_given = i / (static_cast<long long>(n_nodes) * n_radii) * n_radii + i % n_radii;
  for (int target = 0; target < list.n_targets; ++target) {
    PointVector sum;
    for (int k = 0; k < list.n_products; ++k) {
      const DeviceGrid::List::Product& p = list.products[k];
      if (p.target != target) continue;
      const PointVector a =
          given ? vector_at(left + p.left * (n / n_nodes), n / n_nodes, of_given) : vector_at(left + p.left * n, n, i);
      sum = sum + product(p, a, right, n, i);
      if (both) sum = sum + product(p, vector_at(right + p.left * n, n, i), left, n, i);
    }
    double* const to = results + 3LL * target * n + i;
    to[0] = sum.r;
    to[n] = sum.theta;
    to[2 * n] = sum.phi;
  }
}

}  // namespace

void GridRoomSizes::enlarge(const ball::GridSizes& of_node, Index n_nodes) {
  const auto grow = [&](std::size_t& size, Index a, Index b) {
    size = std::max(size, static_cast<std::size_t>(std::max(a, b) * n_nodes));
  };
  grow(stage, of_node.stage(), 0);
  grow(rows, of_node.rows(), of_node.results());
  grow(values, of_node.values(), of_node.rows());
}

DeviceGrid::DeviceGrid(DeviceTools& tools, DeviceMatrices& matrices, const ball::BallSpace& space, double radius,
                       const ball::GridProducts& products, Index n_together)
    : tools_(tools),
      products_(products),
      tables_(space, radius, products_),
      n_nodes_(space.degrees().t),
      n_together_(std::min(n_together, n_nodes_)),
      n_unknowns_(space.unknowns().size()),
      of_given_(products.products.front().from == ball::GridProduct::Left::given) {
  if (products.products.size() > kMaxGridProducts) throw ShapeError("too many products of fields for the device");
  std::vector<int> first;  // component of a field
  int n_components = 0;
  for (const ball::GridField& field : products.fields) {
    first.push_back(n_components);
    n_components += field.n_components();
  }
  for (const ball::GridProduct& p : products.products)
    list_.products[list_.n_products++] = {of_given_ ? 3 * static_cast<int>(p.left) : first[p.left], first[p.right],
                                          products.fields[p.right].n_components(), static_cast<int>(p.target),
                                          p.factor};
  list_.n_targets = static_cast<int>(products.targets.size());
  std::vector<double> given;
  for (const ball::Components& vector : products.given)
    for (const std::vector<double>& component : vector) given.insert(given.end(), component.begin(), component.end());
  numbers_ = matrices.add(tables_.numbers().data(), tables_.numbers().size());
  if (!given.empty()) given_ = matrices.add(given.data(), given.size());
  for (const Index n : {n_together_, n_nodes_ % n_together_})
    if (n > 0) passes_.push_back({n, make(tables_.to_points(n), matrices), make(tables_.from_points(n), matrices)});
}

DeviceGrid::Transforms DeviceGrid::make(const ball::GridTables::Lists& lists, DeviceMatrices& matrices) const {
  return {{lists.radius, matrices}, {lists.polar, matrices}, {lists.azimuth, matrices}};
}

template <class Visit>
void DeviceGrid::in_passes(const Visit& visit) const {
  for (Index first = 0; first < n_nodes_; first += n_together_)
    visit(pass_of(std::min(n_together_, n_nodes_ - first)), first);
}

void DeviceGrid::to_points(const Pass& pass, const GridRoom& room, const double* x, double* values) const {
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::transforms);
  pass.to_points.radius.apply(tools_.handles, x, numbers_, false, room.stage.data());
  pass.to_points.polar.apply(tools_.handles, numbers_, room.stage.data(), false, room.rows.data());
  pass.to_points.azimuth.apply(tools_.handles, numbers_, room.rows.data(), false, values);
}

void DeviceGrid::test(const Pass& pass, const GridRoom& room, What what, const double* at, double* rates) const {
  const long long n = tables_.sizes().n_points() * pass.n_nodes;
  const auto n_blocks = static_cast<unsigned>((n + kThreads - 1) / kThreads);
  const auto launch = [&](auto kernel, const double* left, const double* right) {
    kernel<<<n_blocks, kThreads, 0, tools_.handles.stream>>>(list_, left, right, n, static_cast<int>(pass.n_nodes),
                                                             static_cast<int>(tables_.sizes().n_radii),
                                                             room.rows.data());
    GWRM_LAUNCHED(products_kernel);
  };
  {
    const DeviceProfile::Scope scope(tools_.profile, DevicePart::pointwise);
    if (what == What::of_given)
      launch(products_kernel<true, false>, given_, room.values.data());
    else if (what == What::square)
      launch(products_kernel<false, false>, room.values.data(), room.values.data());
    else
      launch(products_kernel<false, true>, at, room.values.data());
  }
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::transforms);
  pass.from_points.azimuth.apply(tools_.handles, numbers_, room.rows.data(), false, room.values.data());
  pass.from_points.polar.apply(tools_.handles, numbers_, room.values.data(), false, room.stage.data());
  pass.from_points.radius.apply(tools_.handles, room.stage.data(), numbers_, true, rates);
}

void DeviceGrid::add_products(const GridRoom& room, const double* x, double* rates) {
  in_passes([&](const Pass& pass, Index first) {
    to_points(pass, room, x + first * n_unknowns_, room.values.data());
    test(pass, room, of_given_ ? What::of_given : What::square, nullptr, rates + first * n_unknowns_);
  });
}

void DeviceGrid::linearise(const GridRoom& room, const double* x) {
  if (of_given_) return;
  if (at_.empty()) at_ = tools_.pool.take(static_cast<std::size_t>(tables_.sizes().values() * n_nodes_));
  in_passes([&](const Pass& pass, Index first) {
    to_points(pass, room, x + first * n_unknowns_, at_.data() + first * tables_.sizes().values());
  });
}

void DeviceGrid::add_derivative(const GridRoom& room, const double* v, double* rates) {
  if (of_given_) return add_products(room, v, rates);
  in_passes([&](const Pass& pass, Index first) {
    to_points(pass, room, v + first * n_unknowns_, room.values.data());
    test(pass, room, What::derivative, at_.data() + first * tables_.sizes().values(), rates + first * n_unknowns_);
  });
}

}  // namespace gwrm::cuda
