#include "output/hdf5_file_subdomains.hpp"

#include <hdf5_hl.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "basis/stored_order.hpp"
#include "output/hdf5_format.hpp"

namespace gwrm::hdf5 {
namespace {

constexpr hsize_t kMaxSubdomains = 1000000;

// One list over the windows.
template <class Value>
std::vector<int> over_windows(const Solution& solution, std::size_t axis, Value value) {
  std::vector<int> list;
  for (const auto& window : solution.subdomains) list.push_back(static_cast<int>(value(window[axis])));
  return list;
}

// The degree of every window, whose highest is already known.
void read_degrees(hid_t group, Solution& solution, std::size_t axis, int highest) {
  const std::string& name = solution.axes[axis].name;
  const std::vector<int> degrees = read_ints(group, degree_list(name), {solution.n_windows()});
  const auto [least, most] = std::minmax_element(degrees.begin(), degrees.end());
  if (*least < 0 || *most != highest) throw OutputError("the degrees along " + name + " are not valid");
  for (std::size_t w = 0; w < degrees.size(); ++w) solution.subdomains[w][axis].degree = degrees[w];
}

// The edges of every window; returns the most subdomains.
Index read_edges(hid_t group, Solution& solution, std::size_t axis) {
  const Axis& a = solution.axes[axis];
  const std::size_t n_windows = solution.n_windows();
  const OutputError invalid("the subdomains along " + a.name + " are not valid");
  const Dims dims = dims_of(open_dataset(group, edge_table(a.name)), edge_table(a.name));
  if (dims.size() != 2 || dims[0] != n_windows || dims[1] < 3 || dims[1] > kMaxSubdomains + 1) throw invalid;
  const std::size_t width = dims[1];
  const std::vector<double> table = read_doubles(group, edge_table(a.name), dims);
  const std::vector<int> counts = read_ints(group, subdomain_count_list(a.name), {n_windows});
  for (std::size_t w = 0; w < n_windows; ++w) {
    if (counts[w] < 1 || static_cast<std::size_t>(counts[w]) >= width) throw invalid;
    const auto begin = table.begin() + static_cast<std::ptrdiff_t>(w * width);
    const auto end = begin + counts[w] + 1, row_end = begin + static_cast<std::ptrdiff_t>(width);
    if (*begin != a.lower || end[-1] != a.upper ||
        std::adjacent_find(begin, end, std::not_fn(std::less<>())) != end ||  // a NaN does not ascend
        !std::all_of(end, row_end, [](double edge) { return std::isnan(edge); }))
      throw invalid;
    solution.subdomains[w][axis].edges.assign(begin, end);
  }
  if (static_cast<std::size_t>(*std::max_element(counts.begin(), counts.end())) + 1 != width) throw invalid;
  return static_cast<Index>(width) - 1;
}

}  // namespace

std::vector<StoredAxis> stored_axes(const Solution& solution) {
  std::vector<StoredAxis> stored(solution.axes.size());
  for (const auto& window : solution.subdomains)
    for (std::size_t i = 0; i < stored.size(); ++i) {
      stored[i].degree = std::max(stored[i].degree, window[i].degree);
      stored[i].n_subdomains = std::max(stored[i].n_subdomains, window[i].n_subdomains());
      stored[i].n_modes = std::max(stored[i].n_modes, make_basis(window[i])->n_per_subdomain());
    }
  return stored;
}

bool are_listed(const Solution& solution, const std::vector<StoredAxis>& stored) {
  for (const auto& window : solution.subdomains)
    for (std::size_t i = 0; i < stored.size(); ++i)
      if (stored[i].is_divided() || !stored[i].holds_all_of(window[i])) return true;
  return false;
}

std::vector<Index> padded_positions(const std::vector<AxisDescription>& window, const std::vector<StoredAxis>& stored,
                                    const std::vector<int>& axes) {
  std::vector<Index> positions = {0};
  for (int axis : axes) {
    const AxisDescription& subdomains = window[axis];
    const StoredAxis& room = stored[axis];
    const auto basis = make_basis(subdomains);
    const Index n_modes = basis->n_per_subdomain();
    std::vector<Index> finer;
    finer.reserve(positions.size() * static_cast<std::size_t>(subdomains.n_subdomains() * n_modes));
    for (Index position : positions)
      for (Index subdomain = 0; subdomain < subdomains.n_subdomains(); ++subdomain)
        for (Index k = 0; k < n_modes; ++k)
          finer.push_back(position * room.extent() + subdomain * room.n_modes + stored_index(*basis, k, room.n_modes));
    positions = std::move(finer);
  }
  return positions;
}

void write_subdomains(hid_t group, hid_t window_scale, const Solution& solution,
                      const std::vector<StoredAxis>& stored) {
  const auto attach = [](hid_t dataset, unsigned dimension, hid_t scale) {
    check(H5DSattach_scale(dataset, scale, dimension), "attaching a scale");
  };
  const auto write_over_windows = [&](const std::string& name, const std::vector<int>& list) {
    attach(write_list(group, name, std::span<const int>(list)), 0, window_scale);
  };
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const std::string& name = solution.axes[i].name;
    write_over_windows(degree_list(name), over_windows(solution, i, [](const AxisDescription& p) { return p.degree; }));
    if (!stored[i].is_divided()) continue;
    write_over_windows(subdomain_count_list(name),
                       over_windows(solution, i, [](const AxisDescription& p) { return p.n_subdomains(); }));
    const auto width = static_cast<std::size_t>(stored[i].n_subdomains) + 1;
    std::vector<double> table;
    table.reserve(solution.subdomains.size() * width);
    for (const auto& window : solution.subdomains) {
      table.insert(table.end(), window[i].edges.begin(), window[i].edges.end());
      table.insert(table.end(), width - window[i].edges.size(), std::numeric_limits<double>::quiet_NaN());
    }
    const Handle edge_numbers = write_index_scale(group, edge_scale(name), width);
    const Handle edges = write_compressed(group, edge_table(name), {solution.subdomains.size(), width}, table);
    attach(edges, 0, window_scale);
    attach(edges, 1, edge_numbers);
  }
}

std::vector<StoredAxis> read_subdomains(hid_t root, Solution& solution, const std::vector<AxisDescription>& whole) {
  const int windowed = solution.windowed_axis();
  std::vector<StoredAxis> stored(solution.axes.size());
  solution.subdomains.assign(solution.n_windows(), std::vector<AxisDescription>(solution.axes.size()));
  for (std::size_t i = 0; i < solution.axes.size(); ++i) {
    stored[i].degree = whole[i].degree;
    stored[i].n_modes = make_basis(whole[i])->n_per_subdomain();
    for (std::size_t w = 0; w < solution.n_windows(); ++w) {
      solution.subdomains[w][i] = whole[i];
      if (static_cast<int>(i) == windowed)
        solution.subdomains[w][i].edges = {solution.window_edges[w], solution.window_edges[w + 1]};
    }
  }
  if (!has_link(root, kWindows)) return stored;  // a steady problem with one subdomain per axis
  const Handle group = open_group(root, kWindows);
  // All axes have the list of degrees or none has it.
  if (solution.axes.empty() || !has_link(group, degree_list(solution.axes.front().name))) return stored;
  for (std::size_t i = 0; i < solution.axes.size(); ++i) {
    read_degrees(group, solution, i, whole[i].degree);
    const bool divided = has_link(group, edge_table(solution.axes[i].name));
    if (divided && static_cast<int>(i) == windowed) throw OutputError("time is divided inside its windows");
    if (divided && !make_basis(whole[i])->can_be_divided())
      throw OutputError("the basis along " + solution.axes[i].name + " has no subdomains");
    if (divided) stored[i].n_subdomains = read_edges(group, solution, i);
  }
  return stored;
}

}  // namespace gwrm::hdf5
