#include "weighted_residual/device/device_wavenumber_solver.cuh"

#include <algorithm>

#include "core/errors.hpp"

namespace gwrm::cuda {
namespace {

constexpr int kThreads = 128;
constexpr unsigned kLookBlocks = 1056;  // blocks that look for singular ones

template <int F, int D>
__global__ void __launch_bounds__(kThreads) solve_cells_kernel(const __grid_constant__ WavenumberBlocks b) {
  const long long cell = blockIdx.x * static_cast<long long>(kThreads) + threadIdx.x;
  if (cell < cells_of(b)) solve_cell<F, D>(b, static_cast<int>(blockIdx.y), cell);
}

// singular[block] = 1 or 0.
template <int F, int D>
__global__ void __launch_bounds__(kThreads)
    look_at_cells_kernel(const __grid_constant__ WavenumberBlocks b, double* singular) {
  const long long n_cells = cells_of(b), n = n_cells * b.n_modes;
  bool regular = true;
  for (long long i = blockIdx.x * static_cast<long long>(kThreads) + threadIdx.x; i < n;
       i += static_cast<long long>(gridDim.x) * kThreads)
    regular = is_regular_cell<F, D>(b, static_cast<int>(i / n_cells), i % n_cells) && regular;
  const int any = __syncthreads_or(regular ? 0 : 1);
  if (threadIdx.x == 0) singular[blockIdx.x] = any;
}

// Calls body with the numbers of fields and of odd axes as constants; fields between are filled up with units.
template <int F, class Body>
void with_odd_axes(int n_odd, const Body& body) {
  switch (n_odd) {
    case 0:
      return body(std::integral_constant<int, F>(), std::integral_constant<int, 0>());
    case 1:
      return body(std::integral_constant<int, F>(), std::integral_constant<int, 1>());
    case 2:
      return body(std::integral_constant<int, F>(), std::integral_constant<int, 2>());
    default:
      return body(std::integral_constant<int, F>(), std::integral_constant<int, 3>());
  }
}

template <class Body>
void with_sizes(int n_fields, int n_odd, const Body& body) {
  if (n_fields <= 1) return with_odd_axes<1>(n_odd, body);
  if (n_fields == 2) return with_odd_axes<2>(n_odd, body);
  if (n_fields == 3) return with_odd_axes<3>(n_odd, body);
  if (n_fields == 4) return with_odd_axes<4>(n_odd, body);
  return with_odd_axes<kMaxWavenumberFields>(n_odd, body);
}

// n numbers for each time mode, in `array`.
WavenumberNumber* numbers(const DeviceArray& array) {
  return reinterpret_cast<WavenumberNumber*>(array.data());
}

}  // namespace

DeviceWavenumberSolver::DeviceWavenumberSolver(DeviceTools& tools, const WindowSystem& system,
                                               const WavenumberOperators& operators, const WavenumberTables& tables,
                                               const TimeModes* modes)
    : tools_(tools),
      matrices_(tools.profile, tools.pool),
      modes_(mode_matrices(modes)),
      blocks_(wavenumber_blocks(operators)) {
  blocks_.n_modes = modes_.n_modes;
  blocks_.n_terms = static_cast<int>(tables.powers.size());
  const SpatialLayout layout(system);
  for (std::size_t i = 0; i < system.rows().size(); ++i) {
    const RowBlock& row = system.rows()[i];
    if (row.kind == RowBlock::Kind::mean) continue;  // over the rows of an equation
    const Index width = element_count(row.extents) / layout.n_times;
    blocks_.rows[rows_.size()].mode_stride = width;
    rows_.push_back({modes_.n_nodes * layout.rows[i], width});
  }
  for (std::size_t f = 0; f < system.layouts().size(); ++f) {
    const Index width = element_count(system.layouts()[f].extents) / layout.n_times;
    blocks_.fields[fields_.size()].mode_stride = width;
    fields_.push_back({modes_.n_nodes * layout.fields[f], width});
  }
  blocks_.begins = matrices_.add(tables.begins.data(), tables.begins.size());
  blocks_.powers = matrices_.add(tables.powers.data(), tables.powers.size());
  blocks_.factors =
      reinterpret_cast<const WavenumberNumber*>(matrices_.add(tables.factors.data(), tables.factors.size()));
  if (!tables.all_take_part) blocks_.units = matrices_.add(tables.units.data(), tables.units.size());
  matrices_.send();
}

bool DeviceWavenumberSolver::is_regular() const {
  const DeviceArray singular = tools_.pool.take(kLookBlocks);
  with_sizes(blocks_.n_fields, blocks_.n_odd, [&](auto f, auto d) {
    look_at_cells_kernel<f(), d()><<<kLookBlocks, kThreads, 0, tools_.handles.stream>>>(blocks_, singular.data());
    GWRM_LAUNCHED(look_at_cells_kernel);
  });
  std::vector<double> found(kLookBlocks);
  tools_.profile.download(found.data(), singular.data(), found.size());
  return std::all_of(found.begin(), found.end(), [](double one) { return one == 0.0; });
}

void DeviceWavenumberSolver::apply(const double* v, double* result) {
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::preconditioner);
  WavenumberBlocks blocks = blocks_;
  std::vector<DeviceArray> right, solution;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto width = static_cast<std::size_t>(rows_[i].width);
    right.push_back(tools_.pool.take(2 * static_cast<std::size_t>(modes_.n_modes) * width));
    blocks.rows[i].data = numbers(right.back());
    to_time_modes(tools_.handles, modes_, v + rows_[i].offset, width, reinterpret_cast<double2*>(right.back().data()));
  }
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    solution.push_back(
        tools_.pool.take(2 * static_cast<std::size_t>(modes_.n_modes) * static_cast<std::size_t>(fields_[f].width)));
    blocks.fields[f].data = numbers(solution.back());
  }
  const auto n_blocks = static_cast<unsigned>((cells_of(blocks) + kThreads - 1) / kThreads);
  with_sizes(blocks.n_fields, blocks.n_odd, [&](auto f, auto d) {
    solve_cells_kernel<f(), d()>
        <<<dim3(n_blocks, static_cast<unsigned>(modes_.n_modes)), kThreads, 0, tools_.handles.stream>>>(blocks);
    GWRM_LAUNCHED(solve_cells_kernel);
  });
  for (std::size_t f = 0; f < fields_.size(); ++f)
    from_time_modes(tools_.handles, modes_, reinterpret_cast<const double2*>(solution[f].data()),
                    static_cast<std::size_t>(fields_[f].width), result + fields_[f].offset);
}

}  // namespace gwrm::cuda
