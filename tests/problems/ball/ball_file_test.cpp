// Result files of problem: ball read back, and runs that go on behind their journal.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "output/hdf5_file.hpp"
#include "problems/ball/ball_answer.hpp"
#include "problems/journal_test.hpp"

namespace gwrm::test::ball_file_test {
namespace {

const std::string kCase = R"yaml(
problem: ball
domain: {t: [0, 0.2]}
ball:
  radius: 1.5
  degree: {t: 7, r: 9, l: 3, m: 2}
  windows: 6
  fields:
    T: {kind: scalar, boundary: slope}
    B: {kind: magnetic, diffusivity: 0.7}
initial:
  T: "x*y + z"
  B: {poloidal: {"1,0": "r*(5/3 - r^2/1.5^2)"}, toroidal: {"2,-1": "r^2*(1.5^2 - r^2)", "3,2": "r^3*(1.5^2 - r^2)"}}
verification: {tolerance: 1, tail: 1, estimate: off}
output: {grid: {t: 4, r: [0, 0.4, 1.5], theta: 4, phi: 3}, fields: {sum: "T*B_r + B_theta^2 - B_phi*x"}}
)yaml";

class BallFile : public JournalTest {};

void expect_same_bits(const ball::BallSolution& a, const ball::BallSolution& b) {
  ASSERT_EQ(a.windows.size(), b.windows.size());
  for (std::size_t w = 0; w < a.windows.size(); ++w) {
    EXPECT_EQ(a.windows[w].start, b.windows[w].start);
    EXPECT_EQ(a.windows[w].end, b.windows[w].end);
    EXPECT_EQ(a.windows[w].coefficients, b.windows[w].coefficients) << w;
  }
}

TEST_F(BallFile, CoefficientsComeBackToTheBit) {
  const Case the_case = read_case_text(kCase, "test.yaml");
  const RunOutcome outcome = run_case(kCase);
  const std::string file = (folder_ / "answer.h5").string();
  write_hdf5(file, outcome.output_data(), false);
  const auto answer = ball::read_answer(the_case, file);
  ASSERT_NE(answer, nullptr);
  const ball::BallModel model(the_case);
  const ball::BallSpace space(model.parts(), model.degrees());
  ball::MarchControl control;
  control.edges = outcome.solution.window_edges;
  expect_same_bits(answer->solution(), march_ball(model, space, 0.0, 0.2, control).solution);
}

// Of the fields on the tensor grid of the file, whose sums take another way.
TEST_F(BallFile, ScatteredPointsHaveTheSampledValues) {
  const Case the_case = read_case_text(kCase, "test.yaml");
  const RunOutcome outcome = run_case(kCase);
  const ball::BallAnswer answer(the_case, *outcome.module_arrays);
  const GridPoints& grid = outcome.grid;
  std::vector<double> spherical[4], cartesian[3];
  for (double t : grid[0])
    for (double r : grid[1])
      for (double theta : grid[2])
        for (double phi : grid[3]) {
          const double of_point[] = {t, r, theta, phi};
          for (std::size_t k = 0; k < 4; ++k) spherical[k].push_back(of_point[k]);
          cartesian[0].push_back(r * std::sin(theta) * std::cos(phi));
          cartesian[1].push_back(r * std::sin(theta) * std::sin(phi));
          cartesian[2].push_back(r * std::cos(theta));
        }
  const std::size_t n = spherical[0].size();
  std::vector<SourceText> texts;
  for (const SampledField& field : outcome.fields) texts.push_back(SourceText::from_argument(field.expression));
  const auto values = answer.values(0, texts, {n, {spherical[0], spherical[1], spherical[2], spherical[3]}});
  const auto straight = answer.values(1, texts, {n, {spherical[0], cartesian[0], cartesian[1], cartesian[2]}});
  for (std::size_t e = 0; e < texts.size(); ++e)
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(values[e][i], outcome.fields[e].values.data[i], 1e-13) << texts[e].text;
      // On the axis and in the centre the unit vectors depend on phi, which Cartesian coordinates do not know.
      if (texts[e].text == "T" || std::hypot(cartesian[0][i], cartesian[1][i]) > 1e-3) {
        EXPECT_NEAR(straight[e][i], values[e][i], 1e-13) << texts[e].text;
      }
    }
  const std::vector<double> time = {0.1, 0.3}, x = {1.4, 0.1}, y = {1.4, 0.1}, z = {0.0, 0.0};
  const auto outside = answer.values(1, texts, {2, {time, x, y, z}});
  EXPECT_TRUE(std::isnan(outside[0][0])) << "beyond the surface";
  EXPECT_TRUE(std::isnan(outside[0][1])) << "after the last window";
}

TEST_F(BallFile, DifferencesAreThoseOfTheFields) {
  const auto answer = [](const std::string& yaml) {
    return ball::BallAnswer(read_case_text(yaml, "test.yaml"), *run_case(yaml).module_arrays);
  };
  const ball::BallAnswer one = answer(kCase), half = answer(replaced(kCase, "\"x*y + z\"", "\"(x*y + z)/2\"")),
                         finer = answer(replaced(kCase, "r: 9, l: 3, m: 2", "r: 14, l: 4, m: 3"));
  for (const FieldDifference& same : one.differences(one)) EXPECT_EQ(same.absolute, 0.0) << same.field;
  const std::vector<FieldDifference> of_half = half.differences(one);
  ASSERT_EQ(of_half.size(), 2u);
  EXPECT_EQ(of_half[0].field, "T");
  EXPECT_NEAR(of_half[0].maximum, 0.5, 1e-12);
  EXPECT_NEAR(of_half[0].l2, 0.5, 1e-12);
  EXPECT_EQ(of_half[1].field, "B");
  EXPECT_EQ(of_half[1].absolute, 0.0);
  // T_r is not zero at first: what degree 9 leaves out of that.
  for (const FieldDifference& near : one.differences(finer)) EXPECT_LE(near.maximum, 1e-2) << near.field;
  const std::size_t initial_b = kCase.find("  B: {poloidal"), next = kCase.find("verification");
  const std::string without = kCase.substr(0, initial_b) + kCase.substr(next);
  const ball::BallAnswer other = answer(replaced(without, "radius: 1.5", "radius: 1.500001"));
  EXPECT_THROW(one.differences(other), ShapeError);
}

TEST_F(BallFile, RunsGoOnBehindTheirJournal) {
  for (const std::string& yaml : {kCase, replaced(kCase, "windows: 6", "tolerance: 1.0e-6")}) {
    const RunOutcome whole = run_case(yaml);
    const RunOutcome stopped = interrupted_after(yaml, 2);
    EXPECT_EQ(stopped.status, ExitStatus::interrupted);
    EXPECT_FALSE(stopped.complete);
    ASSERT_TRUE(stopped.module_arrays.has_value());
    EXPECT_EQ(stopped.solution.n_windows(), 2u);
    EXPECT_LE(stopped.grid.front().back(), stopped.solution.window_edges.back());
    EXPECT_EQ(interrupted_after(yaml, 1, true).solution.n_windows(), 3u);
    const RunOutcome rest = continued(yaml);
    EXPECT_TRUE(rest.complete) << rest.report.reason;
    EXPECT_EQ(rest.status, whole.status);
    EXPECT_EQ(rest.solution.window_edges, whole.solution.window_edges);
    for (std::size_t i = 0; i < whole.module_arrays->arrays.size(); ++i) {
      const std::vector<double>&a = whole.module_arrays->arrays[i].values, &b = rest.module_arrays->arrays[i].values;
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t k = 0; k < a.size(); ++k)
        EXPECT_NEAR(a[k], b[k], 1e-14 * std::max(1.0, std::abs(a[k]))) << whole.module_arrays->arrays[i].name;
    }
    std::filesystem::remove(path_);
  }
}

TEST_F(BallFile, JournalsOfOtherCasesAreRefused) {
  interrupted_after(kCase, 2);
  EXPECT_THROW(continued(replaced(kCase, "diffusivity: 0.7", "diffusivity: 0.8")), CaseError);
  EXPECT_THROW(interrupted_after(kCase, 2), OutputError);  // in the way
}

TEST_F(BallFile, NamesThatTheFileCannotHoldAreRefusedBeforeTheRun) {
  const auto expect_refused = [](const std::string& fields, const std::string& more, const std::string& fragment) {
    try {
      make_problem(
          read_case_text("problem: ball\ndomain: {t: [0, 1]}\nball:\n  degree: {t: 4, r: 8, l: 2}\n  fields: {" +
                             fields + "}\n" + more,
                         "test.yaml"));
      ADD_FAILURE() << fields;
    } catch (const CaseError& error) {
      expect_holds(error.what(), fragment);
      expect_holds(error.what(), "test.yaml:");
    }
  };
  expect_refused("l: {}", "", "another array of the group ball");
  expect_refused("u: {}, u_energy: {}", "", "stored as `u_energy`");
  expect_refused("u: {}", "output: {fields: {ball: u}}\n", "is a group of the result file");
}

}  // namespace
}  // namespace gwrm::test::ball_file_test
