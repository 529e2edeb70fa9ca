// Attributes of other types, extents and numbers; references astray; texts that a reader takes lists of names from.
#include <algorithm>
#include <cstring>

#include "hard_input/hostile_hdf5.hpp"

namespace gwrm::hard_input {
namespace {

using hdf5::Dims;
using hdf5::Handle;

Handle open_object(hid_t file, const std::string& path) {
  return {H5Oopen(file, path.empty() ? "/" : path.c_str(), H5P_DEFAULT), H5Oclose, "object"};
}

Handle scalar() {
  return {H5Screate(H5S_SCALAR), H5Sclose, "space"};
}

void set_text(hid_t object, const std::string& name, const std::string& value) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "type");
  H5Tset_size(type, std::max<std::size_t>(1, value.size()));
  set_attribute(object, name, type, scalar(), value.empty() ? "" : value.data());
}

// The value of one of the file's own attributes of this name becomes `value`; of any where none has the name.
void set_text_of(Planting& p, const std::string& name, const std::string& value) {
  std::vector<std::string> objects;
  for (const auto& [object, attribute] : p.contents.attributes)
    if (attribute == name) objects.push_back(object);
  set_text(open_object(p.file, objects.empty() ? p.dataset() : p.one_of(objects)), name, value);
}

std::string repeated(const std::string& text, std::size_t n) {
  std::string all;
  for (std::size_t i = 0; i < n; ++i) all += text;
  return all;
}

void on_any(Planting& p, const std::function<void(hid_t object, const std::string& name)>& change) {
  const auto& [object, name] = p.one_of(p.contents.attributes);
  change(open_object(p.file, object), name);
}

// One of the datasets with scales.
std::string scaled(Planting& p) {
  std::vector<std::string> found;
  for (const auto& [object, attribute] : p.contents.attributes)
    if (attribute == "DIMENSION_LIST") found.push_back(object);
  return found.empty() ? p.dataset() : p.one_of(found);
}

// DIMENSION_LIST with `n` references for each dimension; all of them to `to`, or made up.
void set_scales(Planting& p, const std::string& path, const std::string& to, std::size_t n) {
  const Dims dims = hdf5::dims_of(hdf5::open_dataset(p.file, path), path);
  hobj_ref_t reference = 0x1234567;
  if (!to.empty()) H5Rcreate(&reference, p.file, to.c_str(), H5R_OBJECT, -1);
  std::vector<hobj_ref_t> references(n, reference);
  std::vector<hvl_t> lists(std::max<std::size_t>(1, dims.size()), hvl_t{n, references.data()});
  const Handle type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose, "type");
  set_attribute(open_object(p.file, path), "DIMENSION_LIST", type, simple_space({lists.size()}), lists.data());
}

}  // namespace

void set_attribute(hid_t object, const std::string& name, hid_t type, hid_t space, const void* value) {
  H5Adelete(object, name.c_str());
  const hid_t made = H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (made < 0) return;
  if (value != nullptr) H5Awrite(made, type, value);
  H5Aclose(made);
}

void add_attribute_kinds(std::vector<Kind>& kinds) {
  for (const NamedType& type : hostile_types())
    kinds.push_back({"attribute, type: " + type.name, [&type](Planting& p) {
                       on_any(p, [&](hid_t object, const std::string& name) {
                         const Handle made = type.make(p.file);
                         const std::vector<unsigned char> zeros(H5Tget_size(made));
                         const bool refers = H5Tdetect_class(made, H5T_VLEN) > 0 || H5Tis_variable_str(made) > 0;
                         set_attribute(object, name, made, scalar(), refers ? nullptr : zeros.data());
                       });
                     }});
  const auto add = [&](const char* name, std::function<void(Planting&)> plant) {
    kinds.push_back({std::string("attribute, ") + name, std::move(plant)});
  };
  add("no extents", [](Planting& p) {
    on_any(p, [](hid_t object, const std::string& name) {
      set_attribute(object, name, H5T_NATIVE_INT, Handle(H5Screate(H5S_NULL), H5Sclose, "space"), nullptr);
    });
  });
  add("no values", [](Planting& p) {
    on_any(p, [](hid_t object, const std::string& name) {
      set_attribute(object, name, H5T_NATIVE_INT, simple_space({0}), nullptr);
    });
  });
  add("a list", [](Planting& p) {
    on_any(p, [](hid_t object, const std::string& name) {
      const std::vector<int> values(1000, 7);
      set_attribute(object, name, H5T_NATIVE_INT, simple_space({10, 100}), values.data());
    });
  });
  add("a text of 20 MB", [](Planting& p) {
    on_any(p, [](hid_t object, const std::string& name) { set_text(object, name, std::string(20 << 20, 'x')); });
  });
  add("a text of 70 MB", [](Planting& p) {
    on_any(p, [](hid_t object, const std::string& name) { set_text(object, name, std::string(70 << 20, 'x')); });
  });
  add("a text of 20 MB of lines", [](Planting& p) { set_text_of(p, "warnings", std::string(20 << 20, '\n')); });
  add("a text of control characters", [](Planting& p) {
    on_any(p, [](hid_t object, const std::string& name) {
      set_text(object, name, "\x1b[2J\x1b]0;t\x07\r\b\x7f\xc2\x9b");
    });
  });
  add("a text without an end", [](Planting& p) {
    on_any(p, [](hid_t object, const std::string& name) { set_text(object, name, std::string("a\0b", 3)); });
  });
  add("5000 others", [](Planting& p) {
    const Handle object = open_object(p.file, p.below(2) == 0 ? p.dataset() : "");
    for (int i = 0; i < 5000; ++i) set_text(object, "more" + std::to_string(i), "text");
  });
  add("names of control characters",
      [](Planting& p) { set_text(open_object(p.file, p.dataset()), "\x1b[2J\n\r", "t"); });
  add("names of 60000 bytes", [](Planting& p) { set_text(open_object(p.file, ""), std::string(60000, 'n'), "t"); });
  add("the same fields a million times", [](Planting& p) { set_text_of(p, "fields", repeated("u ", 1000000)); });
  add("fields of other groups", [](Planting& p) {
    const char* const names[] = {"../u", "/u", "./u", "/coefficients/u", "u/", "//u", "..", ".", "t_mode", "x_mode u"};
    set_text_of(p, "fields", names[p.below(std::size(names))]);
  });
  add("40 axes", [](Planting& p) { set_text_of(p, "axes", repeated("x ", 40)); });
  add("the same axis twice", [](Planting& p) { set_text_of(p, "axes", "t t x x"); });
  add("dimensions a million times", [](Planting& p) { set_text_of(p, "dimensions", repeated("window ", 1000000)); });
  add("a case of 20 MB of brackets", [](Planting& p) { set_text_of(p, "case", repeated("[", 20 << 20)); });
  add("a case that grows", [](Planting& p) {
    std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i)
      text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" +
              repeated("*a" + std::to_string(i - 1) + ", ", 10) + "x]\n";
    set_text_of(p, "case", text);
  });
  add("scales: the root", [](Planting& p) { set_scales(p, scaled(p), "/", 1); });
  add("scales: the dataset itself", [](Planting& p) {
    const std::string path = scaled(p);
    set_scales(p, path, path, 1);
  });
  add("scales: any object", [](Planting& p) { set_scales(p, scaled(p), p.dataset(), 1); });
  add("scales: made-up references", [](Planting& p) { set_scales(p, scaled(p), "", 1); });
  add("scales: none", [](Planting& p) { set_scales(p, scaled(p), "/", 0); });
  add("scales: 100000 each", [](Planting& p) { set_scales(p, scaled(p), p.dataset(), 100000); });
  add("scales on what has none", [](Planting& p) { set_scales(p, p.dataset(), p.dataset(), 2); });
  add("a region of a dataset", [](Planting& p) {
    const std::string path = p.dataset();
    const Handle space(H5Dget_space(hdf5::open_dataset(p.file, path)), H5Sclose, "space");
    hdset_reg_ref_t region;
    if (H5Rcreate(&region, p.file, path.c_str(), H5R_DATASET_REGION, space) < 0) return;
    on_any(p, [&](hid_t object, const std::string& name) {
      set_attribute(object, name, H5T_STD_REF_DSETREG, scalar(), &region);
    });
  });
  add("CLASS of a scale", [](Planting& p) { set_text(open_object(p.file, p.dataset()), "CLASS", "DIMENSION_SCALE"); });
  add("CLASS of no scale", [](Planting& p) { set_text_of(p, "CLASS", "IMAGE"); });
}

}  // namespace gwrm::hard_input
