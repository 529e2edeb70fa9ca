// How far the answer of a run grows beyond its data, and when.
//
// A problem that is not well posed (a condition at the end where characteristics leave, diffusion of the wrong sign)
// has no answer that depends on its data continuously, but a discretisation of it has one: it grows at rates that rise
// without bound with the resolution. Every check of the verification is relative to the size of the answer; so an
// answer that contradicts its data altogether passes checks of tolerance e as soon as it is 1/e times as large as they
// are. An answer that stays near the size of its data cannot hide anything in this way, and one that has grown is not
// wrong for that: growth_check.hpp finds out.
//
// size   of a field: the root of the sum of its squared coefficients in space over the number of subdomains, or the
// largest of
//        them, at any time so far
// data   of a field: the largest magnitude of its initial values, of the terms without unknowns (of exp(u): 1) in its
//        equation times the length of time, and in its conditions times the length of their axis; at least a hundredth
//        of the largest data of any field (what u is given moves v too)
#pragma once

#include <memory>
#include <vector>

#include "problems/time_spectral/march.hpp"

namespace gwrm {

// An answer that contradicts its data and passes checks of 1e-3 (residual) is about 1e3 times as large as they are;
// what begins as rounding may pass with less. Sizes by coefficients are smaller than the values they add up to.
inline constexpr double kDoubtfulGrowth = 4.0;
// Of a parabolic problem (parabolic.hpp), which is well posed: errors in time alone may hide so.
inline constexpr double kDoubtfulGrowthParabolic = 1e3;

// A finished window.
struct WindowRecord {
  double end = 0.0;
  std::shared_ptr<const std::vector<AxisDescription>> subdomains;  // shared by the windows that have the same
  std::vector<double> sizes;                                       // per field, up to the end of this window
};

class GrowthWatch {
 public:
  // points: of the collocated parameters; a few of them are looked at.
  GrowthWatch(const Model& model, const std::vector<std::vector<double>>& points);
  void update(const MarchWindow& window);  // one after the other

  // There is growth in time to speak of: without time or derivatives in space every problem is well posed.
  bool applies() const { return applies_; }
  // That is to be looked at, the largest growth being above.
  double doubtful_growth() const { return doubtful_growth_; }
  const std::vector<WindowRecord>& windows() const { return windows_; }
  double data(std::size_t field) const { return data_[field]; }
  // The largest size over data of any field at the end.
  double growth() const;
  std::size_t largest_field() const;
  // The windows until the growth first reaches half of what it comes to: what an answer does after that (turbulence
  // that saturates) need not be computed again.
  std::size_t n_until_grown() const;

 private:
  double growth_of(const WindowRecord& record) const;

  const Model& model_;
  bool applies_ = false;
  double doubtful_growth_ = kDoubtfulGrowth;
  std::vector<double> data_;  // per field
  std::vector<WindowRecord> windows_;
};

// Per field, of the window alone.
std::vector<double> sizes_of(const Model& model, const MarchWindow& window);

}  // namespace gwrm
