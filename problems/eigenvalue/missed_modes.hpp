// Modes that an answer lacks, from the eigenvalues near the wanted ones on two much finer divisions
// (search_subdomains.hpp). The search shows what its subdomains can show; it proves nothing.
//
// Missed   an eigenvalue that both divisions have, among those asked for, beside each of the answer's the nearest one
//          taken away (equal eigenvalues count as often as they are there).
// Moved    an eigenvalue of the answer whose nearest one there lies further away than the two divisions differ: of
//          coefficients that the answer's subdomains, and those of its estimate, do not show.
#pragma once

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "problems/eigenvalue/mode_checks.hpp"

namespace gwrm {

struct SearchedModes {
  std::vector<std::complex<double>> missed;
  std::vector<double> moved;  // per mode of the answer, 0 where the divisions cannot tell
};

// first, second: eigenvalues on the two divisions. is_among: whether an eigenvalue is among those asked for.
SearchedModes compare_searched(const std::vector<JudgedMode>& modes, const std::vector<std::complex<double>>& first,
                               const std::vector<std::complex<double>>& second,
                               const std::function<bool(std::complex<double>)>& is_among);

// "near 5, 15": the first of them.
std::string describe_missed(const std::vector<std::complex<double>>& missed);

}  // namespace gwrm
