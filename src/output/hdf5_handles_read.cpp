// The reading half of hdf5_handles.hpp. A file may be damaged or made to mislead: nothing it says is believed
// unchecked.
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include "output/hdf5_handles.hpp"

namespace gwrm::hdf5 {
namespace {

constexpr std::size_t kLongestText = std::size_t{64} << 20;

struct OpenAttribute {
  Handle attribute;
  Handle type;
};

OpenAttribute open_attribute(hid_t object, const char* name, H5T_class_t expected, const char* kind) {
  Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, std::string("opening the attribute ") + name);
  Handle type(H5Aget_type(attribute), H5Tclose, std::string("opening the type of the attribute ") + name);
  const Handle space(H5Aget_space(attribute), H5Sclose, std::string("opening the space of the attribute ") + name);
  if (H5Tget_class(type) != expected || H5Sget_simple_extent_npoints(space) != 1)
    throw OutputError(std::string("the attribute ") + name + " is not " + kind);
  return {std::move(attribute), std::move(type)};
}

// Bytes of the dataset in the file. Its header may claim any number, but not more than the file has.
hsize_t stored_bytes(hid_t dataset) {
  return std::min(H5Dget_storage_size(dataset), file_size(dataset));
}

bool is_deflated(hid_t properties) {
  const int n_filters = H5Pget_nfilters(properties);
  for (int i = 0; i < n_filters; ++i) {
    unsigned flags = 0, configuration = 0;
    std::size_t n_values = 0;
    if (H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &n_values, nullptr, 0, nullptr, &configuration) ==
        H5Z_FILTER_DEFLATE)
      return true;
  }
  return false;
}

// Opens a dataset of the expected class and dimensions whose bytes are really there.
Handle open_expected(hid_t parent, const std::string& name, const Dims& expected, H5T_class_t expected_class) {
  Handle dataset = open_dataset(parent, name);
  const Handle type(H5Dget_type(dataset), H5Tclose, "opening the type of the dataset " + name);
  if (H5Tget_class(type) != expected_class) throw OutputError("the dataset " + name + " has the wrong type");
  if (dims_of(dataset, name) != expected) throw OutputError("the dataset " + name + " has the wrong size");
  hsize_t bytes = H5Tget_size(type);
  for (hsize_t extent : expected) {
    if (extent != 0 && bytes > std::numeric_limits<hsize_t>::max() / extent)
      throw OutputError("the dataset " + name + " is impossibly large");
    bytes *= extent;
  }
  const hsize_t stored = stored_bytes(dataset);
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose, "opening the properties of the dataset " + name);
  if (bytes / (is_deflated(properties) ? kMaxExpansion : 1) > stored)
    throw OutputError("the dataset " + name + " claims more values than the file holds");
  // The same of a chunk, which is read whole: packed several times over it could be any size.
  if (H5Pget_layout(properties) == H5D_CHUNKED && stored > 0) {
    Dims chunk(expected.size());
    check(H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "reading the chunks of " + name);
    hsize_t chunk_bytes = H5Tget_size(type);
    for (hsize_t extent : chunk) chunk_bytes *= extent;  // HDF5's own limit is 4 GB
    if (chunk_bytes / kMaxExpansion > stored)
      throw OutputError("the dataset " + name + " has chunks larger than what the file holds");
  }
  return dataset;
}

std::size_t count_of(const Dims& dims) {
  std::size_t count = 1;
  for (hsize_t extent : dims) count *= extent;
  return count;
}

template <class Number>
std::vector<Number> read_numbers(hid_t parent, const std::string& name, const Dims& expected, H5T_class_t type_class,
                                 hid_t memory_type) {
  const Handle dataset = open_expected(parent, name, expected, type_class);
  std::vector<Number> values(count_of(expected));
  if (!values.empty())
    check(H5Dread(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "reading the dataset " + name);
  return values;
}

// Texts as HDF5 reads them: they are released whatever becomes of the reading, and together they are no longer than the
// file, where each has a place of its own. (A file can say that thousands are in one and the same place.)
struct TextMemory {
  std::vector<std::unique_ptr<char[]>> texts;
  hsize_t left = 0;
  bool is_short = false;  // of memory
};

void* allocate_text(std::size_t size, void* the_memory) {
  TextMemory& memory = *static_cast<TextMemory*>(the_memory);
  if (size > kLongestText || size > memory.left) return nullptr;
  memory.left -= size;
  char* const text = memory.texts.emplace_back(new (std::nothrow) char[size]).get();
  memory.is_short = memory.is_short || text == nullptr;
  return text;
}

void release_nothing(void*, void*) {}

}  // namespace

std::string read_text_attribute(hid_t object, const char* name) {
  const auto [attribute, type] = open_attribute(object, name, H5T_STRING, "a text");
  const std::size_t size = H5Tget_size(type);
  if (H5Tis_variable_str(type) != 0 || size > kLongestText)
    throw OutputError(std::string("the attribute ") + name + " is not a text of fixed length");
  std::string value(size, '\0');
  check(H5Aread(attribute, type, value.data()), std::string("reading the attribute ") + name);
  value.resize(strnlen(value.c_str(), size));
  return value;
}

int read_int_attribute(hid_t object, const char* name) {
  const auto [attribute, type] = open_attribute(object, name, H5T_INTEGER, "an integer");
  int value = 0;
  check(H5Aread(attribute, H5T_NATIVE_INT, &value), std::string("reading the attribute ") + name);
  return value;
}

Index read_index_attribute(hid_t object, const char* name) {
  const auto [attribute, type] = open_attribute(object, name, H5T_INTEGER, "an integer");
  Index value = 0;
  check(H5Aread(attribute, H5T_NATIVE_INT64, &value), std::string("reading the attribute ") + name);
  return value;
}

double read_double_attribute(hid_t object, const char* name) {
  const auto [attribute, type] = open_attribute(object, name, H5T_FLOAT, "a number");
  double value = 0.0;
  check(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), std::string("reading the attribute ") + name);
  return value;
}

bool has_link(hid_t parent, const std::string& name) {
  return check(H5Lexists(parent, name.c_str(), H5P_DEFAULT), "looking for " + name) > 0;
}

Handle open_group(hid_t parent, const std::string& name) {
  return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, "opening the group " + name};
}

Handle open_dataset(hid_t parent, const std::string& name) {
  return {H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, "opening the dataset " + name};
}

Dims dims_of(hid_t dataset, const std::string& name) {
  const Handle space(H5Dget_space(dataset), H5Sclose, "opening the space of the dataset " + name);
  const int rank = check(H5Sget_simple_extent_ndims(space), "reading the rank of the dataset " + name);
  if (H5Sget_simple_extent_type(space) == H5S_NULL) throw OutputError("the dataset " + name + " is empty");
  Dims dims(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(space, dims.data(), nullptr), "reading the size of the dataset " + name);
  return dims;
}

hsize_t file_size(hid_t object) {
  const Handle file(H5Iget_file_id(object), H5Fclose, "looking at the file");
  hsize_t size = 0;
  check(H5Fget_filesize(file, &size), "measuring the file");
  return size;
}

std::vector<double> read_doubles(hid_t parent, const std::string& name, const Dims& expected) {
  return read_numbers<double>(parent, name, expected, H5T_FLOAT, H5T_NATIVE_DOUBLE);
}

std::vector<double> read_numbers_as_doubles(hid_t parent, const std::string& name, const Dims& expected) {
  H5T_class_t kind = H5T_FLOAT;
  {
    const Handle dataset = open_dataset(parent, name);
    const Handle type(H5Dget_type(dataset), H5Tclose, "opening the type of the dataset " + name);
    if (H5Tget_class(type) == H5T_INTEGER) kind = H5T_INTEGER;
  }
  return read_numbers<double>(parent, name, expected, kind, H5T_NATIVE_DOUBLE);
}

std::vector<int> read_ints(hid_t parent, const std::string& name, const Dims& expected) {
  return read_numbers<int>(parent, name, expected, H5T_INTEGER, H5T_NATIVE_INT);
}

std::vector<std::string> read_strings(hid_t parent, const std::string& name, const Dims& expected) {
  const Handle dataset = open_expected(parent, name, expected, H5T_STRING);
  const Handle file_type(H5Dget_type(dataset), H5Tclose, "opening the type of the dataset " + name);
  if (H5Tis_variable_str(file_type) <= 0) throw OutputError("the dataset " + name + " does not hold texts");
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "creating a text type");
  check(H5Tset_size(type, H5T_VARIABLE), "sizing a text type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "choosing UTF-8");
  std::vector<char*> pointers(count_of(expected), nullptr);
  if (pointers.empty()) return {};
  TextMemory memory;
  // Empty ones need no place in the file, but one byte each here.
  memory.left = file_size(dataset) + pointers.size();
  memory.texts.reserve(pointers.size());  // so that allocate_text, called from C, does not throw
  const Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "preparing to read texts");
  check(H5Pset_vlen_mem_manager(transfer, allocate_text, &memory, release_nothing, nullptr), "preparing to read texts");
  const herr_t status = H5Dread(dataset, type, H5S_ALL, H5S_ALL, transfer, pointers.data());
  if (memory.is_short) throw std::bad_alloc();
  check(status, "reading the dataset " + name);
  std::vector<std::string> values;
  for (const char* text : pointers) values.emplace_back(text == nullptr ? "" : text);
  return values;
}

void SumOfValues::add(const Dims& dims) {
  const std::size_t n = count_of(dims);
  if (n > left_) throw OutputError("the datasets claim more values than the file holds");
  left_ -= n;
}

}  // namespace gwrm::hdf5
