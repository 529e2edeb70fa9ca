// Datasets of other types, extents, layouts and filters.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "hard_input/hostile_hdf5.hpp"

namespace gwrm::hard_input {
namespace {

using hdf5::Dims;
using hdf5::Handle;

Dims dims_at(hid_t file, const std::string& path) {
  return hdf5::dims_of(hdf5::open_dataset(file, path), path);
}

Handle type_at(hid_t file, const std::string& path) {
  return {H5Dget_type(hdf5::open_dataset(file, path)), H5Tclose, "type"};
}

std::string zipped(std::string bytes, int times) {
  for (; times > 0; --times) {
    uLongf size = compressBound(bytes.size());
    std::string packed(size, '\0');
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
              bytes.size(), 9);
    bytes.assign(packed, 0, size);
  }
  return bytes;
}

// A list of doubles, all zero, of which each chunk is stored packed; packed `times` times over.
void plant_zeros(Planting& p, const std::string& path, hsize_t extent, hsize_t chunk, int times) {
  const Handle properties = dataset_properties();
  H5Pset_chunk(properties, 1, &chunk);
  for (int i = 0; i < times; ++i) H5Pset_deflate(properties, 9);
  remake(p.file, path, {H5T_NATIVE_DOUBLE, {extent}, {H5S_UNLIMITED}, false}, properties);
  const Handle dataset = hdf5::open_dataset(p.file, path);
  const std::string packed = zipped(std::string(static_cast<std::size_t>(chunk) * sizeof(double), '\0'), times);
  for (hsize_t offset = 0; offset < extent; offset += chunk)
    H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &offset, packed.size(), packed.data());
}

// One of the lists whose length the reader takes from the file.
std::string list_of_any_length(Planting& p) {
  static constexpr std::array known = {"windows/start",
                                       "newton/residual",
                                       "verification/value",
                                       "verification/estimate/largest",
                                       "verification/goals/value",
                                       "t",
                                       "x",
                                       "nu",
                                       "constants.a",
                                       "checks/value",
                                       "unknown"};
  std::vector<std::string> lists;
  for (const std::string& path : p.contents.datasets)
    if (std::find(known.begin(), known.end(), path) != known.end()) lists.push_back(path);
  return lists.empty() ? p.dataset() : p.one_of(lists);
}

void with_extents(Planting& p, const std::function<void(Dims&)>& change) {
  const std::string path = p.dataset();
  Dims dims = dims_at(p.file, path);
  change(dims);
  remake(p.file, path, {-1, dims, {}, false});
}

void with_layout(Planting& p, const std::function<void(hid_t properties, const Dims& dims)>& set,
                 bool unlimited = false) {
  const std::string path = p.dataset();
  const Dims dims = dims_at(p.file, path);
  const Handle properties = dataset_properties();
  set(properties, dims);
  Remade remade{-1, dims, {}, false, false, true};
  if (unlimited) remade.most.assign(dims.size(), H5S_UNLIMITED);
  remake(p.file, path, remade, properties);
}

void set_chunks(hid_t properties, const Dims& dims, hsize_t extent) {
  const Dims chunk(std::max<std::size_t>(1, dims.size()), extent);
  H5Pset_chunk(properties, static_cast<int>(dims.size()), chunk.data());
}

// All texts of the columns of a list are one and the same piece of the file, 1 MB long.
void plant_shared_texts(Planting& p) {
  constexpr hsize_t kTexts = 20000;
  constexpr std::size_t kReference = 16;
  const char* columns[] = {"kind", "subject"};
  const std::string text(1 << 20, 's');
  std::vector<haddr_t> offsets;
  const Handle early = dataset_properties();
  H5Pset_alloc_time(early, H5D_ALLOC_TIME_EARLY);
  for (const char* column : {"check", "kind", "subject", "value", "tolerance", "judged", "margin"}) {
    const std::string path = std::string("verification/") + column;
    if (H5Lexists(p.file, path.c_str(), H5P_DEFAULT) <= 0) continue;
    remake(p.file, path, {-1, {kTexts}, {}, false}, early);
    if (std::none_of(std::begin(columns), std::end(columns), [&](const char* c) { return path.ends_with(c); }))
      continue;
    const Handle dataset = hdf5::open_dataset(p.file, path);
    const Handle type(H5Dget_type(dataset), H5Tclose, "type");
    std::vector<const char*> texts(kTexts, nullptr);
    texts[0] = text.c_str();
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data());
    offsets.push_back(H5Dget_offset(dataset));
  }
  p.afterwards = [offsets](std::string& bytes) {
    for (const haddr_t offset : offsets)
      for (hsize_t i = 1; i < kTexts; ++i)
        std::memcpy(bytes.data() + offset + i * kReference, bytes.data() + offset, kReference);
  };
}

}  // namespace

Handle dataset_properties() {
  return {H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "properties"};
}

Handle simple_space(const Dims& dims) {
  return {H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose, "space"};
}

void remake(hid_t file, const std::string& path, const Remade& remade, hid_t properties) {
  const Handle old = hdf5::open_dataset(file, path);
  const Handle type(remade.type < 0 ? H5Dget_type(old) : H5Tcopy(remade.type), H5Tclose, "type");
  Handle space(H5Dget_space(old), H5Sclose, "space");
  if (remade.null_space)
    space = Handle(H5Screate(H5S_NULL), H5Sclose, "space");
  else if (!remade.as_before)
    space = Handle(H5Screate_simple(static_cast<int>(remade.dims.size()), remade.dims.data(),
                                    remade.most.empty() ? nullptr : remade.most.data()),
                   H5Sclose, "space");
  const std::string other = path + "_remade";
  const Handle made(H5Dcreate2(file, other.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
                    "dataset");
  if (remade.with_values) {
    std::vector<unsigned char> values(
        H5Tget_size(type) * static_cast<std::size_t>(std::max<hssize_t>(1, H5Sget_simple_extent_npoints(space))));
    H5Dread(old, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
  H5O_info_t info;
  hdf5::check(H5Oget_info(old, &info), "dataset");
  for (hsize_t i = 0; i < info.num_attrs; ++i) {
    const Handle attribute(H5Aopen_by_idx(old, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                           "attribute");
    char name[256] = {};
    H5Aget_name(attribute, sizeof name, name);
    const Handle kind(H5Aget_type(attribute), H5Tclose, "type"), extents(H5Aget_space(attribute), H5Sclose, "space");
    std::vector<unsigned char> value(
        H5Tget_size(kind) * static_cast<std::size_t>(std::max<hssize_t>(1, H5Sget_simple_extent_npoints(extents))));
    H5Aread(attribute, kind, value.data());
    set_attribute(made, name, kind, extents, value.data());
  }
  H5Ldelete(file, path.c_str(), H5P_DEFAULT);
  H5Lmove(file, other.c_str(), file, path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
}

void add_dataset_kinds(std::vector<Kind>& kinds) {
  for (const NamedType& type : hostile_types())
    kinds.push_back({"dataset, type: " + type.name, [&type](Planting& p) {
                       const Handle early = dataset_properties();
                       H5Pset_alloc_time(early, H5D_ALLOC_TIME_EARLY);
                       remake(p.file, p.dataset(), {type.make(p.file)}, early);
                     }});
  const auto add = [&](const char* name, std::function<void(Planting&)> plant) {
    kinds.push_back({std::string("dataset, ") + name, std::move(plant)});
  };
  add("no extents", [](Planting& p) { remake(p.file, p.dataset(), {-1, {}, {}, false, true}); });
  add("one value", [](Planting& p) { with_extents(p, [](Dims& d) { d.clear(); }); });
  add("no values", [](Planting& p) { with_extents(p, [](Dims& d) { std::fill(d.begin(), d.end(), 0); }); });
  add("one more", [](Planting& p) {
    with_extents(p, [](Dims& d) {
      for (hsize_t& n : d) ++n;
    });
  });
  add("one fewer", [](Planting& p) {
    with_extents(p, [](Dims& d) {
      for (hsize_t& n : d) n -= n > 0 ? 1 : 0;
    });
  });
  add("32 dimensions", [](Planting& p) { with_extents(p, [](Dims& d) { d.resize(32, 1); }); });
  add("dimensions exchanged", [](Planting& p) { with_extents(p, [](Dims& d) { std::reverse(d.begin(), d.end()); }); });
  add("one dimension", [](Planting& p) {
    with_extents(p, [](Dims& d) {
      hsize_t n = 1;
      for (hsize_t extent : d) n *= extent;
      d = {n};
    });
  });
  add("billions, none there", [](Planting& p) {
    const std::string path = p.dataset();
    const Handle properties = dataset_properties();
    const Dims dims(1 + p.below(3), hsize_t{1} << (20 + p.below(20)));
    set_chunks(properties, dims, 64);
    remake(p.file, path, {-1, dims, {}, false}, properties);
  });
  add("more than 2^64 bytes", [](Planting& p) {
    const std::string path = p.dataset();
    const Handle properties = dataset_properties();
    const Dims dims(3, hsize_t{1} << 31);
    set_chunks(properties, dims, 16);
    remake(p.file, path, {-1, dims, {}, false}, properties);
  });
  add("extents without limit", [](Planting& p) {
    with_layout(
        p, [](hid_t properties, const Dims& d) { set_chunks(properties, d, 4); }, true);
  });
  add("chunks of one value",
      [](Planting& p) { with_layout(p, [](hid_t properties, const Dims& d) { set_chunks(properties, d, 1); }); });
  add("chunks larger than the values", [](Planting& p) {
    with_layout(
        p, [](hid_t properties, const Dims& d) { set_chunks(properties, d, d.size() < 3 ? 1000 : 60); }, true);
  });
  add("compact", [](Planting& p) { with_layout(p, [](hid_t q, const Dims&) { H5Pset_layout(q, H5D_COMPACT); }); });
  add("space taken early",
      [](Planting& p) { with_layout(p, [](hid_t q, const Dims&) { H5Pset_alloc_time(q, H5D_ALLOC_TIME_EARLY); }); });
  add("times, never written", [](Planting& p) {
    const Handle late = dataset_properties();
    H5Pset_alloc_time(late, H5D_ALLOC_TIME_LATE);
    remake(p.file, p.dataset(), {}, late);
  });
  add("a fill value, no values", [](Planting& p) {
    const std::string path = p.dataset();
    const Handle properties = dataset_properties();
    const double value = 1e300;
    H5Pset_fill_value(properties, H5T_NATIVE_DOUBLE, &value);
    remake(p.file, path, {}, properties);
  });
  add("an undefined fill value", [](Planting& p) {
    const std::string path = p.dataset();
    const Handle properties = dataset_properties();
    H5Pset_fill_value(properties, type_at(p.file, path), nullptr);
    remake(p.file, path, {}, properties);
  });
  add("packed 30 times", [](Planting& p) {
    with_layout(p, [](hid_t q, const Dims& d) {
      set_chunks(q, d, 2);
      for (int i = 0; i < 30; ++i) H5Pset_deflate(q, 1);
    });
  });
  add("shuffled 20 times", [](Planting& p) {
    with_layout(p, [](hid_t q, const Dims& d) {
      set_chunks(q, d, 2);
      for (int i = 0; i < 20; ++i) H5Pset_filter(q, H5Z_FILTER_SHUFFLE, 0, 0, nullptr);
    });
  });
  add("checked by Fletcher", [](Planting& p) {
    with_layout(p, [](hid_t q, const Dims& d) {
      set_chunks(q, d, 2);
      H5Pset_fletcher32(q);
    });
  });
  add("n-bit", [](Planting& p) {
    // HDF5 1.10 follows a null pointer while it makes a text of any length so.
    if (H5Tdetect_class(type_at(p.file, p.contents.datasets[p.place % p.contents.datasets.size()]), H5T_STRING) > 0)
      return;
    with_layout(p, [](hid_t q, const Dims& d) {
      set_chunks(q, d, 2);
      H5Pset_nbit(q);
    });
  });
  add("scale-offset", [](Planting& p) {
    with_layout(p, [](hid_t q, const Dims& d) {
      set_chunks(q, d, 2);
      H5Pset_scaleoffset(q, H5Z_SO_INT, 2);
    });
  });
  add("an unknown filter", [](Planting& p) {
    with_layout(p, [](hid_t q, const Dims& d) {
      set_chunks(q, d, 2);
      H5Pset_filter(q, 32015, H5Z_FLAG_OPTIONAL, 0, nullptr);
    });
  });
  add("external storage", [](Planting& p) {
    const std::string path = p.dataset();
    const Handle properties = dataset_properties();
    H5Pset_external(properties, "/dev/zero", 0, H5F_UNLIMITED);
    remake(p.file, path, {}, properties);
  });
  add("virtual", [](Planting& p) {
    const std::string path = p.dataset();
    const Handle properties = dataset_properties();
    const Handle space(H5Dget_space(hdf5::open_dataset(p.file, path)), H5Sclose, "space");
    H5Pset_virtual(properties, space, "/dev/zero", "x", space);
    remake(p.file, path, {}, properties);
  });
  add("virtual, of the same file", [](Planting& p) {
    const std::string path = p.dataset();
    const Handle properties = dataset_properties();
    const Handle space(H5Dget_space(hdf5::open_dataset(p.file, path)), H5Sclose, "space");
    H5Pset_virtual(properties, space, ".", path.c_str(), space);
    remake(p.file, path, {}, properties);
  });
  add("256 MB of zeros", [](Planting& p) { plant_zeros(p, list_of_any_length(p), 1 << 25, 1 << 20, 1); });
  add("256 MB in one chunk, packed twice", [](Planting& p) {
    const std::string path = list_of_any_length(p);
    plant_zeros(p, path, dims_at(p.file, path).empty() ? 1 : dims_at(p.file, path)[0], 1 << 25, 2);
  });
  add("20000 texts in one place", plant_shared_texts);
}

}  // namespace gwrm::hard_input
