// Links that go round, nowhere, outside, deep or many ways; names that no file system would take.
#include <algorithm>

#include "hard_input/hostile_hdf5.hpp"

namespace gwrm::hard_input {
namespace {

using hdf5::Handle;

void remove(hid_t file, const std::string& path) {
  H5Ldelete(file, path.c_str(), H5P_DEFAULT);
}

void soft(hid_t file, const std::string& to, const std::string& name) {
  H5Lcreate_soft(to.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
}

void hard(hid_t file, const std::string& to, const std::string& name) {
  H5Lcreate_hard(file, to.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
}

// `depth` groups, one in the other.
void nest(hid_t parent, std::size_t depth) {
  Handle group(H5Gcreate2(parent, "deep", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "group");
  for (std::size_t i = 1; i < depth; ++i)
    group = Handle(H5Gcreate2(group, "d", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "group");
}

// In place of a dataset or beside it.
void name_it(Planting& p, const std::string& name) {
  const std::string path = p.dataset();
  const std::size_t slash = path.rfind('/');
  const std::string other = (slash == std::string::npos ? "" : path.substr(0, slash + 1)) + name;
  if (p.below(2) == 0)
    H5Lmove(p.file, path.c_str(), p.file, other.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  else
    hard(p.file, path, other);
}

hid_t follow_nothing(const char*, hid_t, const void*, std::size_t, hid_t, hid_t) {
  return -1;
}

void plant_own_class(Planting& p) {
  H5L_class_t own = {};
  own.version = H5L_LINK_CLASS_T_VERS;
  own.id = static_cast<H5L_type_t>(H5L_TYPE_UD_MIN + 3);
  own.comment = "own";
  own.trav_func = follow_nothing;
  H5Lregister(&own);
  const std::string path = p.object();
  remove(p.file, path);
  H5Lcreate_ud(p.file, path.c_str(), own.id, "12345678", 8, H5P_DEFAULT, H5P_DEFAULT);
  H5Lunregister(own.id);
}

}  // namespace

void add_link_kinds(std::vector<Kind>& kinds) {
  const auto add = [&](const char* name, std::function<void(Planting&)> plant) {
    kinds.push_back({std::string("links, ") + name, std::move(plant)});
  };
  add("to itself", [](Planting& p) {
    const std::string path = p.object();
    remove(p.file, path);
    soft(p.file, "/" + path, path);
  });
  add("two in a circle", [](Planting& p) {
    const std::string path = p.object();
    remove(p.file, path);
    soft(p.file, "/back", path);
    soft(p.file, "/" + path, "back");
  });
  add("a chain of 40", [](Planting& p) {
    const std::string path = p.object();
    H5Lmove(p.file, path.c_str(), p.file, "c0", H5P_DEFAULT, H5P_DEFAULT);
    for (int i = 1; i <= 40; ++i) soft(p.file, "/c" + std::to_string(i - 1), "c" + std::to_string(i));
    soft(p.file, "/c40", path);
  });
  add("to another object", [](Planting& p) {
    const std::string path = p.object(), other = p.object();
    remove(p.file, path);
    soft(p.file, "/" + other, path);
  });
  add("to nowhere", [](Planting& p) {
    const std::string path = p.object();
    remove(p.file, path);
    soft(p.file, "/nowhere/at/all", path);
  });
  add("to the root in place of an object", [](Planting& p) {
    const std::string path = p.object();
    remove(p.file, path);
    hard(p.file, "/", path);
  });
  add("a group in itself", [](Planting& p) {
    const std::string path = p.group();
    hard(p.file, path, path + "/again");
  });
  add("groups in each other", [](Planting& p) {
    const std::string a = p.group(), b = p.group();
    hard(p.file, a, b + "/a");
    hard(p.file, b, a + "/b");
  });
  add("a second name", [](Planting& p) { hard(p.file, p.object(), p.group() + "/second"); });
  add("a path through a circle", [](Planting& p) {
    const std::string group = p.group(), path = p.dataset();
    hard(p.file, group, group + "/again");
    std::string way = "/" + group;
    for (int i = 0; i < 2000; ++i) way += "/again";
    remove(p.file, path);
    soft(p.file, way, path);
  });
  add("10000 names of a dataset", [](Planting& p) {
    const std::string path = p.dataset(), group = p.below(2) == 0 ? "" : p.group() + "/";
    for (int i = 0; i < 10000; ++i) hard(p.file, path, group + "n" + std::to_string(i));
  });
  add("10000 soft links", [](Planting& p) {
    const std::string path = p.dataset(), group = p.below(2) == 0 ? "" : p.group() + "/";
    for (int i = 0; i < 10000; ++i) soft(p.file, "/" + path, group + "n" + std::to_string(i));
  });
  add("5000 groups", [](Planting& p) {
    for (int i = 0; i < 5000; ++i)
      Handle(H5Gcreate2(p.file, ("g" + std::to_string(i)).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
             "group");
  });
  add("groups 100 deep", [](Planting& p) { nest(p.file, 100); });
  add("groups 4000 deep", [](Planting& p) { nest(p.file, 4000); });
  add("200 groups that hold each other", [](Planting& p) {
    for (int i = 0; i < 200; ++i)
      Handle(H5Gcreate2(p.file, ("g" + std::to_string(i)).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
             "group");
    for (int i = 0; i < 200; ++i)
      for (int j = 0; j < 20; ++j)
        hard(p.file, "g" + std::to_string(i), "g" + std::to_string((i + 7 * j + 1) % 200) + "/to" + std::to_string(j));
  });
  add("to another file", [](Planting& p) {
    const std::string path = p.object();
    remove(p.file, path);
    H5Lcreate_external("/dev/zero", "/", p.file, path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  });
  add("to another file, in a new group", [](Planting& p) {
    nest(p.file, 3);
    H5Lcreate_external("other.h5", "/x", p.file, "deep/d/d/out", H5P_DEFAULT, H5P_DEFAULT);
  });
  add("of a class of one's own", plant_own_class);
  add("a type in place of an object", [](Planting& p) {
    const std::string path = p.object();
    remove(p.file, path);
    const Handle type(H5Tcopy(H5T_NATIVE_INT), H5Tclose, "type");
    H5Tcommit2(p.file, path.c_str(), type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  });
  add("datasets and groups exchanged", [](Planting& p) {
    const std::string path = p.dataset(), group = p.group();
    H5Lmove(p.file, path.c_str(), p.file, "/taken", H5P_DEFAULT, H5P_DEFAULT);
    if (path.rfind(group + "/", 0) != 0) {
      H5Lmove(p.file, group.c_str(), p.file, path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      H5Lmove(p.file, "/taken", p.file, group.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    }
  });
  add("names of control characters", [](Planting& p) { name_it(p, "\x1b]0;owned\x07\x1b[2J\r\b"); });
  add("names of line ends", [](Planting& p) { name_it(p, "a\nerror: b\r\nc"); });
  add("names that are no UTF-8", [](Planting& p) { name_it(p, "\xff\xfe\xc0\x80\xed\xa0\x80"); });
  add("names of dots", [](Planting& p) { name_it(p, ".. "); });
  add("names of XML and commas", [](Planting& p) { name_it(p, "<&\">]]>,;\"'"); });
  add("names of 60000 bytes", [](Planting& p) { name_it(p, std::string(60000, 'n')); });
}

}  // namespace gwrm::hard_input
