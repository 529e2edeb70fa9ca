// The root of a result file read back, and two files held against each other.
#include "output/compare_runs.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "output/sample_file.hpp"
#include "output/stored_samples.hpp"

namespace gwrm::compare_runs_test {
namespace {

using test::SampleFile;

class StoredFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("gwrm_compare_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const SampleFile& sample) const {
    const std::string path = (folder_ / name).string();
    write_hdf5(path, sample.data, true);
    return path;
  }

  std::filesystem::path folder_;
};

TEST_F(StoredFiles, SamplesComeBackWithTheirAxes) {
  for (const Solution& solution :
       {test::windowed_solution(), test::two_parameters_solution(), test::plane_solution()}) {
    const SampleFile sample(solution);
    const StoredSamples stored = read_samples(write("a.h5", sample));
    ASSERT_EQ(stored.fields.size(), sample.data.fields.size());
    for (std::size_t f = 0; f < stored.fields.size(); ++f) {
      const SampledField &mine = stored.fields[f], &theirs = sample.data.fields[f];
      EXPECT_EQ(mine.name, theirs.name);
      EXPECT_EQ(mine.expression, theirs.expression);
      EXPECT_EQ(mine.values.shape, theirs.values.shape);
      EXPECT_EQ(mine.values.data, theirs.values.data);
      for (std::size_t d = 0; d < mine.axes.size(); ++d) {
        const SampledAxis& axis = stored.axes[mine.axes[d]];
        EXPECT_EQ(axis.name, solution.axes[theirs.axes[d]].name);
        EXPECT_EQ(axis.points, sample.data.grid[theirs.axes[d]]);
      }
    }
  }
}

TEST_F(StoredFiles, AFileAgreesWithItself) {
  const std::string a = write("a.h5", SampleFile(test::windowed_solution()));
  const RunComparison comparison = compare_runs(a, a);
  EXPECT_TRUE(comparison.agree(0.0));
  EXPECT_TRUE(comparison.settings.empty());
  EXPECT_TRUE(comparison.builds.empty());
  EXPECT_TRUE(comparison.checks.empty());
  EXPECT_FALSE(comparison.fields.empty());
}

// One coefficient of one window of one field changed: seen in samples and polynomials, in their right size.
TEST_F(StoredFiles, AChangedCoefficientIsSeen) {
  Solution changed = test::windowed_solution();
  changed.fields[1].windows[1].data[0] += 1e-3;  // v: the constant of the window [0.5, 1.3]
  SampleFile other(changed);
  other.report.n_unknowns += 1;
  other.report.verification.checks.front().value *= 2.0;
  const RunComparison comparison =
      compare_runs(write("a.h5", SampleFile(test::windowed_solution())), write("b.h5", other));
  EXPECT_FALSE(comparison.agree(1e-12));
  EXPECT_TRUE(comparison.agree(1e-2));
  for (const FieldComparison& field : comparison.fields) {
    if (field.field == "v" && field.what == "polynomials") {
      EXPECT_NEAR(field.difference.absolute, 1e-3, 1e-14);  // of values up to 8
    } else if (field.field == "u") {
      EXPECT_EQ(field.difference.absolute, 0.0) << field.what;
    }
  }
  ASSERT_EQ(comparison.reports.size(), 1u);
  EXPECT_EQ(comparison.reports.front().name, "n_unknowns");
  EXPECT_EQ(comparison.checks.size(), 1u);
}

TEST_F(StoredFiles, FieldsAndDimensionsThatOneLacks) {
  const RunComparison comparison = compare_runs(write("a.h5", SampleFile(test::windowed_solution())),
                                                write("b.h5", SampleFile(test::plane_solution())));
  EXPECT_FALSE(comparison.agree(1e300));
  bool lacks_u = false, lacks_psi = false;
  for (const FieldComparison& field : comparison.fields) {
    lacks_u = lacks_u || (field.field == "u" && field.what == "not in the second file");
    lacks_psi = lacks_psi || (field.field == "psi" && field.what == "not in the first file");
  }
  EXPECT_TRUE(lacks_u);
  EXPECT_TRUE(lacks_psi);
}

// T_1 against T_1 + d T_0 on [-1, 3]: the largest difference is d, the norms are those of x and 1.
TEST(SolutionDifference, KnownNorms) {
  Solution a;
  a.axes = {{"x", AxisKind::space, -1.0, 3.0, MapKind::linear}};
  a.subdomains = {{{1, {-1.0, 3.0}}}};
  Array coefficients(Shape{2});
  coefficients.data = {0.0, 1.0};
  a.fields = {{"u", {0}, {coefficients}}};
  Solution b = a;
  a.fields[0].windows[0].data[0] = 0.25;
  const std::vector<FieldDifference> differences = solution_differences(a, b);
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_NEAR(differences[0].absolute, 0.25, 1e-15);
  EXPECT_NEAR(differences[0].maximum, 0.25, 1e-3);               // Gauss points come near the ends
  EXPECT_NEAR(differences[0].l2, 0.25 * std::sqrt(3.0), 1e-12);  // of xi: 1/sqrt(3)
}

}  // namespace
}  // namespace gwrm::compare_runs_test
