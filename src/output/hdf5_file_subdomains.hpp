// Degrees and subdomains that change from window to window, in the result file: the coefficients of each window are
// padded with zeros to the most subdomains and the highest degree of all windows, and /windows says what is padding.
// Only the files of this folder include it.
#pragma once

#include <vector>

#include "output/hdf5_handles.hpp"
#include "output/solution.hpp"

namespace gwrm::hdf5 {

// What the file has room for along one axis.
struct StoredAxis {
  int degree = 0;          // the highest of all windows
  Index n_subdomains = 1;  // the most of all windows
  Index n_modes = 1;       // coefficients of a subdomain with this degree
  Index extent() const { return n_subdomains * n_modes; }
  bool is_divided() const { return n_subdomains > 1; }
  bool holds_all_of(const AxisDescription& subdomains) const {
    return subdomains.degree == degree && subdomains.n_subdomains() == n_subdomains;
  }
};

std::vector<StoredAxis> stored_axes(const Solution& solution);

// Some axis is divided, or its degree changes.
bool are_listed(const Solution& solution, const std::vector<StoredAxis>& stored);

// For each coefficient of a field with `axes` in one window, in order, its place in that window's padded array.
std::vector<Index> padded_positions(const std::vector<AxisDescription>& window, const std::vector<StoredAxis>& stored,
                                    const std::vector<int>& axes);

// The lists of subdomains in the group /windows, over the scale `window` in it.
void write_subdomains(hid_t group, hid_t window_scale, const Solution& solution, const std::vector<StoredAxis>& stored);

// Fills solution.subdomains, whose axes and window edges are there, from each axis as it is where it has the highest
// degree and no subdomains, and the lists; `root` is the file. OutputError if the lists are not those of such a
// solution.
std::vector<StoredAxis> read_subdomains(hid_t root, Solution& solution, const std::vector<AxisDescription>& whole);

}  // namespace gwrm::hdf5
