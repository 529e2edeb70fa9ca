// The section `recurrence` of a case as plain data; docs/case-file.md describes each key.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "case/case.hpp"

namespace gwrm {

// a..: of the paper (kernels/recurrence/recurrence_paper.hpp)
enum class RecurrenceAlgorithm { moments, a1s, a1d, a2s, a2d, a2sd };
enum class StoragePrecision { double_precision, single_precision };

// The two-point problem -u'' + reaction u = source on a grid of equal intervals.
struct RecurrenceCase : ModuleCase {
  std::ptrdiff_t intervals = 0;
  SourceText source;                        // an expression of x; empty text: the dataset
  std::string source_file, source_dataset;  // with the case file's folder in front
  SourceText source_where;                  // the place of the expression or of `dataset` in the case file
  SourceText source_file_where;             // that of `file`
  double reaction = 0.0;
  SourceText reaction_where;
  int order = 2;
  RecurrenceAlgorithm algorithm = RecurrenceAlgorithm::moments;
  StoragePrecision precision = StoragePrecision::double_precision;
  std::ptrdiff_t columns = 0;  // 0: the divisor of intervals next to its root
  SourceText where;            // the key `recurrence`
};

}  // namespace gwrm
