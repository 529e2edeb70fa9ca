#include "output/number_series.hpp"

#include <filesystem>

#include "output/hdf5_outside.hpp"

namespace gwrm {

using namespace hdf5;

struct NumberSeries::Impl {
  SilentErrors silent;
  Handle file, dataset;
  std::string name;
  Index size = 0;
};

static Handle open(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) throw OutputError("there is no file " + file);
  // A pipe would wait for its other end.
  if (!std::filesystem::is_regular_file(file, ignored)) throw OutputError(file + " is not an ordinary file");
  return {H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "opening the HDF5 file " + file};
}

void NumberSeries::check_file(const std::string& file) {
  const SilentErrors silent;
  open(file);
}

NumberSeries::NumberSeries(const std::string& file, const std::string& dataset) : impl_(std::make_unique<Impl>()) {
  impl_->name = dataset + " of " + file;
  impl_->file = open(file);
  impl_->dataset = open_dataset_inside(impl_->file, dataset);
  const Handle type(H5Dget_type(impl_->dataset), H5Tclose, "opening the type of the dataset " + impl_->name);
  const H5T_class_t kind = H5Tget_class(type);
  const Dims dims = dims_of(impl_->dataset, impl_->name);
  if (dims.size() != 1 || (kind != H5T_FLOAT && kind != H5T_INTEGER))
    throw OutputError("the dataset " + impl_->name + " is no list of numbers (one dimension)");
  impl_->size = static_cast<Index>(dims[0]);
}

NumberSeries::~NumberSeries() = default;
NumberSeries::NumberSeries(NumberSeries&&) noexcept = default;

Index NumberSeries::size() const {
  return impl_->size;
}

void NumberSeries::read(Index first, Index count, double* values) const {
  const hsize_t start = static_cast<hsize_t>(first), length = static_cast<hsize_t>(count);
  const std::string what = "reading the dataset " + impl_->name;
  const Handle from(H5Dget_space(impl_->dataset), H5Sclose, what);
  check(H5Sselect_hyperslab(from, H5S_SELECT_SET, &start, nullptr, &length, nullptr), what);
  const Handle to(H5Screate_simple(1, &length, nullptr), H5Sclose, what);
  check(H5Dread(impl_->dataset, H5T_NATIVE_DOUBLE, to, from, H5P_DEFAULT, values), what);
}

}  // namespace gwrm
