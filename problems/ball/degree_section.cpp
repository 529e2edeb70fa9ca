#include "problems/ball/degree_section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "case/key_specs.hpp"

namespace gwrm::ball {

using namespace casefile;

namespace {

constexpr int kMaxDegree = 1000, kMaxTimeDegree = 64;
constexpr int kRadialToCheck = 48;  // functions that given initial fields are held against

// Two more Radau nodes than decimal digits of the last coefficients.
int time_degree(double tolerance) {
  return std::clamp(static_cast<int>(std::ceil(-std::log10(tolerance))) + 2, 6, 16);
}

}  // namespace

std::vector<KeySpec> degree_keys() {
  using namespace casefile::keys;
  return {
      map("ball.degree", "How finely the fields are resolved. Default: chosen by `tolerance`, each degree for itself."),
      integer("ball.degree.t", "", 1, kMaxTimeDegree,
              "Degree in t of each window: so many Radau nodes. Default: two more than digits of `tolerance`."),
      integer("ball.degree.r", "", 1, kMaxDegree,
              "Highest n of the radial functions r^l "
              "P_n^(0,l+1/2)(2r^2-1), in a shell P_n(x)/r, for every l. Default: as the last coefficients are small."),
      integer("ball.degree.l", "", 0, kMaxDegree,
              "Highest degree l of the spherical harmonics. Default: as the last coefficients are small."),
      or_list(
          integer("ball.degree.m", "", 0, kMaxDegree,
                  "Highest order m, at most l, or the list of all orders that are there. Default: l, or without l as "
                  "the last coefficients are small."),
          1, kMaxDegree + 1),
      integer("ball.degree.m[]", "", 0, kMaxDegree, "An order, above the one before."),
      integer("ball.azimuthal_symmetry", "1", 1, kMaxDegree,
              "Fields repeat themselves so many times about the axis: the orders m are multiples of it."),
  };
}

namespace {

// One number is the highest order, several are all of them.
void read_orders(const CaseTree& file, const Constants& constants, BallCase& ball) {
  const YamlNode* node = file.root.find_path("ball.degree.m");
  if (node == nullptr || node->is_scalar()) {
    ball.degree_m = file.integer_at("ball.degree.m", constants, ball.degree_l);
    return;
  }
  for (const YamlNode& item : node->items) {
    ball.orders.push_back(file.integer_of(item, "ball.degree.m[]", constants));
    if (ball.orders.size() > 1 && ball.orders.back() <= ball.orders[ball.orders.size() - 2])
      item.mark.fail("the orders must increase, as m: [0, 2, 4]");
  }
  ball.degree_m = ball.orders.back();
  if (ball.azimuthal_symmetry > 1)
    node->mark.fail("a list of orders says all: leave out ball.azimuthal_symmetry, or give the highest order alone");
}

}  // namespace

void read_degrees(const CaseTree& file, const Constants& constants, BallCase& ball) {
  const YamlEntry* degree = file.root.find_path("ball")->find_entry("degree");
  ball.degree_where = degree == nullptr ? ball.where : degree->key.where();
  const auto is_given = [&](const char* name) {
    return file.root.find_path(std::string("ball.degree.") + name) != nullptr;
  };
  ball.chosen = {!is_given("t"), !is_given("r"), !is_given("l"), !is_given("m") && !is_given("l")};
  ball.degree_t = file.integer_at("ball.degree.t", constants, time_degree(ball.tolerance));
  ball.degree_r = file.integer_at("ball.degree.r", constants, kRadialToCheck);
  ball.degree_l = file.integer_at("ball.degree.l", constants, kMaxDegree);
  ball.azimuthal_symmetry = file.integer_at("ball.azimuthal_symmetry", constants, 1);
  read_orders(file, constants, ball);
  if (ball.degree_m > ball.degree_l)
    file.root.find_path("ball.degree.m")
        ->mark.fail(fmt::format("the order m = {} is above the degree l = {}: "
                                "there are no such harmonics; take m <= l",
                                ball.degree_m, ball.degree_l));
}

void settle_degrees(BallCase& ball) {
  int l = 0, m = 0;
  for (const BallField& field : ball.fields) {
    if (field.is_vector()) l = std::max(l, 1);
    for (const auto* harmonics : {&field.toroidal, &field.poloidal})
      for (const HarmonicCase& harmonic : *harmonics) {
        l = std::max(l, harmonic.l);
        m = std::max(m, std::abs(harmonic.m));
      }
  }
  for (const auto* harmonics : {&ball.flow.toroidal, &ball.flow.poloidal})
    for (const HarmonicCase& harmonic : *harmonics) {
      l = std::max(l, harmonic.l + 1);
      m = std::max(m, std::abs(harmonic.m));
    }
  if (ball.chosen.l) ball.degree_l = std::max(l, ball.chosen.m ? m : ball.degree_m);
  if (ball.chosen.m) ball.degree_m = std::min(m, ball.degree_l);
}

std::string degrees_text(const BallCase& ball) {
  std::string text;
  const auto add = [&](const char* name, bool chosen, int degree) {
    if (!chosen) text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name, degree);
  };
  add("t", ball.chosen.t, ball.degree_t);
  add("r", ball.chosen.r, ball.degree_r);
  add("l", ball.chosen.l, ball.degree_l);
  if (ball.orders.empty())
    add("m", ball.chosen.m, ball.degree_m);
  else
    text += fmt::format("{}m: [{}]", text.empty() ? "" : ", ", fmt::join(ball.orders, ", "));
  return text.empty() ? "" : "{" + text + "}";
}

}  // namespace gwrm::ball
