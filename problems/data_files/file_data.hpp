// The functions of Case::data: read when a value is wanted first, and what to say of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "case/case_format.hpp"
#include "output/report.hpp"
#include "problems/data_files/table_function.hpp"

namespace gwrm {

// What CaseFormat asks for. Where the entry's checksum and dimensions are open, the file is read at once, and both are
// found; else a file with another checksum is refused when a value is wanted. A result of gwrm is evaluated where the
// dataset is one of its unknowns or an expression of them; its samples, by a path ("/u"), and everything else are
// interpolated. CaseError at data.where, with file, dataset and cure.
std::shared_ptr<const expression::DataFunction> load_data_file(const CaseFormat& format, const Case& the_case,
                                                               DataCase& data);

// A line for each entry of Case::data: "k(y, x)", "k.nc, k: 33 x 65 points; .., error 1.2e-07". Reads the files.
std::vector<std::pair<std::string, std::string>> describe_data_files(const Case& the_case);

// A check of kind "data file" for each entry: its error against `tolerance`. It is judged where the answer depends on
// it: not of a guess, nor of what the answer is compared with. Of an error that is not known there is a warning.
void check_data_files(const Case& the_case, double tolerance, std::vector<Check>& checks,
                      std::vector<std::string>& warnings);

}  // namespace gwrm
