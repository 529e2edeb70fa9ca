// The result of a sweep, changed into sound HDF5 that contradicts itself: refused, whatever reads it.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "core/errors.hpp"
#include "output/compare_runs.hpp"
#include "output/export.hpp"
#include "output/hdf5_handles.hpp"
#include "output/sample_sweep.hpp"
#include "output/stored_sweep.hpp"

namespace gwrm::sweep_damage_test {
namespace {

using hdf5::Dims;
using hdf5::Handle;

class SweepDamage : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "gwrm_sweep_damage_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory = pattern;
    path = (directory / "sweep.h5").string();
    test::write_sample_sweep(path, (directory / "sweep.journal").string(), "");
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  // Puts a list of other extents in place of this dataset.
  void replace(const std::string& name, const Dims& dims, bool is_scale) {
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "opening");
    ASSERT_GE(H5Ldelete(file, name.c_str(), H5P_DEFAULT), 0);
    std::size_t n = 1;
    for (const hsize_t extent : dims) n *= extent;
    const Handle dataset = hdf5::write_table(file, name, dims, std::vector<int>(n, 1));
    if (is_scale) hdf5::write_attribute(dataset, "CLASS", "DIMENSION_SCALE");
    hdf5::write_attribute(dataset, "key", "constants.k");
  }

  std::string refusal() {
    std::string said;
    for (const auto& read :
         std::vector<std::function<void()>>{[&] { read_sweep(path); },
                                            [&] {
                                              export_csv({path, (directory / "table").string(), {}, true});
                                            },
                                            [&] { compare_runs(path, path); }}) {
      try {
        read();
        return "";
      } catch (const OutputError& error) {
        said = error.what();
      }
    }
    EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    return said;
  }

  std::filesystem::path directory;
  std::string path;
};

TEST_F(SweepDamage, AnUnchangedOneIsRead) {
  EXPECT_EQ(refusal(), "");
}

// Another list under the name of a coordinate: shorter, in two dimensions, or no coordinate.
TEST_F(SweepDamage, CoordinatesHaveTheLengthOfTheirDimension) {
  const std::vector<std::pair<Dims, bool>> wrong = {
      {{1}, true}, {{2}, true}, {{1000}, true}, {{3, 1}, true}, {{}, true}};
  for (const auto& [dims, is_scale] : wrong) {
    replace("k", dims, is_scale);
    EXPECT_NE(refusal(), "") << dims.size();
    std::filesystem::remove_all(directory);
    SetUp();
  }
}

// The export writes the values of a key along its one dimension.
TEST_F(SweepDamage, AKeyGoesAlongOneDimension) {
  for (const Dims& dims : {Dims{}, Dims{2, 2}}) {
    replace("linear", dims, false);
    EXPECT_NE(refusal(), "") << dims.size();
    std::filesystem::remove_all(directory);
    SetUp();
  }
}

}  // namespace
}  // namespace gwrm::sweep_damage_test
