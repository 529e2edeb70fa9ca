// gwrm eval of answers whose coefficients are a module's own (problems/stored_answer.hpp).
#pragma once

#include "case/case.hpp"
#include "cli/options.hpp"
#include "output/hdf5_file.hpp"
#include "problems/stored_answer.hpp"

namespace gwrm::cli {

// CaseError for points in no one system of coordinates, or outside; those of --points are told as by eval_scattered().
ExitStatus eval_answer(const Options& options, const Case& the_case, const StoredRun& stored,
                       const StoredAnswer& answer);

}  // namespace gwrm::cli
