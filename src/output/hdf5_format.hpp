// The words that the writer and the reader of the result file share (docs/output-format.md).
#pragma once

#include <string>

namespace gwrm::hdf5 {

inline constexpr int kFormatVersion = 2, kOldestFormatVersion = 1;
inline constexpr int kSweepVersion = 1;  // of the result of a sweep
inline constexpr const char* kCoefficients = "coefficients";
inline constexpr const char* kWindows = "windows";
inline constexpr const char* kNewton = "newton";
inline constexpr const char* kVerification = "verification";
inline constexpr const char* kStatistics = "statistics";

inline constexpr const char* kDistribution = "distribution";  // of a parameter's axis and modes
inline constexpr const char* kErrorOf = "error_of";           // of a sampled field
inline constexpr const char* kCoordinates = "coordinates";    // of a module's group: kSpherical

inline constexpr const char* kWindowScale = "window";
inline constexpr const char* kIterationScale = "iteration";
inline constexpr const char* kCheckScale = "check";
inline constexpr const char* kEstimate = "estimate";  // within kVerification
inline constexpr const char* kEstimatedScale = "estimated";
inline constexpr const char* kGoals = "goals";  // within kVerification
inline constexpr const char* kGoalScale = "goal";
inline constexpr const char* kLeftOut = "left_out";  // within kVerification
inline constexpr const char* kLeftOutScale = "place_left_out";
inline std::string mode_scale(const std::string& axis) {
  return axis + "_mode";
}

// Only where an axis is divided or its degree changes from window to window.
inline std::string subdomain_scale(const std::string& axis) {
  return axis + "_piece";
}
inline std::string edge_scale(const std::string& axis) {
  return axis + "_edge";
}
inline std::string degree_list(const std::string& axis) {
  return axis + "_degree";
}
inline std::string subdomain_count_list(const std::string& axis) {
  return axis + "_pieces";
}
inline std::string edge_table(const std::string& axis) {
  return axis + "_edges";
}

// Version 1: of the group /coefficients, for all axes; since version 2 of every <axis>_mode.
inline constexpr const char* kBasis = "basis";
inline constexpr const char* kNormalisation = "normalisation";
inline constexpr const char* kOnlyBasisOfVersion1 = "chebyshev_first_kind";

}  // namespace gwrm::hdf5
