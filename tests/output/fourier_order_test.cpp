// The order of Fourier coefficients in the file, read without the program's reader.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "output/hdf5_file.hpp"

namespace gwrm::fourier_order_test {
namespace {

// u(t, y, x) in two windows with the highest wavenumbers 1 and 3 along x and 2 along y; the coefficients in memory are
// 1, sin, cos, sin 2, cos 2, ... and have the numbers 100 window + 10 (y) + x of their places there, plus one.
Solution two_windows() {
  Solution solution;
  solution.axes = {{"t", AxisKind::time, 0.0, 2.0, MapKind::linear},
                   {"y", AxisKind::space, 0.5, 1.0, MapKind::linear},
                   {"x", AxisKind::space, -1.0, 1.0, MapKind::linear}};
  solution.window_edges = {0.0, 0.5, 2.0};
  FieldSolution u{"u", {0, 1, 2}, {}};
  for (int w = 0; w < 2; ++w) {
    const int highest = w == 0 ? 1 : 3;
    solution.subdomains.push_back({{0, {solution.window_edges[w], solution.window_edges[w + 1]}},
                                   {2, {0.5, 1.0}, MapKind::linear, kFourier},
                                   {highest, {-1.0, 1.0}, MapKind::linear, kFourier}});
    Array a({1, 5, 2 * Index{highest} + 1});
    for (Index j = 0; j < 5; ++j)
      for (Index i = 0; i < a.shape[2]; ++i)
        a.data[static_cast<std::size_t>(j * a.shape[2] + i)] = static_cast<double>(100 * w + 10 * j + i + 1);
    u.windows.push_back(std::move(a));
  }
  solution.fields = {std::move(u)};
  return solution;
}

// A text attribute in place of another.
void change(const std::string& path, const char* dataset, const char* name, const std::string& value) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t object = H5Dopen2(file, dataset, H5P_DEFAULT);
  H5Adelete(object, name);
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, value.size());
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, type, value.data());
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(object);
  H5Fclose(file);
}

std::vector<double> raw(const std::string& path, std::size_t n) {
  std::vector<double> values(n);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, "/coefficients/u", H5P_DEFAULT);
  H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(dataset);
  H5Fclose(file);
  return values;
}

TEST(FourierOrder, CosinesBeforeSinesPaddedEachByItself) {
  std::string pattern = (std::filesystem::temp_directory_path() / "gwrm_order_test_XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const std::string path = (std::filesystem::path(pattern) / "run.h5").string();
  const Solution solution = two_windows();
  RunReport report;
  report.status = "converged";
  const GridPoints grid(3);
  const std::vector<SampledField> sampled;
  const std::vector<FieldStatistics> statistics;
  write_hdf5(path, {solution, report, grid, sampled, statistics}, false);

  // cos 0, 1, 2, 3, sin 1, 2, 3 stand in memory at 0, 2, 4, 6, 1, 3, 5; of the window with one wave 0, 2 and 1 are
  // there.
  constexpr int kAbsent = -1;
  const std::vector<std::vector<int>> along_x{{0, 2, kAbsent, kAbsent, 1, kAbsent, kAbsent}, {0, 2, 4, 6, 1, 3, 5}};
  const std::vector<int> along_y{0, 2, 4, 1, 3};
  const std::vector<double> values = raw(path, 2 * 5 * 7);
  for (std::size_t w = 0; w < 2; ++w)
    for (std::size_t j = 0; j < 5; ++j)
      for (std::size_t i = 0; i < 7; ++i) {
        const int x = along_x[w][i];
        EXPECT_EQ(values[(w * 5 + j) * 7 + i],
                  x == kAbsent ? 0.0 : static_cast<double>(100 * static_cast<int>(w) + 10 * along_y[j] + x + 1))
            << w << " " << j << " " << i;
      }

  const Solution back = read_hdf5(path).solution;
  EXPECT_EQ(back.subdomains, solution.subdomains);
  for (std::size_t w = 0; w < 2; ++w) EXPECT_EQ(back.fields[0].windows[w].data, solution.fields[0].windows[w].data);

  // Damage that the basis itself would refuse is an error of the file.
  change(path, "/coefficients/y_mode", "basis", "fourier");
  EXPECT_THROW(read_hdf5(path), OutputError) << "the name of memory's order";
  change(path, "/coefficients/y_mode", "basis", "fourier_real");
  EXPECT_NO_THROW(read_hdf5(path));
  change(path, "/coefficients/y_mode", "map", "log");
  EXPECT_THROW(read_hdf5(path), OutputError);
  std::filesystem::remove_all(pattern);
}

}  // namespace
}  // namespace gwrm::fourier_order_test
