// Answers in a shell: files read back, values anywhere between the walls, differences, runs behind their journal.
#include <fmt/format.h>

#include <cmath>

#include "output/hdf5_file.hpp"
#include "problems/ball/ball_answer.hpp"
#include "problems/journal_test.hpp"

namespace gwrm::test::shell_file_test {
namespace {

// sin(k (r - a))/r decays with k^2, k = pi/(R - a).
const std::string kCase = R"yaml(
problem: ball
domain: {t: [0, 0.4]}
constants: {k: 2*pi}
ball:
  radius: 2
  inner_radius: 1.5
  degree: {t: 10, r: 16, l: 2}
  windows: 6
  fields:
    T: {kind: scalar, diffusivity: 0.05}
    B: {kind: magnetic, diffusivity: 0.02}
initial:
  T: "sin(k*(r - 1.5))/r"
  B: {toroidal: {"2,1": "r*((2 - r)*(r - 1.5))^2"}, poloidal: {"1,-1": "((2 - r)*(r - 1.5))^3"}}
verification: {tolerance: 1, tail: 1, estimate: off}
output: {grid: {t: 4, r: [1.5, 1.63, 2], theta: 4, phi: 3}}
)yaml";

class ShellFile : public JournalTest {};

TEST_F(ShellFile, ValuesAreThoseOfTheSolutionBetweenTheWallsAlone) {
  const Case the_case = read_case_text(kCase, "test.yaml");
  const RunOutcome outcome = run_case(kCase);
  ASSERT_TRUE(outcome.complete) << outcome.report.reason;
  const std::string file = (folder_ / "answer.h5").string();
  write_hdf5(file, outcome.output_data(), false);
  const auto answer = ball::read_answer(the_case, file);
  ASSERT_NE(answer, nullptr);
  const std::vector<SourceText> t = {SourceText::from_argument("T")};
  const double k = 2.0 * 3.14159265358979323846;
  std::vector<double> time, x, y, z;
  for (double r : {1.5, 1.71, 2.0}) {
    time.push_back(0.33);
    x.push_back(0.6 * r);
    y.push_back(0.0);
    z.push_back(-0.8 * r);
  }
  const std::vector<double> values = answer->values(1, t, {3, {time, x, y, z}}).front();
  EXPECT_NEAR(values[0], 0.0, 1e-12);
  EXPECT_NEAR(values[1], std::sin(k * 0.21) / 1.71 * std::exp(-0.05 * k * k * 0.33), 1e-10);
  EXPECT_NEAR(values[2], 0.0, 1e-12);
  const std::vector<double> zero = {0.0, 0.0}, at = {0.1, 0.1}, near = {1.4, 2.1};
  const std::vector<double> none = answer->values(1, t, {2, {at, near, zero, zero}}).front();
  EXPECT_TRUE(std::isnan(none[0])) << "within the inner wall";
  EXPECT_TRUE(std::isnan(none[1])) << "beyond the surface";
  EXPECT_NE(answer->outside(1, {0.1, 1.4, 0.0, 0.0}).find("outside the shell"), std::string::npos);
  EXPECT_NE(answer->outside(1, {0.1, 2.1, 0.0, 0.0}).find("outside the shell"), std::string::npos);
  EXPECT_EQ(answer->outside(1, {0.1, 1.7, 0.0, 0.0}), "");
  EXPECT_EQ(answer->coordinates()[0][1].lower, 1.5);
  // The samples of a vector take another way than scattered points.
  for (const SampledField& field : outcome.fields) {
    const double theta = outcome.grid[2][1], phi = outcome.grid[3][1];
    const std::vector<double> times = {outcome.grid[0][1]}, r = {1.63}, polar = {theta}, azimuth = {phi};
    const double sampled = field.values.data[static_cast<std::size_t>(((1 * 3 + 1) * 4 + 1) * 3 + 1)];
    EXPECT_NEAR(answer->values(0, {SourceText::from_argument(field.expression)}, {1, {times, r, polar, azimuth}})[0][0],
                sampled, 1e-13)
        << field.name;
  }
}

TEST_F(ShellFile, DifferencesAreThoseOfTheFields) {
  const auto answer = [](const std::string& yaml) {
    return ball::BallAnswer(read_case_text(yaml, "test.yaml"), *run_case(yaml).module_arrays);
  };
  const ball::BallAnswer one = answer(kCase),
                         half = answer(replaced(kCase, "T: \"sin(k*(r - 1.5))/r\"", "T: \"sin(k*(r - 1.5))/(2*r)\"")),
                         finer = answer(replaced(kCase, "r: 16, l: 2", "r: 20, l: 3"));
  const std::vector<FieldDifference> of_half = half.differences(one);
  ASSERT_EQ(of_half.size(), 2u);
  EXPECT_NEAR(of_half[0].l2, 0.5, 1e-12);
  EXPECT_EQ(of_half[1].absolute, 0.0);
  EXPECT_LE(one.differences(finer)[0].maximum, 1e-9);
  const std::string thicker = kCase.substr(0, kCase.find("initial:")) + kCase.substr(kCase.find("verification:"));
  EXPECT_THROW(one.differences(answer(replaced(thicker, "inner_radius: 1.5", "inner_radius: 1.4"))), ShapeError);
}

TEST_F(ShellFile, RunsGoOnBehindTheirJournal) {
  const RunOutcome whole = run_case(kCase);
  EXPECT_EQ(interrupted_after(kCase, 2).status, ExitStatus::interrupted);
  const RunOutcome rest = continued(kCase);
  EXPECT_TRUE(rest.complete) << rest.report.reason;
  for (std::size_t i = 0; i < whole.module_arrays->arrays.size(); ++i) {
    const std::vector<double>&a = whole.module_arrays->arrays[i].values, &b = rest.module_arrays->arrays[i].values;
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-14 * std::max(1.0, std::abs(a[k])));
  }
}

}  // namespace
}  // namespace gwrm::test::shell_file_test
