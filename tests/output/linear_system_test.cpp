#include "output/linear_system.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/errors.hpp"

namespace gwrm::linear_system_test {
namespace {

class LinearSystemFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "gwrm_linear_system_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string stem() const { return (folder_ / "s").string(); }
  std::string content(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  std::filesystem::path folder_;
};

// [2 -1; -1 3], b = (1, -0.5)
LinearSystem small() {
  LinearSystem system;
  system.a = {2, {0, 2, 4}, {0, 1, 0, 1}, {2.0, -1.0, -1.0, 3.0}};
  system.b = {1.0, -0.5};
  system.symmetric = true;
  return system;
}

TEST_F(LinearSystemFiles, PetscBytesAreThoseOfItsFormat) {
  write_linear_system(small(), "small", stem(), SystemFormat::petsc, false);
  // Big-endian: class, rows, columns, entries; entries per row; columns; values (2, -1, -1, 3 in IEEE 754).
  const unsigned char matrix[] = {0,    0x12, 0x7B, 0x50, 0, 0, 0, 2, 0,    0,    0, 2, 0, 0, 0, 4,  //
                                  0,    0,    0,    2,    0, 0, 0, 2,                                //
                                  0,    0,    0,    0,    0, 0, 0, 1, 0,    0,    0, 0, 0, 0, 0, 1,  //
                                  0x40, 0,    0,    0,    0, 0, 0, 0, 0xBF, 0xF0, 0, 0, 0, 0, 0, 0,  //
                                  0xBF, 0xF0, 0,    0,    0, 0, 0, 0, 0x40, 0x08, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(content("s_A.petsc"), std::string(reinterpret_cast<const char*>(matrix), sizeof matrix));
  const unsigned char vector[] = {0, 0x12, 0x7B, 0x4E, 0,    0,    0, 2, 0x3F, 0xF0, 0, 0,
                                  0, 0,    0,    0,    0xBF, 0xE0, 0, 0, 0,    0,    0, 0};
  EXPECT_EQ(content("s_b.petsc"), std::string(reinterpret_cast<const char*>(vector), sizeof vector));
  EXPECT_EQ(read_vector_file(stem() + "_b.petsc"), (std::vector<double>{1.0, -0.5}));
}

TEST_F(LinearSystemFiles, MatrixMarketHoldsTheLowerTriangleOfWhatIsSymmetric) {
  write_linear_system(small(), "two\nlines", stem(), SystemFormat::matrix_market, false);
  EXPECT_EQ(content("s_A.mtx"),
            "%%MatrixMarket matrix coordinate real symmetric\n% two lines; unknowns: s_map.json\n2 2 3\n1 1 2\n2 1 -1\n"
            "2 2 3\n");
  EXPECT_EQ(content("s_b.mtx"), "%%MatrixMarket matrix array real general\n% two lines\n2 1\n1\n-0.5\n");
  LinearSystem general = small();
  general.symmetric = false;
  write_linear_system(general, "", stem(), SystemFormat::matrix_market, true);
  EXPECT_NE(
      content("s_A.mtx").find("real general\n% a linear system of gwrm; unknowns: s_map.json\n2 2 4\n1 1 2\n1 2 -1\n"),
      std::string::npos);
  EXPECT_EQ(read_vector_file(stem() + "_b.mtx"), (std::vector<double>{1.0, -0.5}));
}

TEST_F(LinearSystemFiles, MoreEntriesThanIndicesCountAreRefused) {
  LinearSystem system;
  system.a.n = 1;
  system.a.row_start = {0, std::int64_t{1} << 31};
  try {
    write_linear_system(system, "", stem(), SystemFormat::petsc, false);
    FAIL() << "2^31 entries were written";
  } catch (const OutputError& error) {
    EXPECT_NE(std::string(error.what()).find("matrixmarket"), std::string::npos);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace gwrm::linear_system_test
