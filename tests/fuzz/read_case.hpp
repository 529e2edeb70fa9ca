// Case files with the sections of all problem modules, without what solves them: the fuzz targets compile little.
#pragma once

#include <string>
#include <vector>

#include "case/case_reader.hpp"
#include "problems/ball/ball_section.hpp"
#include "problems/recurrence_bvp/recurrence_section.hpp"
#include "problems/sbp_sat/sbp_sat_section.hpp"
#include "problems/time_spectral/time_spectral_section.hpp"

namespace gwrm::fuzz {

inline Case read_case_text(const std::string& text, const std::string& name,
                           const std::vector<Override>& overrides = {}) {
  static const TimeSpectralSection time_spectral;
  static const RecurrenceSection recurrence_bvp;
  static const SbpSatSection sbp_sat_poisson;
  static const BallSection ball;
  static const CaseFormat format({&time_spectral, &recurrence_bvp, &sbp_sat_poisson, &ball});
  return gwrm::read_case_text(format, text, name, overrides);
}

}  // namespace gwrm::fuzz
