// A linear system A x = b that another program solves, what its unknowns are, and x read back (docs/export.md).
//
// petsc         PETSc's binary files, big-endian with 32-bit indices: stem_A.petsc for MatLoad (row by row),
// stem_b.petsc
//               for VecLoad.
// matrixmarket  text: stem_A.mtx (coordinate; of a symmetric A the lower triangle), stem_b.mtx (array). Numbers have
//               the fewest digits that read back the same.
// Both          stem_map.json: what the rows are, and for every field where its unknowns begin and what stands along
// its
//               axes.
// Sources: MatLoad and VecLoad in PETSc's manual pages; Boisvert, Pozo and Remington, The Matrix Market exchange
// formats, NISTIR 5935 (1996).
#pragma once

#include <string>
#include <vector>

#include "kernels/linear_algebra/sparse_matrix.hpp"

namespace gwrm {

// What stands along one axis of a tensor of unknowns.
struct UnknownAxis {
  std::string name;                 // "x"
  std::string entries;              // "points", "nodes" or "coefficients"
  std::string meaning;              // of coefficients: "k of T_k"
  std::vector<double> coordinates;  // of points and nodes, one for each entry
  std::vector<double> edges;        // of coefficients: the subdomains, one after the other with the same number of them
  Index n_entries = 0;
};

// Unknown number first + k is entry k of the tensor over the axes, the last fastest.
struct UnknownBlock {
  std::string field;
  std::string meaning;  // "values", "values of d/dt"
  Index first = 0;
  std::vector<UnknownAxis> axes;
};

struct LinearSystem {
  CsrMatrix a;
  std::vector<double> b;
  bool symmetric = false;
  bool positive_definite = false;
  bool constants_in_kernel = false;  // A 1 = 0: any solution will do, its mean is taken away when it is read back
  std::string rows;                  // what they are and how they are scaled, in words
  std::vector<UnknownBlock> unknowns;
};

enum class SystemFormat { petsc, matrix_market };

struct SystemFiles {
  std::string matrix, right_hand_side, map;
};
SystemFiles system_file_names(const std::string& stem, SystemFormat format);

// OutputError for files that are there without `overwrite` or cannot be written, and for more entries than the format
// holds.
SystemFiles write_linear_system(const LinearSystem& system, const std::string& title, const std::string& stem,
                                SystemFormat format, bool overwrite);

// The numbers of a vector that VecView wrote in binary (with 32- or 64-bit indices) or of a MatrixMarket array of one
// column; which one it is follows from its first bytes. OutputError for what is neither, is cut off, or holds a number
// that is not finite.
std::vector<double> read_vector_file(const std::string& path);

}  // namespace gwrm
