#include "problems/time_spectral/sudden_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "problems/time_spectral/graded_subdomains.hpp"

namespace gwrm {
namespace {

constexpr double kPassing = 0.01;  // of what is left of the run: sizes are not those of the run yet

}  // namespace

const SuddenStart* sudden_start_at(const std::vector<SuddenStart>& all, double t) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const SuddenStart& start) { return start.holds(t); });
  return found == all.end() ? nullptr : &*found;
}

bool is_passing(const std::vector<SuddenStart>& all, double t, double run_end) {
  return std::any_of(all.begin(), all.end(), [&](const SuddenStart& start) {
    return t >= start.at && t < std::max(start.end, start.at + kPassing * (run_end - start.at));
  });
}

std::vector<LeftOut> left_out_of(const std::vector<SuddenStart>& all) {
  std::vector<LeftOut> left_out;
  for (const SuddenStart& start : all)
    for (const SuddenStart::Corner& corner : start.corners)
      left_out.push_back({start.at, start.end, corner.axis, corner.place, corner.width, corner.jump});
  return left_out;
}

std::vector<std::string> describe(const Model& model, const std::vector<SuddenStart>& all) {
  std::vector<std::string> texts;
  for (const SuddenStart& start : all)
    for (const SuddenStart::Corner& corner : start.corners)
      texts.push_back(fmt::format(
          "{}: the solution is singular there and smooth afterwards (diffusion); the first window is {:.3g} long; t < "
          "{:.6g} within {:.3g} of {} = {:.6g} is not judged (resolution.start)",
          corner.text, start.first, start.end, corner.width, model.axes[static_cast<std::size_t>(corner.axis)].name,
          corner.place));
  return texts;
}

std::vector<AxisDescription> graded_to(const SuddenStart& start, std::vector<AxisDescription> subdomains, double ratio,
                                       int most_subdomains) {
  for (const SuddenStart::Corner& corner : start.corners) {
    AxisDescription& mine = subdomains[static_cast<std::size_t>(corner.axis)];
    mine = cut_toward(std::move(mine), corner.place, corner.spacing, 1.0 / ratio, most_subdomains);
  }
  return subdomains;
}

}  // namespace gwrm
