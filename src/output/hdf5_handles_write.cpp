// The writing half of hdf5_handles.hpp.
#include <hdf5_hl.h>

#include <algorithm>
#include <numeric>

#include "output/hdf5_chunks.hpp"
#include "output/hdf5_handles.hpp"

namespace gwrm::hdf5 {
namespace {

// Large enough for the filters to work well, small enough that a reader of one time does not unpack them all.
constexpr hsize_t kChunkElements = 131072;  // 1 MiB
constexpr unsigned kDeflateLevel = 1;       // beyond it the time doubles for a per cent of size
// Smaller arrays lie contiguously: deflation gains a third of half a megabyte, for a tenth of the time of a short run.
constexpr std::size_t kWorthCompressing = kChunkElements / 2;

void write_scalar_attribute(hid_t object, const char* name, hid_t file_type, hid_t memory_type, const void* value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "creating a data space");
  const Handle attribute(H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         std::string("creating the attribute ") + name);
  check(H5Awrite(attribute, memory_type, value), std::string("writing the attribute ") + name);
}

hsize_t product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), hsize_t{1}, std::multiplies<>());
}

// The length of pieces of `extent`, half to one and a half times as long as `about`, whose last one sticks out least:
// what sticks out is written, too.
hsize_t even_length(hsize_t extent, hsize_t about) {
  const auto sticks_out = [&](hsize_t length) { return (length - extent % length) % length; };
  hsize_t best = about;
  const auto try_length = [&](hsize_t length) {
    if (sticks_out(length) < sticks_out(best)) best = length;
  };
  for (hsize_t length = about; length >= 1 && 2 * length >= about; --length) try_length(length);
  for (hsize_t length = about + 1; length <= extent && 2 * length <= 3 * about; ++length) try_length(length);
  return best;
}

// Whole rows of the last dimensions, split along the first ones.
Dims chunk_of(Dims dims) {
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const hsize_t count = product(dims);
    if (count <= kChunkElements) break;
    const hsize_t inner = count / dims[i];
    dims[i] = even_length(dims[i], std::max<hsize_t>(1, kChunkElements / inner));
  }
  return dims;
}

// Where boxes of all sizes are padded to the largest, chunks that are short along every dimension: most of the padding
// fills whole ones, which are packed once (write_chunks).
Dims chunk_of_padded(Dims dims) {
  dims.front() = 1;  // a box for each
  while (product(dims) > kChunkElements) {
    hsize_t& longest = *std::max_element(dims.begin(), dims.end());
    longest = (longest + 1) / 2;
  }
  return dims;
}

bool are_padded(const Dims& dims, std::span<const Box> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](const Box& part) {
    return part.extents.size() + 1 == dims.size() &&
           !std::equal(part.extents.begin(), part.extents.end(), dims.begin() + 1);
  });
}

// chunk: null for a dataset that lies in one piece as it is.
Handle create_dataset(hid_t parent, const std::string& name, const Dims& dims, hid_t type, const Dims* chunk) {
  const Handle space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose,
                     "creating a data space");
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "creating dataset properties");
  check(H5Pset_attr_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
        "keeping the attributes' order");
  if (chunk != nullptr) {
    check(H5Pset_chunk(properties, static_cast<int>(dims.size()), chunk->data()), "choosing chunks");
    check(H5Pset_shuffle(properties), "choosing the shuffle filter");
    check(H5Pset_deflate(properties, kDeflateLevel), "choosing the deflate filter");
  }
  return {H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
          "creating the dataset " + name};
}

Handle write_dataset(hid_t parent, const std::string& name, const Dims& dims, hid_t file_type, hid_t memory_type,
                     const void* values) {
  Handle dataset = create_dataset(parent, name, dims, file_type, nullptr);
  if (std::find(dims.begin(), dims.end(), hsize_t{0}) == dims.end())
    check(H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "writing the dataset " + name);
  return dataset;
}

}  // namespace

void write_attribute(hid_t object, const char* name, const std::string& value) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "creating a text type");
  // A length of 0 is not allowed; the empty text is one padding byte.
  check(H5Tset_size(type, std::max<std::size_t>(1, value.size())), "sizing a text type");
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), "padding a text type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "choosing UTF-8");
  write_scalar_attribute(object, name, type, type, value.c_str());
}

void write_attribute(hid_t object, const char* name, const char* value) {
  write_attribute(object, name, std::string(value));
}

void write_attribute(hid_t object, const char* name, int value) {
  write_scalar_attribute(object, name, H5T_STD_I32LE, H5T_NATIVE_INT, &value);
}

void write_attribute(hid_t object, const char* name, Index value) {
  write_scalar_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void write_attribute(hid_t object, const char* name, double value) {
  write_scalar_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

Handle write_compressed(hid_t parent, const std::string& name, const Dims& dims, std::span<const double> values) {
  if (values.size() < kWorthCompressing)
    return write_dataset(parent, name, dims, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data());
  const Box whole{values.data(), dims};
  return write_compressed(parent, name, dims, std::span(&whole, 1));
}

Handle write_compressed(hid_t parent, const std::string& name, const Dims& dims, std::span<const Box> parts) {
  if (product(dims) < kWorthCompressing)
    return write_dataset(parent, name, dims, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                         cut(dims, dims, Dims(dims.size(), 0), parts).data());
  const Dims chunk = are_padded(dims, parts) ? chunk_of_padded(dims) : chunk_of(dims);
  Handle dataset = create_dataset(parent, name, dims, H5T_IEEE_F64LE, &chunk);
  write_chunks(dataset, name, dims, chunk, kDeflateLevel, parts);
  return dataset;
}

Handle write_list(hid_t parent, const std::string& name, std::span<const double> values) {
  return write_dataset(parent, name, {values.size()}, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data());
}

Handle write_list(hid_t parent, const std::string& name, std::span<const int> values) {
  return write_dataset(parent, name, {values.size()}, H5T_STD_I32LE, H5T_NATIVE_INT, values.data());
}

Handle write_bytes(hid_t parent, const std::string& name, std::span<const signed char> values) {
  return write_dataset(parent, name, {values.size()}, H5T_STD_I8LE, H5T_NATIVE_SCHAR, values.data());
}

Handle write_strings(hid_t parent, const std::string& name, std::span<const std::string> values) {
  return write_table(parent, name, {values.size()}, values);
}

Handle write_table(hid_t parent, const std::string& name, const Dims& dims, std::span<const int> values) {
  return write_dataset(parent, name, dims, H5T_STD_I32LE, H5T_NATIVE_INT, values.data());
}

Handle write_table(hid_t parent, const std::string& name, const Dims& dims, std::span<const std::string> values) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "creating a text type");
  check(H5Tset_size(type, H5T_VARIABLE), "sizing a text type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "choosing UTF-8");
  std::vector<const char*> pointers;
  for (const std::string& value : values) pointers.push_back(value.c_str());
  return write_dataset(parent, name, dims, type, type, pointers.data());
}

Handle write_index_scale(hid_t parent, const std::string& name, std::size_t count) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  Handle scale = write_list(parent, name, std::span<const int>(numbers));
  check(H5DSset_scale(scale, name.c_str()), "making the scale " + name);
  return scale;
}

Handle tracked_order(hid_t property_class) {
  Handle properties(H5Pcreate(property_class), H5Pclose, "creating group properties");
  const unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
  check(H5Pset_link_creation_order(properties, order), "keeping the links' order");
  check(H5Pset_attr_creation_order(properties, order), "keeping the attributes' order");
  return properties;
}

Handle create_group(hid_t parent, const char* name) {
  const Handle properties = tracked_order(H5P_GROUP_CREATE);
  return {H5Gcreate2(parent, name, H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose,
          std::string("creating the group ") + name};
}

}  // namespace gwrm::hdf5
