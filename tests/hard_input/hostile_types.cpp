// Types of every class, widths that no processor has, byte orders, types stored under a name.
#include "hard_input/hostile_hdf5.hpp"

namespace gwrm::hard_input {
namespace {

using hdf5::Handle;

Handle owned(hid_t type) {
  return {type, H5Tclose, "type"};
}

Handle compound(std::size_t n_members, hid_t member) {
  const std::size_t size = H5Tget_size(member);
  Handle type = owned(H5Tcreate(H5T_COMPOUND, n_members * size));
  for (std::size_t i = 0; i < n_members; ++i) H5Tinsert(type, ("m" + std::to_string(i)).c_str(), i * size, member);
  return type;
}

Handle enumeration() {
  Handle type = owned(H5Tenum_create(H5T_NATIVE_INT));
  for (int i = 0; i < 3; ++i) H5Tenum_insert(type, ("e" + std::to_string(i)).c_str(), &i);
  return type;
}

Handle text(std::size_t size, H5T_cset_t set, H5T_str_t padding) {
  Handle type = owned(H5Tcopy(H5T_C_S1));
  H5Tset_size(type, size);
  H5Tset_cset(type, set);
  H5Tset_strpad(type, padding);
  return type;
}

// Numbers of so many bytes, of which `precision` bits from `offset` on count.
Handle integer(std::size_t bytes, std::size_t precision, std::size_t offset) {
  Handle type = owned(H5Tcopy(H5T_STD_I32BE));
  H5Tset_size(type, bytes);
  H5Tset_precision(type, precision);
  H5Tset_offset(type, offset);
  return type;
}

Handle floating(std::size_t bytes, std::size_t exponent, std::size_t mantissa) {
  Handle type = owned(H5Tcopy(H5T_IEEE_F64LE));
  H5Tset_size(type, std::max<std::size_t>(bytes, 8));
  H5Tset_precision(type, 1 + exponent + mantissa);
  H5Tset_fields(type, exponent + mantissa, mantissa, exponent, 0, mantissa);
  H5Tset_ebias(type, (std::size_t{1} << (exponent - 1)) - 1);
  H5Tset_size(type, bytes);
  return type;
}

Handle array_of(hid_t member, const hdf5::Dims& dims) {
  return owned(H5Tarray_create2(member, static_cast<unsigned>(dims.size()), dims.data()));
}

Handle committed(hid_t file, hid_t type) {
  Handle copy = owned(H5Tcopy(type));
  H5Tcommit2(file, "a_type", copy, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  return copy;
}

}  // namespace

const std::vector<NamedType>& hostile_types() {
  static const std::vector<NamedType> types = {
      {"compound", [](hid_t) { return compound(2, H5T_NATIVE_DOUBLE); }},
      {"compound of 500 members", [](hid_t) { return compound(500, H5T_NATIVE_INT); }},
      {"compound of compounds", [](hid_t) { return compound(3, compound(3, compound(3, H5T_NATIVE_DOUBLE))); }},
      {"compound of texts of any length",
       [](hid_t) { return compound(2, text(H5T_VARIABLE, H5T_CSET_UTF8, H5T_STR_NULLTERM)); }},
      {"enumeration", [](hid_t) { return enumeration(); }},
      {"opaque", [](hid_t) { return owned(H5Tcreate(H5T_OPAQUE, 8)); }},
      {"bit field", [](hid_t) { return owned(H5Tcopy(H5T_STD_B64BE)); }},
      {"list of any length", [](hid_t) { return owned(H5Tvlen_create(H5T_NATIVE_DOUBLE)); }},
      {"list of lists", [](hid_t) { return owned(H5Tvlen_create(owned(H5Tvlen_create(H5T_NATIVE_INT)))); }},
      {"list of texts",
       [](hid_t) { return owned(H5Tvlen_create(text(H5T_VARIABLE, H5T_CSET_ASCII, H5T_STR_NULLTERM))); }},
      {"text of any length", [](hid_t) { return text(H5T_VARIABLE, H5T_CSET_UTF8, H5T_STR_NULLTERM); }},
      {"text of one byte", [](hid_t) { return text(1, H5T_CSET_ASCII, H5T_STR_NULLPAD); }},
      {"text padded with spaces", [](hid_t) { return text(64, H5T_CSET_UTF8, H5T_STR_SPACEPAD); }},
      {"text of 60000 bytes", [](hid_t) { return text(60000, H5T_CSET_ASCII, H5T_STR_NULLTERM); }},
      {"object reference", [](hid_t) { return owned(H5Tcopy(H5T_STD_REF_OBJ)); }},
      {"region reference", [](hid_t) { return owned(H5Tcopy(H5T_STD_REF_DSETREG)); }},
      {"array", [](hid_t) { return array_of(H5T_NATIVE_DOUBLE, {3}); }},
      {"array of 100 x 50",
       [](hid_t) {
         return array_of(H5T_NATIVE_INT, {100, 50});
       }},
      {"array of arrays",
       [](hid_t) {
         return array_of(array_of(H5T_NATIVE_INT, {2}), {2, 2});
       }},
      {"double, big-endian", [](hid_t) { return owned(H5Tcopy(H5T_IEEE_F64BE)); }},
      {"double, VAX", [](hid_t) { return owned(H5Tcopy(H5T_VAX_F64)); }},
      {"float of 2 bytes", [](hid_t) { return floating(2, 5, 10); }},
      {"float of 100 bytes", [](hid_t) { return floating(100, 11, 52); }},
      {"float with an exponent of 60 bits", [](hid_t) { return floating(8, 60, 3); }},
      {"long double", [](hid_t) { return owned(H5Tcopy(H5T_NATIVE_LDOUBLE)); }},
      {"integer, big-endian", [](hid_t) { return owned(H5Tcopy(H5T_STD_I64BE)); }},
      {"integer without sign", [](hid_t) { return owned(H5Tcopy(H5T_STD_U64LE)); }},
      {"integer of 3 bits", [](hid_t) { return integer(4, 3, 17); }},
      {"integer of 64 bytes", [](hid_t) { return integer(64, 500, 7); }},
      {"time", [](hid_t) { return owned(H5Tcopy(H5T_UNIX_D64LE)); }},
      {"committed double", [](hid_t file) { return committed(file, H5T_NATIVE_DOUBLE); }},
      {"committed compound", [](hid_t file) { return committed(file, compound(2, H5T_NATIVE_DOUBLE)); }},
  };
  return types;
}

}  // namespace gwrm::hard_input
