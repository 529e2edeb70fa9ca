// The spatial operators B_p of one axis of space, subdomain by subdomain: what static_condensation.cpp factors.
#pragma once

#include "weighted_residual/window/averaged_rows.hpp"

namespace gwrm {

// Real blocks B_p of one subdomain.
struct CondensedSubdomain {
  std::vector<Index> rows;           // spatial row of each local row
  std::vector<Index> unknowns;       // spatial unknown of each local column: the modes of one field after another
  std::vector<Matrix> local;         // per p: rows x unknowns
  std::vector<Matrix> global;        // per p: rows x n_global
  std::vector<Index> coupling_rows;  // of the coupling rows that hold unknowns of this subdomain
  std::vector<Matrix> coupling;      // per p: coupling_rows x unknowns
};

struct StaticCondensationRows {
  std::vector<CondensedSubdomain> subdomains;
  std::vector<Index> coupling_rows;     // spatial row of each
  std::vector<Index> global_unknowns;   // spatial unknown of each
  std::vector<Matrix> coupling_global;  // per p: coupling_rows x n_global
  Index n_modes = 1;                    // of each field on a subdomain
};

// The one axis of space, or -1.
int condensed_axis(const Model& model);

// Cost and memory linear in the number of subdomains.
StaticCondensationRows static_condensation_rows(const WindowSystem& system, const SpatialLayout& layout,
                                                const std::vector<Array>& averages);

}  // namespace gwrm
