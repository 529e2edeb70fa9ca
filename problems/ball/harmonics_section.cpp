#include "problems/ball/harmonics_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "case/resolved_text.hpp"

namespace gwrm::ball {
namespace {

// Whole numbers of at most four digits, all of the text.
bool is_number(std::string_view text, int& value) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && rest == text.data() + text.size() && std::abs(value) < 10000;
}

}  // namespace

std::vector<HarmonicCase> read_harmonics(const casefile::YamlNode* node) {
  std::vector<HarmonicCase> harmonics;
  if (node == nullptr) return harmonics;
  for (const casefile::YamlEntry& entry : node->entries) {
    HarmonicCase harmonic;
    const std::string& name = entry.key.text;
    const std::size_t comma = name.find(',');
    if (comma == std::string::npos || !is_number(std::string_view(name).substr(0, comma), harmonic.l) ||
        !is_number(std::string_view(name).substr(comma + 1), harmonic.m))
      entry.key.fail(
          fmt::format("`{}` is no harmonic: write \"l,m\" for P_l^m(cos theta) "
                      "cos(m phi), \"l,-m\" for the sine, as \"2,1\"",
                      name));
    if (harmonic.l < 1)
      entry.key.fail(
          fmt::format("`{}`: the harmonics of vector fields begin "
                      "with l = 1; l = 0 has no field",
                      name));
    if (std::abs(harmonic.m) > harmonic.l)
      entry.key.fail(fmt::format("`{}`: |m| = {} is above l = {}, and P_l^m = 0 there: take |m| <= l", name,
                                 std::abs(harmonic.m), harmonic.l));
    harmonic.key = entry.key.where();
    harmonic.text = entry.value.mark.where();
    for (const HarmonicCase& other : harmonics)
      if (other.l == harmonic.l && other.m == harmonic.m)
        entry.key.fail(fmt::format("`{}` means the same harmonic as `{}`", name, other.key.text));
    harmonics.push_back(std::move(harmonic));
  }
  return harmonics;
}

std::string harmonics_text(const std::vector<HarmonicCase>& harmonics) {
  std::string text;
  for (const HarmonicCase& harmonic : harmonics)
    text += fmt::format("{}\"{},{}\": {}", text.empty() ? "" : ", ", harmonic.l, harmonic.m,
                        casefile::quoted(harmonic.text.text));
  return "{" + text + "}";
}

void check_degrees(const std::vector<HarmonicCase>& harmonics, const BallCase& ball) {
  const int degree_l = ball.degree_l, degree_m = ball.degree_m;
  for (const HarmonicCase& harmonic : harmonics) {
    if (harmonic.l > degree_l)
      throw_case_error(harmonic.key, 0,
                       fmt::format("ball.degree has l: {}, this needs {}: raise it", degree_l, harmonic.l));
    if (std::abs(harmonic.m) > degree_m)
      throw_case_error(harmonic.key, 0,
                       fmt::format("ball.degree has m: {}, this needs {}: raise it", degree_m, std::abs(harmonic.m)));
    const int m = std::abs(harmonic.m);
    if (m % ball.azimuthal_symmetry != 0)
      throw_case_error(
          harmonic.key, 0,
          fmt::format("the order {} is no multiple of ball.azimuthal_symmetry: {}: leave that out, or take "
                      "one that divides it",
                      m, ball.azimuthal_symmetry));
    if (!ball.orders.empty() && std::find(ball.orders.begin(), ball.orders.end(), m) == ball.orders.end())
      throw_case_error(harmonic.key, 0, fmt::format("the order {0} is not in ball.degree.m: add {0} to its list", m));
  }
}

}  // namespace gwrm::ball
