#include "weighted_residual/device/device_line_solver.cuh"

#include <algorithm>
#include <bit>

#include "core/errors.hpp"
#include "kernels/linear_algebra/device_inverses.cuh"
#include "kernels/linear_algebra/inverse_steps.cuh"

namespace gwrm::cuda {
namespace {

static_assert(kMaxLineUnknowns <= kLargestInverse);

constexpr std::size_t kWorkspace = std::size_t{256} << 20;  // bytes: matrices of 512 rows for every core of a device

// Block by block from matrix `first` of all modes on.
__global__ void __launch_bounds__(kLineThreads)
    make_blocks_kernel(const __grid_constant__ WavenumberLines l, int first, double2* inverses) {
  extern __shared__ double2 factors[];
  const int which = first + static_cast<int>(blockIdx.x);
  make_line_block(l, which / l.n_matrices, which % l.n_matrices, factors,
                  inverses + static_cast<long long>(which) * l.n * l.n);
}

// (mode, vector, number) of a flat index; false behind the last.
__device__ inline bool place_in_lines(const WavenumberLines& l, int& mode, int& w, int& i, long long& place) {
  place = blockIdx.x * static_cast<long long>(kLineThreads) + threadIdx.x;
  if (place >= static_cast<long long>(l.n_modes) * l.n_vectors * l.n) return false;
  i = static_cast<int>(place % l.n);
  const long long rest = place / l.n;
  w = static_cast<int>(rest % l.n_vectors);
  mode = static_cast<int>(rest / l.n_vectors);
  return true;
}

__global__ void __launch_bounds__(kLineThreads)
    gather_rows_kernel(const __grid_constant__ WavenumberLines l, const double2* numbers, double2* right) {
  int mode, w, i;
  long long place;
  if (place_in_lines(l, mode, w, i, place)) right[place] = right_hand_side(l, numbers, mode, w, i);
}

__global__ void __launch_bounds__(kLineThreads)
    scatter_fields_kernel(const __grid_constant__ WavenumberLines l, const double2* solutions, double2* numbers) {
  int mode, w, j;
  long long place;
  if (place_in_lines(l, mode, w, j, place)) leave_solution(l, solutions, mode, w, j, numbers);
}

template <int n_served>
__global__ void __launch_bounds__(kLineThreads)
    apply_inverses_kernel(const __grid_constant__ WavenumberLines l, const double2* inverses, const double2* right,
                          double2* solutions) {
  apply_inverses<n_served>(l, inverses, right, solutions);
}

double2* numbers(const DeviceArray& array) {
  return reinterpret_cast<double2*>(array.data());
}

}  // namespace

DeviceLineSolver::DeviceLineSolver(DeviceTools& tools, const WindowSystem& system, WavenumberLineTables tables,
                                   const TimeModes* modes, const std::vector<std::complex<double>>& z)
    : tools_(tools),
      matrices_(tools.profile, tools.pool),
      modes_(mode_matrices(modes)),
      lines_(wavenumber_lines(tables, modes_.n_modes)),
      n_served_(1 << std::popcount(tables.mirrored)) {
  const SpatialLayout layout(system);
  const auto add_part = [&](Index offset, const Shape& extents, std::vector<LinePlace>& places,
                            std::vector<Part>& parts) {
    Part part{modes_.n_nodes * offset, element_count(extents) / layout.n_times,
              parts.empty() ? 0 : parts.back().numbers + modes_.n_modes * static_cast<long long>(parts.back().width)};
    places[parts.size()].offset = part.numbers;
    places[parts.size()].mode_stride = part.width;
    parts.push_back(part);
  };
  for (std::size_t i = 0; i < system.rows().size(); ++i)
    if (system.rows()[i].kind != RowBlock::Kind::mean)  // over the rows of an equation
      add_part(layout.rows[i], system.rows()[i].extents, tables.rows, rows_);
  for (std::size_t f = 0; f < system.layouts().size(); ++f)
    add_part(layout.fields[f], system.layouts()[f].extents, tables.fields, fields_);

  const auto add = [&](const auto& list) { return matrices_.add(list.data(), list.size()); };
  lines_.rows = add(tables.rows);
  lines_.fields = add(tables.fields);
  lines_.row_of = add(tables.row_of);
  lines_.field_of = add(tables.field_of);
  lines_.begins = add(tables.begins);
  lines_.terms = add(tables.terms);
  lines_.values = add(tables.values);
  lines_.z = reinterpret_cast<const double2*>(add(z));
  if (!tables.all_take_part) lines_.units = add(tables.units);
  matrices_.send();

  const auto at_once = [&](const std::vector<Part>& parts) {
    return tools_.pool.take(2 * static_cast<std::size_t>(parts.back().numbers + modes_.n_modes * parts.back().width));
  };
  of_rows_ = at_once(rows_);
  of_fields_ = at_once(fields_);
  const std::size_t all = 2 * static_cast<std::size_t>(lines_.n_modes) * static_cast<std::size_t>(lines_.n_vectors) *
                          static_cast<std::size_t>(lines_.n);
  right_ = tools_.pool.take(all);
  solutions_ = tools_.pool.take(all);
  make_inverses();
}

void DeviceLineSolver::make_inverses() {
  const auto count = static_cast<std::size_t>(lines_.n_modes) * static_cast<std::size_t>(lines_.n_matrices);
  const auto square = static_cast<std::size_t>(lines_.n) * static_cast<std::size_t>(lines_.n);
  inverse_bytes_ = count * square * sizeof(double2);
  auto* const inverses = inverses_.reserve<double2>(count * square);
  const std::size_t most = std::clamp<std::size_t>(kWorkspace / inverse_workspace(lines_.n, 1), 1, count);
  DeviceBuffer workspace, status;
  workspace.reserve<char>(inverse_workspace(lines_.n, most));
  status.reserve<int>(count);
  const std::size_t factors = static_cast<std::size_t>(lines_.n_terms) * sizeof(double2);
  for (std::size_t first = 0; first < count; first += most) {
    const std::size_t now = std::min(most, count - first);
    make_blocks_kernel<<<static_cast<unsigned>(now), kLineThreads, factors, tools_.handles.stream>>>(
        lines_, static_cast<int>(first), inverses);
    GWRM_LAUNCHED(make_blocks_kernel);
    invert(tools_.handles, inverses + first * square, lines_.n, now, workspace.as<void>(), status.as<int>() + first);
  }
  std::vector<int> found(count);
  tools_.profile.download(found.data(), status.as<int>(), count);
  for (int one : found) {  // the first, as on the CPU
    if (one == kInverseRegular) continue;
    status_ = one == kInverseSingular ? LuStatus::singular : LuStatus::not_finite;
    return;
  }
}

void DeviceLineSolver::apply(const double* v, double* result) {
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::preconditioner);
  const cudaStream_t stream = tools_.handles.stream;
  for (const Part& row : rows_)
    to_time_modes(tools_.handles, modes_, v + row.offset, static_cast<std::size_t>(row.width),
                  numbers(of_rows_) + row.numbers);
  const auto all = static_cast<long long>(lines_.n_modes) * lines_.n_vectors * lines_.n;
  const auto n_blocks = static_cast<unsigned>((all + kLineThreads - 1) / kLineThreads);
  gather_rows_kernel<<<n_blocks, kLineThreads, 0, stream>>>(lines_, numbers(of_rows_), numbers(right_));
  GWRM_LAUNCHED(gather_rows_kernel);
  const auto n_tiles = static_cast<unsigned>(lines_.n_modes) * static_cast<unsigned>(lines_.n_matrices) *
                       static_cast<unsigned>(row_tiles(lines_));
  const auto run = [&](auto n_served) {
    apply_inverses_kernel<n_served()>
        <<<n_tiles, kLineThreads, 0, stream>>>(lines_, inverses_.as<double2>(), numbers(right_), numbers(solutions_));
    GWRM_LAUNCHED(apply_inverses_kernel);
  };
  static_assert(kMostServed == 4);
  if (n_served_ == 1)
    run(std::integral_constant<int, 1>());
  else if (n_served_ == 2)
    run(std::integral_constant<int, 2>());
  else
    run(std::integral_constant<int, 4>());
  scatter_fields_kernel<<<n_blocks, kLineThreads, 0, stream>>>(lines_, numbers(solutions_), numbers(of_fields_));
  GWRM_LAUNCHED(scatter_fields_kernel);
  for (const Part& field : fields_)
    from_time_modes(tools_.handles, modes_, numbers(of_fields_) + field.numbers, static_cast<std::size_t>(field.width),
                    result + field.offset);
}

}  // namespace gwrm::cuda
