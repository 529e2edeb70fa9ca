// The coordinates of datasets as h5py, xarray and netCDF-4 attach them: files made here with the HDF5 library alone.
#include "output/array_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <filesystem>
#include <string>
#include <vector>

namespace gwrm::array_file_test {
namespace {

using Scales = std::vector<std::optional<DimensionScale>>;

class ArrayFileScales : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ =
        (std::filesystem::temp_directory_path() /
         (std::string("gwrm_array_file_") + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".h5"))
            .string();
    file_ = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GE(file_, 0);
    const hsize_t dims[2] = {2, 3};
    const double values[6] = {1, 2, 3, 4, 5, 6};
    H5LTmake_dataset_double(file_, "f", 2, dims, values);
  }
  void TearDown() override {
    close();
    std::filesystem::remove(path_);
  }
  void close() {
    if (file_ >= 0) H5Fclose(file_);
    file_ = -1;
  }
  // Makes a list a scale and attaches it to a dimension of f.
  void attach(const std::string& name, unsigned dimension, const std::string& label) const {
    const hid_t scale = H5Dopen2(file_, name.c_str(), H5P_DEFAULT), f = H5Dopen2(file_, "f", H5P_DEFAULT);
    H5DSset_scale(scale, label.c_str());
    H5DSattach_scale(f, scale, dimension);
    H5Dclose(f);
    H5Dclose(scale);
  }
  void list(const std::string& name, const std::vector<double>& values) const {
    const hsize_t n = values.size();
    H5LTmake_dataset_double(file_, name.c_str(), 1, &n, values.data());
  }
  Scales scales() {
    close();
    return read_dimension_scales(path_, "f");
  }

  hid_t file_ = -1;
  std::string path_;
};

TEST_F(ArrayFileScales, ThereAreNone) {
  const Scales found = scales();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_FALSE(found[0] || found[1]);
}

TEST_F(ArrayFileScales, OfOneDimensionOnly) {
  list("x", {-1.0, 0.5, 1.0});
  attach("x", 1, "x");
  const Scales found = scales();
  EXPECT_FALSE(found[0]);
  ASSERT_TRUE(found[1]);
  EXPECT_EQ(found[1]->name, "x");
  EXPECT_EQ(found[1]->values, (std::vector<double>{-1.0, 0.5, 1.0}));
  EXPECT_EQ(found[1]->rounding, 0.0);
}

TEST_F(ArrayFileScales, PlaceholdersOfNetcdfDoNotCount) {
  list("y", {0.0, 0.0});
  attach("y", 0, "This is a netCDF dimension but not a netCDF variable.         2");
  list("x", {0.0, 0.0, 0.0});
  attach("x", 1, "This is a netCDF dimension but not a netCDF variable.         3");
  list("r", {3.0, 2.0, 1.0});  // a second scale of the dimension
  attach("r", 1, "r");
  const Scales found = scales();
  EXPECT_FALSE(found[0]);
  ASSERT_TRUE(found[1]);
  EXPECT_EQ(found[1]->values, (std::vector<double>{3.0, 2.0, 1.0}));
}

TEST_F(ArrayFileScales, SinglePrecisionAndPacking) {
  const hsize_t three = 3, two = 2;
  const float x[3] = {0.25F, 0.5F, 1.0F};
  H5LTmake_dataset_float(file_, "x", 1, &three, x);
  attach("x", 1, "x");
  const short y[2] = {10, 20};
  H5LTmake_dataset_short(file_, "y", 1, &two, y);
  attach("y", 0, "y");
  const double factor = 0.5, offset = -5.0;
  H5LTset_attribute_double(file_, "y", "scale_factor", &factor, 1);
  H5LTset_attribute_double(file_, "f", "add_offset", &offset, 1);
  const Scales found = scales();
  ASSERT_TRUE(found[0] && found[1]);
  EXPECT_EQ(found[0]->values, (std::vector<double>{5.0, 10.0}));
  EXPECT_EQ(found[1]->values, (std::vector<double>{0.25, 0.5, 1.0}));
  EXPECT_GT(found[1]->rounding, 5e-8);
  EXPECT_EQ(read_array(path_, "f").data, (std::vector<double>{-4.0, -3.0, -2.0, -1.0, 0.0, 1.0}));
}

TEST_F(ArrayFileScales, OfAnotherLengthIsRefused) {
  list("x", {0.0, 1.0});
  attach("x", 1, "x");
  try {
    scales();
    FAIL();
  } catch (const CaseError& error) {
    EXPECT_NE(std::string(error.what()).find("the scale x of dimension 1 is not a list of 3 numbers"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace gwrm::array_file_test
