// The text of files that are compiled at run time (made by kernels/CMakeLists.txt).
#pragma once

namespace gwrm {

extern const char* const kDoubleDoubleText;
extern const char* const kRecurrenceLayoutText;
extern const char* const kRecurrenceKernelsText;
extern const char* const kReactionKernelsText;

}  // namespace gwrm
