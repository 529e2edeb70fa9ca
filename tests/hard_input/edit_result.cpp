#include "hard_input/edit_result.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <vector>

#include "hard_input/mutate_text.hpp"
#include "output/checksum.hpp"
#include "output/hdf5_handles.hpp"

namespace gwrm::hard_input {
namespace {

using hdf5::Dims;
using hdf5::Handle;

constexpr std::size_t kTrailer = 16;

constexpr std::array<double, 12> kNumbers = {std::numeric_limits<double>::quiet_NaN(),
                                             std::numeric_limits<double>::infinity(),
                                             -std::numeric_limits<double>::infinity(),
                                             0.0,
                                             -1.0,
                                             1.0,
                                             2.0,
                                             1e308,
                                             -1e308,
                                             5e-324,
                                             4294967296.0,
                                             0.1};
constexpr std::array<int, 12> kIntegers = {
    -1, 0, 1, 2, 3, 7, 100, 65536, 1000000, 1000001, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()};

struct Object {
  std::string path;
  H5O_type_t type;
};

struct Attribute {
  std::string object, name;
};

std::vector<Object> objects_in(hid_t file) {
  std::vector<Object> objects;
  const auto add = [](hid_t, const char* name, const H5O_info_t* info, void* list) -> herr_t {
    static_cast<std::vector<Object>*>(list)->push_back({name, info->type});
    return 0;
  };
  H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, add, &objects);
  return objects;
}

std::vector<Attribute> attributes_in(hid_t file, const std::vector<Object>& objects) {
  std::vector<Attribute> attributes;
  for (const Object& object : objects) {
    std::vector<std::string> names;
    const auto add = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
      static_cast<std::vector<std::string>*>(list)->emplace_back(name);
      return 0;
    };
    const hid_t id = H5Oopen(file, object.path.c_str(), H5P_DEFAULT);
    if (id < 0) continue;
    H5Aiterate2(id, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names);
    H5Oclose(id);
    for (const std::string& name : names) attributes.push_back({object.path, name});
  }
  return attributes;
}

// One file under change. HDF5's refusals are taken as they come: a change that it does not make is none.
class Editor {
 public:
  Editor(hid_t file, const Below& below) : file_(file), below_(below) {}

  void change() {
    const std::vector<Object> objects = objects_in(file_);
    if (objects.empty()) return;
    const std::vector<Attribute> attributes = attributes_in(file_, objects);
    if (!attributes.empty() && below_(2) == 0)
      change_attribute(attributes[below_(attributes.size())]);
    else
      change_object(objects[below_(objects.size())], objects[below_(objects.size())]);
  }

 private:
  Handle space() {
    const std::array<Dims, 5> shapes = {Dims{0}, Dims{1}, Dims{2}, Dims{3, 2}, Dims{1, 1, 1}};
    const std::size_t choice = below_(shapes.size() + 2);
    if (choice == shapes.size()) return {H5Screate(H5S_NULL), H5Sclose, "space"};
    if (choice > shapes.size()) return {H5Screate(H5S_SCALAR), H5Sclose, "space"};
    return {H5Screate_simple(static_cast<int>(shapes[choice].size()), shapes[choice].data(), nullptr), H5Sclose,
            "space"};
  }

  Handle type() {
    switch (below_(7)) {
      case 0:
        return {H5Tcopy(H5T_NATIVE_INT), H5Tclose, "type"};
      case 1:
        return {H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose, "type"};
      case 2:
        return {H5Tcopy(H5T_NATIVE_INT64), H5Tclose, "type"};
      case 3:
        return {H5Tcopy(H5T_NATIVE_FLOAT), H5Tclose, "type"};
      case 4: {
        Handle text(H5Tcopy(H5T_C_S1), H5Tclose, "type");
        H5Tset_size(text, H5T_VARIABLE);
        return text;
      }
      case 5:
        return {H5Tcreate(H5T_OPAQUE, 1 + below_(9)), H5Tclose, "type"};
      default:
        return text_type(1 + below_(40));
    }
  }

  static Handle text_type(std::size_t length) {
    Handle text(H5Tcopy(H5T_C_S1), H5Tclose, "type");
    H5Tset_size(text, std::max<std::size_t>(1, length));
    return text;
  }

  void make_attribute(hid_t object, const std::string& name, hid_t type, hid_t space, const void* value) {
    H5Adelete(object, name.c_str());
    const hid_t made = H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (made < 0) return;
    if (value != nullptr) H5Awrite(made, type, value);
    H5Aclose(made);
  }

  void change_attribute(const Attribute& attribute) {
    const Handle object(H5Oopen(file_, attribute.object.c_str(), H5P_DEFAULT), H5Oclose, "object");
    switch (below_(4)) {
      case 0:
        H5Adelete(object, attribute.name.c_str());
        break;
      case 1:
        make_attribute(object, attribute.name, type(), space(), nullptr);
        break;
      default:
        change_value(object, attribute.name);
        break;
    }
  }

  void change_value(hid_t object, const std::string& name) {
    const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "attribute");
    const Handle stored(H5Aget_type(attribute), H5Tclose, "type");
    const Handle one(H5Screate(H5S_SCALAR), H5Sclose, "space");
    const H5T_class_t kind = H5Tget_class(stored);
    if (kind == H5T_INTEGER) {
      const int value = kIntegers[below_(kIntegers.size())];
      make_attribute(object, name, H5T_NATIVE_INT, one, &value);
    } else if (kind == H5T_FLOAT) {
      const double value = kNumbers[below_(kNumbers.size())];
      make_attribute(object, name, H5T_NATIVE_DOUBLE, one, &value);
    } else if (kind == H5T_STRING && H5Tis_variable_str(stored) == 0) {
      std::string text(H5Aget_storage_size(attribute), '\0');  // an earlier change may have made it several
      H5Aread(attribute, stored, text.data());
      text = mutated_text(text, {}, below_);
      make_attribute(object, name, text_type(text.size()), one, text.empty() ? "" : text.data());
    } else {
      H5Adelete(object, name.c_str());
    }
  }

  void change_object(const Object& object, const Object& other) {
    const bool is_dataset = object.type == H5O_TYPE_DATASET;
    const char* path = object.path.c_str();
    switch (below_(is_dataset ? 9 : 4)) {
      case 0:
        H5Ldelete(file_, path, H5P_DEFAULT);
        break;
      case 1:  // another object under this name
        H5Ldelete(file_, path, H5P_DEFAULT);
        H5Lcreate_hard(file_, other.path.c_str(), file_, path, H5P_DEFAULT, H5P_DEFAULT);
        break;
      case 2:  // a link to nowhere, or to itself
        H5Ldelete(file_, path, H5P_DEFAULT);
        H5Lcreate_soft(below_(2) == 0 ? "/nowhere" : path, file_, path, H5P_DEFAULT, H5P_DEFAULT);
        break;
      case 3:
        replace_by_the_other_kind(object);
        break;
      case 4:
        remake(path, type(), space(), H5P_DEFAULT);
        break;
      case 5:
        make_huge(path);
        break;
      default:
        change_numbers(path);
        break;
    }
  }

  void replace_by_the_other_kind(const Object& object) {
    if (object.type == H5O_TYPE_DATASET) {
      H5Ldelete(file_, object.path.c_str(), H5P_DEFAULT);
      const hid_t group = H5Gcreate2(file_, object.path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      if (group >= 0) H5Gclose(group);
    } else {
      remake(object.path.c_str(), type(), space(), H5P_DEFAULT);
    }
  }

  void remake(const char* path, hid_t type, hid_t space, hid_t properties) {
    H5Ldelete(file_, path, H5P_DEFAULT);
    const hid_t made = H5Dcreate2(file_, path, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    if (made >= 0) H5Dclose(made);
  }

  // Of billions of numbers, none of which is there.
  void make_huge(const char* path) {
    const int rank = 1 + static_cast<int>(below_(3));
    const Dims extents(static_cast<std::size_t>(rank), hsize_t{1} << (20 + below_(20))),
        chunk(static_cast<std::size_t>(rank), 64);
    const Handle huge(H5Screate_simple(rank, extents.data(), nullptr), H5Sclose, "space");
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "properties");
    H5Pset_chunk(properties, rank, chunk.data());
    remake(path, below_(2) == 0 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT, huge, properties);
  }

  void change_numbers(const char* path) {
    const Handle dataset(H5Dopen2(file_, path, H5P_DEFAULT), H5Dclose, "dataset");
    const Handle type(H5Dget_type(dataset), H5Tclose, "type");
    const Handle space(H5Dget_space(dataset), H5Sclose, "space");
    const auto count = static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space)));
    const H5T_class_t kind = H5Tget_class(type);
    if (count == 0 || count > 1000000) return;
    if (kind == H5T_FLOAT) {
      std::vector<double> values(count);
      H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
      for (std::size_t i = 0; i < 3; ++i) values[below_(count)] = kNumbers[below_(kNumbers.size())];
      H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    } else if (kind == H5T_INTEGER) {
      std::vector<int> values(count);
      H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
      for (std::size_t i = 0; i < 3; ++i) values[below_(count)] = kIntegers[below_(kIntegers.size())];
      H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    }
  }

  hid_t file_;
  const Below& below_;
};

}  // namespace

void edit_result(const std::string& path, const Below& below) {
  put_bytes(path, without_trailer(bytes_of(path)));
  {
    const hdf5::SilentErrors silent;
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "opening " + path);
    Editor editor(file, below);
    for (std::size_t n = 1 + below(4); n > 0; --n) try {
        editor.change();
      } catch (const OutputError&) {  // what is there no longer cannot be changed
      }
  }
  put_bytes(path, with_trailer(bytes_of(path)));
}

std::string damaged_bytes(std::string bytes, const Below& below) {
  const std::size_t place = below(bytes.size()),
                    length = std::min(bytes.size() - place, 1 + below(std::size_t{1} << below(10)));
  switch (below(8)) {
    case 0:
      return bytes.replace(place, length, length, below(2) == 0 ? '\0' : '\xff');
    case 1:
      return bytes.erase(place, length);
    case 2:
      return bytes.insert(place, bytes.substr(below(bytes.size()), length));
    case 3:
      bytes.resize(place);
      return bytes;
    case 4:  // the headers stand in front: all of the damage there
      for (std::size_t n = 1 + below(8); n > 0; --n)
        bytes[below(std::min<std::size_t>(bytes.size(), 2048))] = static_cast<char>(below(256));
      return bytes;
    default:
      for (std::size_t n = std::size_t{1} << below(6); n > 0; --n)
        bytes[below(bytes.size())] = static_cast<char>(below(256));
      return bytes;
  }
}

std::string without_trailer(std::string bytes) {
  bytes.resize(bytes.size() - std::min(bytes.size(), kTrailer));
  return bytes;
}

std::string with_trailer(std::string bytes) {
  const auto trailer = word_checksum_trailer({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
  return bytes.append(reinterpret_cast<const char*>(trailer.data()), trailer.size());
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void put_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace gwrm::hard_input
