// Grids and points in HDF5 files as other programs write them: the files are made here with the HDF5 library alone.
#include "output/data_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <filesystem>
#include <string>
#include <vector>

namespace gwrm::data_file_test {
namespace {

class DataFile : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = (std::filesystem::temp_directory_path() /
             (std::string("gwrm_data_file_") + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".h5"))
                .string();
    file_ = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GE(file_, 0);
  }
  void TearDown() override {
    close();
    std::filesystem::remove(path_);
  }
  void close() {
    if (file_ >= 0) H5Fclose(file_);
    file_ = -1;
  }

  void scale(const std::string& name, const std::vector<double>& values, const std::string& label) const {
    const hsize_t n = values.size();
    H5LTmake_dataset_double(file_, name.c_str(), 1, &n, values.data());
    const hid_t set = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
    H5DSset_scale(set, label.c_str());
    H5Dclose(set);
  }

  void dataset(const std::string& name, const std::vector<hsize_t>& dims, const std::vector<double>& values,
               const std::vector<std::string>& scales) const {
    H5LTmake_dataset_double(file_, name.c_str(), static_cast<int>(dims.size()), dims.data(), values.data());
    const hid_t set = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
    for (std::size_t d = 0; d < scales.size(); ++d) {
      const hid_t along = H5Dopen2(file_, scales[d].c_str(), H5P_DEFAULT);
      H5DSattach_scale(set, along, static_cast<unsigned>(d));
      H5Dclose(along);
    }
    H5Dclose(set);
  }

  DataTable read(const std::string& name = "") {
    close();
    return read_data_file(path_, name, {"x", "y"});
  }

  std::string message(const std::string& name = "") {
    try {
      read(name);
    } catch (const OutputError& error) {
      return error.what();
    } catch (const CaseError& error) {
      return error.what();
    }
    return "";
  }

  std::string path_;
  hid_t file_ = -1;
};

#define EXPECT_HOLDS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(DataFile, AGridHasTheCoordinatesOfItsScales) {
  scale("x", {0.0, 0.5, 2.0}, "x");
  scale("y", {1.0, 3.0}, "y");
  dataset("k", {3, 2}, {1, 2, 3, 4, 5, 6}, {"x", "y"});
  const DataTable table = read();
  EXPECT_EQ(table.dataset, "k");
  ASSERT_EQ(table.dimensions.size(), 2u);
  EXPECT_EQ(table.dimensions[0].name, "x");
  EXPECT_EQ(table.dimensions[0].coordinates, (std::vector<double>{0.0, 0.5, 2.0}));
  EXPECT_EQ(table.dimensions[1].name, "y");
  EXPECT_EQ(table.values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(table.is_grid);
  EXPECT_EQ(table.rounding, 0.0);
}

TEST_F(DataFile, CoordinatesThatDescendAreTurnedWithTheirValues) {
  scale("x", {2.0, 0.5, 0.0}, "x");
  scale("y", {3.0, 1.0}, "y");
  dataset("k", {3, 2}, {1, 2, 3, 4, 5, 6}, {"x", "y"});
  const DataTable table = read();
  EXPECT_EQ(table.dimensions[0].coordinates, (std::vector<double>{0.0, 0.5, 2.0}));
  EXPECT_EQ(table.dimensions[1].coordinates, (std::vector<double>{1.0, 3.0}));
  EXPECT_EQ(table.values, (std::vector<double>{6, 5, 4, 3, 2, 1}));
}

TEST_F(DataFile, PackedValuesAreUnpackedAndMissingOnesRefused) {
  scale("x", {0.0, 1.0}, "x");
  dataset("k", {2}, {10, 20}, {"x"});
  const double factor = 0.5, offset = 100.0;
  H5LTset_attribute_double(file_, "k", "scale_factor", &factor, 1);
  H5LTset_attribute_double(file_, "k", "add_offset", &offset, 1);
  EXPECT_EQ(read().values, (std::vector<double>{105.0, 110.0}));
  file_ = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const double fill = 20.0;
  H5LTset_attribute_double(file_, "k", "_FillValue", &fill, 1);
  EXPECT_HOLDS(message(), "the dataset k has missing values, the first at index 1 of 2");
}

TEST_F(DataFile, SinglePrecisionAndWholeNumbersAreRead) {
  scale("x", {0.0, 1.0}, "x");
  const hsize_t n = 2;
  const float small[] = {0.5f, 1.5f};
  const int whole[] = {3, 4};
  H5LTmake_dataset_float(file_, "f", 1, &n, small);
  H5LTmake_dataset_int(file_, "i", 1, &n, whole);
  for (const char* name : {"f", "i"}) {
    const hid_t set = H5Dopen2(file_, name, H5P_DEFAULT), along = H5Dopen2(file_, "x", H5P_DEFAULT);
    H5DSattach_scale(set, along, 0);
    H5Dclose(along);
    H5Dclose(set);
  }
  const DataTable single = read("f");
  EXPECT_EQ(single.values, (std::vector<double>{0.5, 1.5}));
  EXPECT_NEAR(single.rounding, 6e-8, 1e-8);
  EXPECT_EQ(read("i").values, (std::vector<double>{3.0, 4.0}));
}

TEST_F(DataFile, PointsHaveTheirCoordinatesBesideThem) {
  const hsize_t n = 3;
  const double x[] = {0.0, 0.3, 0.1}, y[] = {1.0, 2.0, 5.0}, k[] = {7, 8, 9};
  H5LTmake_dataset_double(file_, "x", 1, &n, x);
  H5LTmake_dataset_double(file_, "y", 1, &n, y);
  H5LTmake_dataset_double(file_, "k", 1, &n, k);
  H5LTset_attribute_string(file_, "k", "coordinates", "y x");
  const DataTable table = read("k");
  EXPECT_FALSE(table.is_grid);
  ASSERT_EQ(table.dimensions.size(), 2u);
  EXPECT_EQ(table.dimensions[0].name, "y");
  EXPECT_EQ(table.dimensions[1].coordinates, (std::vector<double>{0.0, 0.3, 0.1}));
  EXPECT_EQ(table.values, (std::vector<double>{7, 8, 9}));
}

TEST_F(DataFile, WhatIsWrongIsToldWithTheNamesThatThereAre) {
  scale("x", {0.0, 1.0}, "x");
  scale("z", {0.0, 0.0}, "z");
  scale("n", {0.0, 1.0}, "This is a netCDF dimension but not a netCDF variable.         2");
  dataset("k", {2}, {1, 2}, {"x"});
  dataset("bare", {2}, {1, 2}, {});
  dataset("flat", {2}, {1, 2}, {"z"});
  dataset("unnamed", {2}, {1, 2}, {"n"});
  const hid_t group = H5Gcreate2(file_, "soil", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose(group);
  dataset("soil/k", {2}, {3, 4}, {"x"});
  EXPECT_HOLDS(message(), "which one is not said");
  EXPECT_HOLDS(message("q"), "there is no dataset q");
  EXPECT_HOLDS(message("q/r/s"), "there is no dataset q/r/s");
  for (const char* name : {"k", "bare", "flat", "soil/k"}) EXPECT_HOLDS(message("q"), name);
  EXPECT_HOLDS(message("bare"), "attach a dimension scale");
  EXPECT_HOLDS(message("flat"), "the coordinates z do not ascend: z[0] = 0 and z[1] = 0");
  EXPECT_HOLDS(message("unnamed"), "the dimension n of the dataset unnamed has no coordinates");
  EXPECT_EQ(read("soil/k").values, (std::vector<double>{3, 4}));
  EXPECT_EQ(read("/k").values, (std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace gwrm::data_file_test
