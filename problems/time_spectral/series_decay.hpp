// How a series goes on behind the last level that a run has: what is said about higher degrees rests on it.
//
// S(l)     what ends behind level l, the sum of the sizes of all levels there (series_losses.hpp). A run knows it but
// for
//          R = S(N), what it has no levels for.
// W(l)     = S(l) - S(l + w), the next w levels: free of R. w = 4; 2 of short series. Even functions have every second
//          level alone, and the last coefficients of a collocated series are right to a factor of 2.
// fall     -d(log W)/dl, the mean over a stretch of at least 4 levels.
// law      of powers, W(l) ~ l^-(p + 1), p from the last half: where the fall over the last half of the levels is less
//          than 3/4 of that over the quarter before it (halves for a power, is the same for a geometric series), and it
//          slows down within the last half, too. R = N c / p, c the last level.
//          Else geometric, W(l) ~ exp(-l fall), with the fall over the last quarter where that is the smaller one, else
//          the root of the product of both: entire functions fall ever faster. R = W(N - w) q / (1 - q), q = exp(-w
//          fall), the fall here at least 0.03.
// power    p is one that levels show where there are enough of them and p is at least 1/4: levels behind a smooth part
//          that do not fall at all look like a power of 0, and only more of them would tell. Of series too short for
//          any stretch of W nothing is known: they may be polynomials, R is 0.
// Source: L. N. Trefethen, Approximation Theory and Approximation Practice (2013), chapters 7 and 8.
#pragma once

#include <optional>
#include <vector>

namespace gwrm {

// Levels that fall as c_l ~ l^-(p + 1).
struct PowerLaw {
  double power = 0.0;       // p
  double last_level = 0.0;  // c_N by this law
};

// The law of a series with these losses S(l), if it is one of powers: the straight line through the larger one of c_l
// and c_(l-1) over log l, c_l = S(l-1) - S(l), over the last two thirds of the levels where it fits better than one
// over l, and to 0.03 (fronts that are not resolved scatter more), and the first half of them falls at least 1.3 times
// as steeply per level as the second (1.7 for powers, 1 for geometric series). A tau method lets the last half fall
// away: else over the levels N/10 to N/4, where those at N/2 and 3N/4 lie within a factor of 3 of that line.
std::optional<PowerLaw> power_law(const std::vector<double>& losses);

class SeriesDecay {
 public:
  enum class Law { geometric, powers };

  // losses: S(l) - S(N) for l = 0 .. N, the last of them 0.
  explicit SeriesDecay(std::vector<double> losses);

  Law law() const { return law_; }
  double power() const { return power_; }                 // p, whatever the law
  bool shows_power() const;                               // whatever the law
  bool is_long_enough() const { return last_ > width_; }  // to say how it falls
  bool falls() const;                                     // at all, within the last half
  double behind(double level) const;                      // S, measured or as it goes on
  // Of what ends behind level `from`, the share of the levels up to `to`.
  double share_of_levels(double from, double to) const;
  // The lowest level behind which no more than `allowed` is left; infinity where the series does not fall.
  double level_for(double allowed) const;

 private:
  double next(int level) const;  // W
  double fall(int from, int to) const;
  double remainder() const;

  std::vector<double> losses_;
  int last_;   // N
  int width_;  // w
  Law law_ = Law::geometric;
  double fall_ = 0.0, power_ = 0.0, remainder_ = 0.0;
};

}  // namespace gwrm
