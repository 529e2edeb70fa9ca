// The log on stderr (stdout is for results). Set up once by main; levels by --quiet and -v.
#pragma once

#include <spdlog/spdlog.h>

namespace gwrm {

enum class Verbosity { quiet, normal, verbose };

// Colour only on a terminal and without NO_COLOR.
void configure_log(Verbosity verbosity);

}  // namespace gwrm
