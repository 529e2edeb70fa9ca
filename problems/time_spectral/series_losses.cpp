#include "problems/time_spectral/series_losses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "basis/axis_basis.hpp"
#include "basis/levels.hpp"
#include "problems/time_spectral/finer_comparison.hpp"

namespace gwrm {
namespace {

constexpr double kCoefficientRounding = std::numeric_limits<double>::epsilon();  // of a coefficient

// in_time: of the losses of two windows.
template <class InTime>
Losses losses_of(const Model& model, const Solution& answer, std::size_t f, double size, LevelSize of_levels,
                 InTime in_time) {
  const FieldSolution& field = answer.fields[f];
  Losses losses(answer.axes.size());
  for (std::size_t d = 0; d < field.axes.size(); ++d) {
    const auto axis = static_cast<std::size_t>(field.axes[d]);
    std::vector<double>& whole = losses[axis];
    for (std::size_t w = 0; w < field.windows.size(); ++w) {
      const std::vector<double> part =
          sums_behind(field.windows[w], d, answer.subdomains[w][axis], of_levels, model.fields[f].n_lower[axis]);
      whole.resize(std::max(whole.size(), part.size()), 0.0);
      for (std::size_t level = 0; level < part.size(); ++level) {
        const double loss = size > 0.0 ? part[level] / size : 0.0;
        whole[level] =
            field.axes[d] == answer.windowed_axis() ? in_time(whole[level], loss) : std::max(whole[level], loss);
      }
    }
  }
  return losses;
}

double larger(double a, double b) {
  return std::max(a, b);
}

double last_loss(const Losses& losses) {
  double last = kCoefficientRounding;
  for (const std::vector<double>& levels : losses)
    if (levels.size() > kLastLevels) last = std::max(last, levels[levels.size() - 1 - kLastLevels]);
  return last;
}

std::vector<double> sizes_of_fields(const Solution& answer) {
  std::vector<double> sizes;
  for (const FieldSolution& field : answer.fields) {
    double size = 0.0;
    for (const Array& window : field.windows) size = std::max(size, largest_magnitude(window.data));
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace

std::vector<std::vector<double>> sums_behind_each(const Array& coefficients, std::size_t dimension,
                                                  const AxisDescription& subdomains, LevelSize size, int n_lower) {
  if (n_lower > 0) {
    const ShorterSeries series(coefficients, dimension, subdomains, n_lower);
    auto each = sums_behind_each(series.coefficients(), dimension, series.description(), size, 0);
    for (std::vector<double>& sums : each) sums.insert(sums.begin(), static_cast<std::size_t>(n_lower), sums.front());
    return each;
  }
  const auto basis = make_basis(subdomains);
  Index outer = 1, inner = 1;
  for (std::size_t d = 0; d < dimension; ++d) outer *= coefficients.shape[d];
  for (std::size_t d = dimension + 1; d < coefficients.shape.size(); ++d) inner *= coefficients.shape[d];
  const Index n = basis->n_per_subdomain();
  std::vector<std::vector<double>> each;
  for (Index p = 0; p < basis->n_subdomains(); ++p) {
    std::vector<double>& sums = each.emplace_back(static_cast<std::size_t>(basis->degree()) + 1, 0.0);
    double behind = 0.0;
    for (int level = basis->degree(); level >= 0; --level) {
      sums[static_cast<std::size_t>(level)] = behind;
      double sum = 0.0;
      for (Index o = 0; o < outer; ++o) {
        const double* const block = coefficients.data.data() + (o * basis->n_subdomains() + p) * n * inner;
        for (Index i = basis->n_below(level) * inner; i < basis->n_below(level + 1) * inner; ++i)
          sum += size == LevelSize::magnitudes ? std::abs(block[i]) : block[i] * block[i];
      }
      behind += size == LevelSize::magnitudes ? sum : std::sqrt(sum);
    }
  }
  return each;
}

std::vector<double> sums_behind(const Array& coefficients, std::size_t dimension, const AxisDescription& subdomains,
                                LevelSize size, int n_lower) {
  std::vector<double> largest;
  for (const std::vector<double>& sums : sums_behind_each(coefficients, dimension, subdomains, size, n_lower)) {
    largest.resize(sums.size(), 0.0);
    for (std::size_t level = 0; level < sums.size(); ++level) largest[level] = std::max(largest[level], sums[level]);
  }
  return largest;
}

void take_larger(Losses& worst, const Losses& losses, double weight) {
  worst.resize(std::max(worst.size(), losses.size()));
  for (std::size_t axis = 0; axis < losses.size(); ++axis) {
    worst[axis].resize(std::max(worst[axis].size(), losses[axis].size()), 0.0);
    for (std::size_t level = 0; level < losses[axis].size(); ++level)
      worst[axis][level] = std::max(worst[axis][level], weight * losses[axis][level]);
  }
}

Losses relative_losses(const Model& model, const Solution& answer) {
  const std::vector<double> sizes = sizes_of_fields(answer);
  const SizeCoupling coupling(model);
  Losses worst(answer.axes.size());
  for (std::size_t f = 0; f < answer.fields.size(); ++f)
    take_larger(worst,
                losses_of(model, answer, f, reference_size(model, coupling, sizes, f), LevelSize::mean_square, larger));
  return worst;
}

Losses weighted_losses(const Model& model, const Solution& answer, double error, double allowed) {
  const std::vector<double> sizes = sizes_of_fields(answer);
  const SizeCoupling coupling(model);
  Losses worst(answer.axes.size());
  for (std::size_t f = 0; f < answer.fields.size(); ++f) {
    const Losses losses =
        losses_of(model, answer, f, reference_size(model, coupling, sizes, f), LevelSize::magnitudes, std::plus<>());
    take_larger(worst, losses, std::max(1.0, error / last_loss(losses)) / allowed);
  }
  return worst;
}

std::string degrees_text(const Model& model, const std::vector<AxisDescription>& subdomains) {
  std::string text;
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", model.axes[axis].name, subdomains[axis].degree);
  return "degree: {" + text + "}";
}

}  // namespace gwrm
