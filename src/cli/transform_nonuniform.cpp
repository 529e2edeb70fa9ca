// gwrm transform --kind fourier_nonuniform: sums over scattered points to modes (type 1), modes to values at points
// (type 2).
#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <span>

#include "cli/transform_kinds.hpp"
#include "kernels/transform/nonuniform_fourier.hpp"

namespace gwrm::cli {
namespace {

using Complex = std::complex<double>;

// Real and imaginary parts NAME_re and NAME_im, or NAME alone.
struct ComplexArray {
  Shape shape;
  std::vector<Complex> values;
};
ComplexArray read_complex(const TransformRequest& request) {
  const std::string re_name = request.dataset + "_re", im_name = request.dataset + "_im";
  const bool in_parts = has_array(request.path, re_name);
  const Array re = read_array(request.path, in_parts ? re_name : request.dataset);
  const Array im = in_parts ? read_array(request.path, im_name) : Array(re.shape);
  if (re.shape != im.shape)
    throw CaseError(request.path + ": error: the datasets " + re_name + " and " + im_name + " need the same shape");
  ComplexArray result{re.shape, {}};
  for (std::size_t i = 0; i < re.data.size(); ++i) result.values.emplace_back(re.data[i], im.data[i]);
  return result;
}

struct Points {
  std::vector<std::vector<double>> lists;
  std::vector<std::span<const double>> spans() const { return {lists.begin(), lists.end()}; }
  std::size_t count() const { return lists.front().size(); }
};
Points read_coordinates(const TransformRequest& request) {
  if (request.points.empty() || request.points.size() > 3)
    throw CaseError(
        "--points: error: the names of one to three datasets with the coordinates of the points, as --points x,y");
  Points points;
  for (const std::string& name : request.points) {
    Array list = read_array(request.path, name);
    if (list.shape.size() != 1)
      throw CaseError(fmt::format("{}: error: the dataset {} has {} dimensions: coordinates are lists of numbers",
                                  request.path, name, list.shape.size()));
    points.lists.push_back(std::move(list.data));
    if (points.lists.back().size() != points.count())
      throw CaseError(fmt::format("{}: error: {} values of {} and {} of {}: every point needs one of each",
                                  request.path, points.count(), request.points.front(), points.lists.back().size(),
                                  name));
  }
  return points;
}

// exp(sign i n.x) of mode number k, from the definition
Complex wave(const std::vector<Index>& modes, std::size_t k, const Points& points, std::size_t j, int sign) {
  long double phase = 0.0L;
  Index rest = static_cast<Index>(k);
  for (std::size_t d = modes.size(); d-- > 0; rest /= modes[d])
    phase += static_cast<long double>(rest % modes[d] - modes[d] / 2) * points.lists[d][j];
  return {static_cast<double>(std::cos(phase)), sign * static_cast<double>(std::sin(phase))};
}

constexpr std::size_t kChecked = 16;  // sums that are formed from the definition, too

WrittenArray part(const TransformRequest& request, const char* ending, const char* text,
                  const std::vector<std::string>& dimensions, const std::vector<Complex>& values, bool imaginary) {
  WrittenArray array{request.dataset + ending, text, dimensions, {}};
  for (const Complex& value : values) array.values.push_back(imaginary ? value.imag() : value.real());
  return array;
}

}  // namespace

TransformResult nonuniform_forward(const TransformRequest& request) {
  check_names(request.degree, request.points, "--degree");
  const Points points = read_coordinates(request);
  const ComplexArray c = read_complex(request);
  if (c.shape.size() != 1 || c.values.size() != points.count())
    throw CaseError(fmt::format("{}: error: the dataset {} needs one dimension with a number for each of the {} points",
                                request.path, request.dataset, points.count()));
  std::vector<Index> modes;
  TransformResult result;
  std::vector<std::string> names;
  Index n_modes = 1;
  for (const std::string& name : request.points) {
    const Index degree = number_of(request.degree, name, -1);
    if (degree < 0)
      throw CaseError(fmt::format("--degree: error: the highest mode along {0} is missing: --degree {0}=15", name));
    modes.push_back(2 * degree + 1);
    n_modes *= modes.back();
    std::vector<double> numbers;
    for (Index k = -degree; k <= degree; ++k) numbers.push_back(static_cast<double>(k));
    names.push_back("mode_" + name);
    result.scales.push_back({names.back(), numbers, numbers.size()});
  }
  NonuniformPlan plan(modes, request.tolerance);
  plan.set_points(points.spans(), request.n_threads);
  std::vector<Complex> F(static_cast<std::size_t>(n_modes));
  std::vector<Complex> workspace(cpu::nonuniform_workspace(plan, request.n_threads));
  cpu::nonuniform_type1(plan, -1, c.values.data(), F.data(), workspace.data(), request.n_threads);

  double largest = 0.0;
  for (const Complex& f : F) largest = std::max(largest, std::abs(f));
  for (std::size_t i = 0; i < std::min(kChecked, F.size()); ++i) {
    const std::size_t k = i * (F.size() - 1) / std::max<std::size_t>(1, std::min(kChecked, F.size()) - 1);
    std::complex<long double> sum = 0.0L;
    for (std::size_t j = 0; j < c.values.size(); ++j)
      sum += std::complex<long double>(c.values[j] * wave(modes, k, points, j, -1));
    result.error = std::max(result.error, static_cast<double>(std::abs(sum - std::complex<long double>(F[k]))) /
                                              (largest > 0.0 ? largest : 1.0));
  }
  result.error_of = "error of modes summed directly";
  result.normalisation = "F_n = sum_j c_j exp(-i n.x_j), not divided by the number of points";
  result.arrays = {part(request, "_re", "real parts of Fourier sums", names, F, false),
                   part(request, "_im", "imaginary parts of Fourier sums", names, F, true)};
  return result;
}

TransformResult nonuniform_inverse(const TransformRequest& request) {
  const Points points = read_coordinates(request);
  const ComplexArray F = read_complex(request);
  const std::vector<Index> modes(F.shape.begin(), F.shape.end());
  bool odd = modes.size() == points.lists.size();
  for (const Index n : modes) odd = odd && n % 2 == 1;
  if (!odd)
    throw CaseError(
        fmt::format("{}: error: the dataset {} needs {} dimensions, one for each of --points, with the modes from -N "
                    "to N along each",
                    request.path, request.dataset, points.lists.size()));
  NonuniformPlan plan(modes, request.tolerance);
  plan.set_points(points.spans(), request.n_threads);
  std::vector<Complex> c(points.count());
  std::vector<Complex> workspace(cpu::nonuniform_workspace(plan, request.n_threads));
  cpu::nonuniform_type2(plan, 1, F.values.data(), c.data(), workspace.data(), request.n_threads);

  TransformResult result;
  double largest = 0.0;
  for (const Complex& value : c) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < std::min(kChecked, c.size()); ++i) {
    const std::size_t j = i * (c.size() - 1) / std::max<std::size_t>(1, std::min(kChecked, c.size()) - 1);
    std::complex<long double> sum = 0.0L;
    for (std::size_t k = 0; k < F.values.size(); ++k)
      sum += std::complex<long double>(F.values[k] * wave(modes, k, points, j, 1));
    result.error = std::max(result.error, static_cast<double>(std::abs(sum - std::complex<long double>(c[j]))) /
                                              (largest > 0.0 ? largest : 1.0));
  }
  result.error_of = "error of values summed directly";
  result.normalisation = "c_j = sum_n F_n exp(i n.x_j)";
  result.scales = {{"point", {}, points.count()}};
  for (std::size_t d = 0; d < request.points.size(); ++d)
    result.arrays.push_back({request.points[d], "coordinate", {"point"}, points.lists[d]});
  result.arrays.push_back(part(request, "_re", "real parts of values", {"point"}, c, false));
  result.arrays.push_back(part(request, "_im", "imaginary parts of values", {"point"}, c, true));
  return result;
}

}  // namespace gwrm::cli
