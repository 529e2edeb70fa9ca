// The result file written and read back bit for bit, its names, and what stands on disk when something goes wrong.
#include "output/hdf5_file.hpp"

#include <gtest/gtest.h>
#include <omp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "core/errors.hpp"
#include "core/files_at_end.hpp"
#include "output/atomic_file.hpp"
#include "output/sample_file.hpp"

namespace gwrm::hdf5_file_test {
namespace {

namespace fs = std::filesystem;

class ResultFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "gwrm_output_test_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory = pattern;
    path = (directory / "run.h5").string();
  }
  void TearDown() override { fs::remove_all(directory); }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory)) names.push_back(entry.path().filename().string());
    return names;
  }

  fs::path directory;
  std::string path;
};

std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// The message of the OutputError that `action` throws; empty if it throws none.
template <class Action>
std::string output_error(Action action) {
  try {
    action();
  } catch (const OutputError& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Bits, so that NaN equals itself and -0 differs from 0.
bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}
bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return same_bits(x, y); });
}

void expect_same(const Solution& a, const Solution& b) {
  ASSERT_EQ(a.axes.size(), b.axes.size());
  for (std::size_t i = 0; i < a.axes.size(); ++i) {
    EXPECT_EQ(a.axes[i].name, b.axes[i].name);
    EXPECT_EQ(a.axes[i].kind, b.axes[i].kind);
    EXPECT_TRUE(same_bits(a.axes[i].lower, b.axes[i].lower));
    EXPECT_TRUE(same_bits(a.axes[i].upper, b.axes[i].upper));
    EXPECT_EQ(a.axes[i].map, b.axes[i].map);
  }
  EXPECT_EQ(a.subdomains, b.subdomains);
  EXPECT_TRUE(same_bits(a.window_edges, b.window_edges));
  ASSERT_EQ(a.fields.size(), b.fields.size());
  for (std::size_t f = 0; f < a.fields.size(); ++f) {
    EXPECT_EQ(a.fields[f].name, b.fields[f].name);
    EXPECT_EQ(a.fields[f].axes, b.fields[f].axes);
    ASSERT_EQ(a.fields[f].windows.size(), b.fields[f].windows.size());
    for (std::size_t w = 0; w < a.fields[f].windows.size(); ++w) {
      EXPECT_EQ(a.fields[f].windows[w].shape, b.fields[f].windows[w].shape);
      EXPECT_TRUE(same_bits(a.fields[f].windows[w].data, b.fields[f].windows[w].data));
    }
  }
}

void expect_same(const RunReport& a, const RunReport& b) {
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.reason, b.reason);
  EXPECT_EQ(a.case_text, b.case_text);
  EXPECT_EQ(a.command, b.command);
  EXPECT_EQ(a.device, b.device);
  EXPECT_EQ(a.linear_solver, b.linear_solver);
  EXPECT_EQ(a.n_unknowns, b.n_unknowns);
  EXPECT_EQ(a.n_newton_iterations, b.n_newton_iterations);
  EXPECT_EQ(a.n_factorisations, b.n_factorisations);
  EXPECT_EQ(a.wall_seconds, b.wall_seconds);
  EXPECT_EQ(a.warnings, b.warnings);
  ASSERT_EQ(a.newton.size(), b.newton.size());
  for (std::size_t i = 0; i < a.newton.size(); ++i) {
    EXPECT_EQ(a.newton[i].window, b.newton[i].window);
    EXPECT_EQ(a.newton[i].parameter_point, b.newton[i].parameter_point);
    EXPECT_EQ(a.newton[i].iteration, b.newton[i].iteration);
    EXPECT_EQ(a.newton[i].residual, b.newton[i].residual);
    EXPECT_EQ(a.newton[i].correction, b.newton[i].correction);
    EXPECT_EQ(a.newton[i].damping, b.newton[i].damping);
  }
  ASSERT_EQ(a.verification.checks.size(), b.verification.checks.size());
  for (std::size_t i = 0; i < a.verification.checks.size(); ++i) {
    const Check &x = a.verification.checks[i], &y = b.verification.checks[i];
    EXPECT_EQ(x.kind, y.kind);
    EXPECT_EQ(x.subject, y.subject);
    EXPECT_TRUE(same_bits(x.value, y.value));
    EXPECT_TRUE(same_bits(x.tolerance, y.tolerance));
    EXPECT_EQ(x.judged, y.judged);
  }
  EXPECT_EQ(a.verification.estimate.status, b.verification.estimate.status);
  EXPECT_EQ(a.verification.estimate.advice, b.verification.estimate.advice);
  const auto &x = a.verification.estimate.budget, &y = b.verification.estimate.budget;
  ASSERT_EQ(x.has_value(), y.has_value());
  if (!x) return;
  EXPECT_EQ(x->time, y->time);
  EXPECT_EQ(x->space, y->space);
  EXPECT_EQ(x->conditions, y->conditions);
  EXPECT_TRUE(same_bits(x->growth, y->growth));
}

TEST_F(ResultFile, every_shape_of_solution_comes_back_bit_for_bit) {
  for (const Solution& solution : {test::windowed_solution(), test::plane_solution(), test::steady_solution(),
                                   test::ode_solution(), test::divided_solution(), test::tensor_solution(),
                                   test::steady_divided_solution(), test::changing_degrees_solution()}) {
    test::SampleFile sample(solution);
    sample.report.verification.estimate.status = ErrorEstimate::Status::made;
    if (solution.n_windows() > 1)
      sample.report.verification.estimate.advice = "resolution.degree: {t: 4} may suffice";
    else
      sample.report.verification.estimate.budget = {1e-9, 2e-9, 3e-9};
    write_hdf5(path, sample.data, true);
    const StoredRun run = read_hdf5(path);
    expect_same(solution, run.solution);
    expect_same(sample.report, run.report);
  }
  EXPECT_EQ(files(), std::vector<std::string>{"run.h5"});
}

// tests/output/format_1.hdf5, written by gwrm 0.11.0: heat in two subdomains and two windows, the conductivity on a log
// map. There the group had the basis, one for all axes.
TEST(OldResultFile, of_version_1_is_read) {
  const StoredRun run = read_hdf5(std::string(GWRM_SOURCE_DIR) + "/tests/output/format_1.hdf5");
  EXPECT_NO_THROW(run.solution.check());
  ASSERT_EQ(run.solution.axes.size(), 3u);
  ASSERT_EQ(run.solution.subdomains.size(), 2u);
  for (const AxisDescription& subdomains : run.solution.subdomains[0]) EXPECT_EQ(subdomains.basis, kChebyshev);
  EXPECT_EQ(run.solution.subdomains[0][1].map, MapKind::log);
  EXPECT_EQ(run.solution.subdomains[1][2], (AxisDescription{7, {0.0, 0.5, 1.0}}));
  EXPECT_NE(run.report.case_text.find("a file of format 1"), std::string::npos);

  expression::Symbols symbols{run.solution.axes, {{"u", {"t", "nu", "x"}}}, {}};
  expression::Pool pool(symbols);
  const Array values = evaluate(pool, run.solution, pool.field("u"), {{0.3, 1.0}, {0.7}, {0.25, 0.8}});
  const double t[] = {0.3, 0.3, 1.0, 1.0}, x[] = {0.25, 0.8, 0.25, 0.8};
  for (std::size_t i = 0; i < 4; ++i)  // the accuracy of that run
    EXPECT_NEAR(values.data[i], std::exp(-0.7 * t[i]) * std::sin(M_PI * x[i]), 1e-4);
}

TEST_F(ResultFile, values_that_are_not_finite_are_kept) {
  Solution solution = test::ode_solution();
  solution.fields[0].windows[0].data = {
      std::nan(""), -0.0, std::numeric_limits<double>::infinity(), 5e-324, 1.7976931348623157e308, 1, 2, 3, 4};
  const test::SampleFile sample(solution);
  write_hdf5(path, sample.data, false);
  expect_same(solution, read_hdf5(path).solution);
}

TEST_F(ResultFile, an_empty_report_and_a_very_long_case) {
  test::SampleFile sample(test::steady_solution());
  sample.report = {};
  for (int i = 0; i < 30000; ++i) sample.report.case_text += "# line " + std::to_string(i) + "\n";  // beyond 64 kB
  sample.fields.clear();
  write_hdf5(path, sample.data, false);
  expect_same(sample.report, read_hdf5(path).report);
}

TEST_F(ResultFile, many_values_in_several_chunks) {
  Solution solution = test::plane_solution();
  test::set_degrees(solution, {40, 60, 70});
  std::mt19937_64 random(5);
  for (FieldSolution& field : solution.fields) field = test::random_field(solution, field.name, {0, 1, 2}, 1, random);
  const test::SampleFile sample(solution);
  for (int threads : {1, 3}) {
    omp_set_num_threads(threads);
    write_hdf5(path, sample.data, true);
    expect_same(solution, read_hdf5(path).solution);
  }
}

// Large enough to be compressed, and padded along every axis: no window has both the most subdomains and the highest
// degree.
TEST_F(ResultFile, padded_windows_in_several_chunks) {
  Solution solution = test::divided_solution();
  const int degrees[3][3] = {{30, 20, 50}, {24, 20, 60}, {30, 12, 70}};
  for (std::size_t w = 0; w < 3; ++w)
    for (std::size_t axis = 0; axis < 3; ++axis) solution.subdomains[w][axis].degree = degrees[w][axis];
  std::mt19937_64 random(6);
  for (FieldSolution& field : solution.fields)
    field = test::random_field(solution, field.name, field.axes, field.windows.size(), random);
  // Chunks of nothing but zeros, and one with a sign.
  std::vector<double>& zeros = solution.fields[0].windows[1].data;
  std::fill(zeros.begin(), zeros.end(), 0.0);
  zeros.back() = -0.0;
  const test::SampleFile sample(solution);
  write_hdf5(path, sample.data, false);
  expect_same(solution, read_hdf5(path).solution);
}

TEST_F(ResultFile, arrays_that_do_not_fit_are_refused_and_leave_no_file) {
  test::SampleFile sample(test::windowed_solution());
  sample.fields[0].values.data.pop_back();
  EXPECT_THROW(write_hdf5(path, sample.data, false), ShapeError);
  test::SampleFile window_missing(test::windowed_solution());
  window_missing.solution.fields[0].windows.pop_back();
  EXPECT_THROW(write_hdf5(path, window_missing.data, false), ShapeError);
  test::SampleFile other_subdomain(test::divided_solution());
  other_subdomain.solution.subdomains[1][2].edges[1] = 0.25;  // twice the same edge
  EXPECT_THROW(write_hdf5(path, other_subdomain.data, false), ShapeError);
  other_subdomain.solution.subdomains[1][2].edges.erase(other_subdomain.solution.subdomains[1][2].edges.begin() + 1);
  EXPECT_THROW(write_hdf5(path, other_subdomain.data, false), ShapeError);  // coefficients of four subdomains
  EXPECT_TRUE(files().empty());
}

TEST_F(ResultFile, names_that_clash_are_refused) {
  const auto error = [](const std::vector<std::string>& axes, const std::vector<std::string>& unknowns,
                        const std::vector<std::string>& sampled) {
    return output_error([&] { check_output_names(axes, unknowns, sampled); });
  };
  EXPECT_EQ(error({"t", "x"}, {"u", "newton"}, {"u", "slope"}), "");
  EXPECT_TRUE(contains(error({"t", "x"}, {"u"}, {"u", "x"}), "'x'"));
  EXPECT_TRUE(contains(error({"t", "x"}, {"u"}, {"newton"}), "'newton'"));
  EXPECT_TRUE(contains(error({"t", "verification"}, {"u"}, {"u"}), "'verification'"));
  EXPECT_TRUE(contains(error({"t", "x"}, {"u"}, {"u", "u"}), "'u'"));
  EXPECT_TRUE(contains(error({"t", "x"}, {"x_mode"}, {}), "'x_mode'"));
  EXPECT_TRUE(contains(error({"t", "x"}, {"x_piece"}, {}), "'x_piece'"));
  EXPECT_TRUE(contains(error({"t", "x"}, {"window"}, {}), "'window'"));
  EXPECT_TRUE(contains(error({"t", "x"}, {"u"}, {"a/b"}), "'a/b'"));
  EXPECT_FALSE(error({"t"}, {"u"}, {""}).empty());
}

// Root may write in every folder, and no file can be made in this one.
TEST_F(ResultFile, a_place_where_no_file_can_be_made_is_told_before_the_work) {
  EXPECT_NO_THROW(try_output_path(path, false));
  EXPECT_TRUE(std::filesystem::is_empty(directory)) << "the trial is left behind";
  const std::string refusal = output_error([] { try_output_path("/proc/a.h5", false); });
  EXPECT_TRUE(contains(refusal, "/proc")) << refusal;
  // Nor one that grows: no file of this process may have a byte.
  const auto trial = [&] {
    struct rlimit none = {0, 0};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &none);
    return output_error([&] { try_output_path(path, false); });
  };
  const pid_t child = fork();
  if (child == 0) _exit(contains(trial(), "cannot write") ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_TRUE(std::filesystem::is_empty(directory));
}

TEST_F(ResultFile, check_output_path) {
  EXPECT_NO_THROW(check_output_path(path, false));
  write_bytes(path, "something");
  const std::string exists = output_error([&] { check_output_path(path, false); });
  EXPECT_TRUE(contains(exists, path) && contains(exists, "--overwrite") && contains(exists, "-o")) << exists;
  EXPECT_NO_THROW(check_output_path(path, true));
  EXPECT_TRUE(contains(output_error([&] { check_output_path(directory.string(), true); }), "is a directory"));
  EXPECT_FALSE(output_error([&] { check_output_path((directory / "none" / "a.h5").string(), true); }).empty());
  EXPECT_FALSE(output_error([&] { check_output_path(path + "/a.h5", true); }).empty());
  EXPECT_FALSE(output_error([&] { check_output_path("", true); }).empty());
  EXPECT_TRUE(contains(output_error([&] { check_output_path("/dev/null", true); }), "ordinary"));
  if (geteuid() != 0) {  // root may write everywhere
    fs::permissions(directory, fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_FALSE(output_error([&] { check_output_path((directory / "b.h5").string(), false); }).empty());
    fs::permissions(directory, fs::perms::owner_all);
  }
}

TEST_F(ResultFile, an_existing_file_is_replaced_only_when_asked) {
  const test::SampleFile sample(test::ode_solution());
  write_bytes(path, "precious");
  EXPECT_FALSE(output_error([&] { write_hdf5(path, sample.data, false); }).empty());
  EXPECT_EQ(read_bytes(path), "precious");
  write_hdf5(path, sample.data, true);
  expect_same(sample.solution, read_hdf5(path).solution);
  EXPECT_EQ(files(), std::vector<std::string>{"run.h5"});
}

// The check at the start has passed and the file has appeared since.
TEST_F(ResultFile, a_file_that_appears_meanwhile_is_kept) {
  write_bytes(path, "precious");
  const unsigned char bytes[] = {1, 2, 3};
  EXPECT_FALSE(output_error([&] { write_file_atomically(path, {bytes}, false); }).empty());
  EXPECT_EQ(read_bytes(path), "precious");
  EXPECT_EQ(files(), std::vector<std::string>{"run.h5"});
}

TEST_F(ResultFile, a_symbolic_link_stays_a_link) {
  const std::string target = (directory / "target.h5").string();
  write_bytes(target, "old");
  fs::create_symlink(target, path);
  const test::SampleFile sample(test::ode_solution());
  write_hdf5(path, sample.data, true);
  EXPECT_TRUE(fs::is_symlink(path));
  expect_same(sample.solution, read_hdf5(target).solution);
}

int n_results_told = 0;

// Who ends the process by a signal tells of the result if, and only if, it stands there under its name.
TEST_F(ResultFile, is_a_result_to_tell_of_once_it_has_its_name) {
  const auto told = [] {
    n_results_told = 0;
    visit_files_at_end(FileKind::result, [](const char*) { ++n_results_told; });
    return n_results_told;
  };
  const test::SampleFile sample(test::ode_solution());
  write_bytes(path, "precious");
  {
    const FileAtEnd awaited(FileKind::awaited, path);
    EXPECT_FALSE(output_error([&] { write_hdf5(path, sample.data, false); }).empty());
    EXPECT_EQ(told(), 0);
    write_hdf5(path, sample.data, true);
    EXPECT_EQ(told(), 1);
  }
  EXPECT_EQ(told(), 0);
}

// A limit on the size of files stands for the full disk. 0 if the new file is refused for it, in a process of its own.
int written_with_limit(const std::string& path, const OutputData& data, rlim_t bytes) {
  const pid_t child = fork();
  if (child == 0) {
    omp_set_num_threads(1);  // those of the parent are not here
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string error = output_error([&] { write_hdf5(path, data, true); });
    _exit(contains(error, path) && contains(error, "File too large") ? 0 : 1);
  }
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(ResultFile, a_full_disk_leaves_the_old_file_and_nothing_else) {
  const test::SampleFile sample(test::windowed_solution());
  write_hdf5(path, sample.data, false);
  const std::string before = read_bytes(path);
  EXPECT_EQ(written_with_limit(path, sample.data, 8192), 0);
  EXPECT_EQ(read_bytes(path), before);
  EXPECT_EQ(files(), std::vector<std::string>{"run.h5"});
}

// The write calls fail while HDF5 goes on with its own; afterwards another file can be written.
TEST_F(ResultFile, a_disk_that_is_full_in_the_middle_of_a_large_file) {
  test::SampleFile sample(test::ode_solution());
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  sample.grid[0] = test::equidistant(0.0, 10.0, 4000000);
  sample.fields.resize(1);
  sample.fields[0].values = Array({4000000});  // 32 MB
  for (double& value : sample.fields[0].values.data) value = uniform(random);
  write_bytes(path, "precious");
  for (const rlim_t megabytes : {1, 12, 24}) {  // before, and behind what the driver keeps in memory
    EXPECT_EQ(written_with_limit(path, sample.data, megabytes << 20), 0);
    EXPECT_EQ(read_bytes(path), "precious");
    EXPECT_EQ(files(), std::vector<std::string>{"run.h5"});
  }
}

TEST_F(ResultFile, files_that_are_not_ours) {
  EXPECT_TRUE(contains(output_error([&] { read_hdf5(path); }), "No such file"));
  EXPECT_FALSE(output_error([&] { read_hdf5(directory.string()); }).empty());
  write_bytes(path, "schema: 1\n");
  EXPECT_TRUE(contains(output_error([&] { read_hdf5(path); }), "not an HDF5 file"));
  write_bytes(path, "");
  EXPECT_FALSE(output_error([&] { read_hdf5(path); }).empty());
}

}  // namespace
}  // namespace gwrm::hdf5_file_test
