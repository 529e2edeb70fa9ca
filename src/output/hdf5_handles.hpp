// The thin layer over HDF5's C interface: identifiers that close themselves, calls that throw, attributes and datasets.
// Only the files of this folder include it.
#pragma once

#include <hdf5.h>
#include <sys/types.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/array.hpp"
#include "core/errors.hpp"

namespace gwrm::hdf5 {

// Why the last call failed: the innermost entry of HDF5's error stack.
std::string last_error();

// HDF5 reports failure by a negative number everywhere.
template <class Result>
Result check(Result result, const std::string& what) {
  if (result < 0) throw OutputError(what + " failed (" + last_error() + ")");
  return result;
}

// Makes `scale` the dimension scale of one dimension of a dataset.
void attach_scale(hid_t dataset, std::size_t dimension, hid_t scale);

// The longest processor time in seconds that reading a file of so many bytes takes: far more than HDF5 needs, and short
// enough when damage makes it read in circles.
unsigned longest_probe(off_t bytes);

// While it lives HDF5 prints nothing by itself; the errors come as exceptions.
class SilentErrors {
 public:
  SilentErrors();
  ~SilentErrors();
  SilentErrors(const SilentErrors&) = delete;
  SilentErrors& operator=(const SilentErrors&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close, const std::string& what) : id_(check(id, what)), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  // Where the failure of closing matters.
  void close_now(const std::string& what) { check(close_(std::exchange(id_, -1)), what); }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

using Dims = std::vector<hsize_t>;

// Numbers in memory, row-major, that fill the part [0, extents) of an array; what lies beyond is zero. Along a
// dimension with an `order` index i of the array has the numbers of index order[i] in memory, or is zero.
struct Box {
  static constexpr hsize_t kPadding = static_cast<hsize_t>(-1);
  const double* values = nullptr;
  Dims extents;
  std::vector<std::vector<hsize_t>> order = {};  // per dimension; empty: as in memory

  // Where index i of dimension d is in memory; at least the extent for a zero.
  hsize_t in_memory(std::size_t d, hsize_t i) const { return order.empty() || order[d].empty() ? i : order[d][i]; }
  bool has_runs() const { return !extents.empty() && (order.empty() || order.back().empty()); }
};

// Writing. Text is stored with a fixed length, which netCDF-C calls NC_CHAR and ParaView understands.
void write_attribute(hid_t object, const char* name, const std::string& value);
void write_attribute(hid_t object, const char* name, const char* value);
void write_attribute(hid_t object, const char* name, int value);
void write_attribute(hid_t object, const char* name, Index value);
void write_attribute(hid_t object, const char* name, double value);

// Chunked, shuffled and deflated where it is worth it.
Handle write_compressed(hid_t parent, const std::string& name, const Dims& dims, std::span<const double> values);
// The same of an array in parts, padded with zeros: a box for each index of the first dimension, or one for all. The
// array is never put together.
Handle write_compressed(hid_t parent, const std::string& name, const Dims& dims, std::span<const Box> parts);
// As they are, for the short lists: scales, histories.
Handle write_list(hid_t parent, const std::string& name, std::span<const double> values);
Handle write_list(hid_t parent, const std::string& name, std::span<const int> values);
Handle write_bytes(hid_t parent, const std::string& name, std::span<const signed char> values);
Handle write_strings(hid_t parent, const std::string& name, std::span<const std::string> values);
// Tables: the last dimension fastest.
Handle write_table(hid_t parent, const std::string& name, const Dims& dims, std::span<const int> values);
Handle write_table(hid_t parent, const std::string& name, const Dims& dims, std::span<const std::string> values);
// 0, 1, ..., count - 1 as a dimension scale.
Handle write_index_scale(hid_t parent, const std::string& name, std::size_t count);
Handle create_group(hid_t parent, const char* name);
Handle tracked_order(hid_t property_class);  // creation properties with the creation order of links and attributes kept

// Deflate packs no better than 1032 : 1, so nothing honest is larger than this multiple of its bytes in the file.
inline constexpr hsize_t kMaxExpansion = 1100;

// Reading. Types, ranks and sizes are checked against what is expected before anything is allocated.
std::string read_text_attribute(hid_t object, const char* name);
int read_int_attribute(hid_t object, const char* name);
Index read_index_attribute(hid_t object, const char* name);  // of any width
double read_double_attribute(hid_t object, const char* name);
bool has_link(hid_t parent, const std::string& name);
Handle open_group(hid_t parent, const std::string& name);
Handle open_dataset(hid_t parent, const std::string& name);
Dims dims_of(hid_t dataset, const std::string& name);
hsize_t file_size(hid_t object);  // in bytes, of the file that holds it
std::vector<double> read_doubles(hid_t parent, const std::string& name, const Dims& expected);
// Real or whole numbers.
std::vector<double> read_numbers_as_doubles(hid_t parent, const std::string& name, const Dims& expected);
std::vector<int> read_ints(hid_t parent, const std::string& name, const Dims& expected);
std::vector<std::string> read_strings(hid_t parent, const std::string& name, const Dims& expected);

// What all datasets of a file have together: one of them may have thousands of names. OutputError where that is more
// than the file's bytes account for.
class SumOfValues {
 public:
  explicit SumOfValues(hid_t file) : left_(kMaxExpansion * file_size(file) / sizeof(double)) {}
  void add(const Dims& dims);

 private:
  hsize_t left_;
};

}  // namespace gwrm::hdf5
