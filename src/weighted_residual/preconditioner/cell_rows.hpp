// The linearised rows of a steady problem in several dimensions of space, cell by cell of the tensor grid of
// subdomains: what cell_solver.hpp eliminates.
#pragma once

#include <string>
#include <vector>

#include "weighted_residual/window/averaged_rows.hpp"

namespace gwrm {

// One cell: a subdomain along every modal axis.
struct CellRows {
  std::vector<Index> unknowns;  // spatial unknown of each column: its coefficients, field after field
  std::vector<Index> rows;      // spatial row of each row that holds any of them
  Matrix values;                // rows x unknowns
};

struct RowsOfCells {
  std::vector<Index> n_subdomains;  // along each modal axis, in their order
  std::vector<CellRows> cells;      // the last axis fastest
};

// Why the rows have no such form (time, a field without one of the axes, products of series, integrals along
// a side); empty if they have.
std::string cells_unsupported_reason(const Model& model, const SystemPlan& plan);

// coefficients: of the linearised rows (Linearisation::coefficients).
RowsOfCells rows_of_cells(const WindowSystem& system, const SpatialLayout& layout,
                          const std::vector<Array>& coefficients);

}  // namespace gwrm
