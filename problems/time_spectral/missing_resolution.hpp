// What resolution a run of given degrees that failed for want of it would need, by the decay of its own series.
//
// S(l)      what ends behind level l of an axis (series_losses.hpp): along space of the finer solution V of the
// estimate
//           of the error, which has more levels and the better ones, where there is one; else, and along time and
//           parameters, of the run's own. It goes on as series_decay.hpp says.
// e         the error, or what else has failed, in units of its tolerance, with its margin. It is taken to be
//           proportional to what is lost: with L = max over the axes of S(N), N the degree, an axis of degree n may
//           lose S(n) <= L / (3 e n_axes).
// space, parameters   the lowest n of the same parity that does so.
// time      windows may be divided, too, into p parts each: a loss behind level K falls as p^-K. Taken are the K up to
//           16 and the p with the fewest nodes, p (K + 1). Not before space shows the initial values: a state that
//           lacks part of them misses its conditions, and time has a corner that the case does not have.
// not known Series that have not begun to fall (three times the degree would not do): twice the degree tells more.
//           Series of powers, of a kink or a corner: degrees gain little, subdomains and windows that a tolerance
//           chooses may do; an axis that cannot be divided (Fourier) has its degree alone. An error that no series
//           shows: a tolerance, which looks for it elsewhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "output/report.hpp"
#include "output/solution.hpp"
#include "problems/time_spectral/march.hpp"
#include "problems/time_spectral/series_losses.hpp"

namespace gwrm {

// A line of the case file, what it means, and why:
// "resolution: {degree: {t: 12, x: 40}, domains: {t: 8}}", "may suffice, as the series fall".
struct ProposedResolution {
  std::vector<AxisDescription> subdomains;  // per axis of the model
  std::vector<double> windows;              // their edges; empty without time
  double tolerance = 0.0;                   // above 0: this in place of degrees and divisions
  std::string line, why;

  std::string text() const { return line + " " + why; }
};

struct MissingResolution {
  std::optional<ProposedResolution> proposal;
  std::string text;  // of the proposal; or why there is none; empty where there is nothing to say
};

// Nothing where the run has not failed, or for something that no resolution mends; of an automatic run too.
// finer: the losses of V along space, [axis][level]; empty without. corner: initial and boundary data contradict each
// other, so that the first window has a series of powers. grown_rounding: ErrorEstimator::grown_rounding(); where it
// exceeds the tolerance, no resolution is proposed.
MissingResolution missing_resolution(const Case& the_case, const Model& model, const Solution& answer,
                                     const Verification& verification, const Losses& finer, bool corner,
                                     double grown_rounding = 0.0);
// By the losses of a run without time.
MissingResolution missing_resolution(const Case& the_case, const Model& model, const Losses& losses,
                                     const Verification& verification);

}  // namespace gwrm
