// Eigen's matrices, but such that they survive a resizing for which there is no memory.
//
// Eigen 3.4 frees the old numbers and keeps the pointer to them while it asks for new ones: when that throws, the
// destructor frees them a second time. Here the matrix is empty by then. Each file that includes a header of Eigen
// includes this one too (tests/layers_test.py): they are specialisations, which all files of a program have to see.
#pragma once

#include <Eigen/Core>

namespace Eigen {
namespace gwrm_storage {

inline constexpr int kOther = 4;  // a bit of the options that Eigen does not use: its own storage, under another type

// `Own` is Eigen's.
template <class Own>
class Surviving : public Own {
 public:
  using Own::Own;
  void resize(Index size, Index rows, Index columns) {
    if (size != this->rows() * this->cols()) Own().swap(*this);
    Own::resize(size, rows, columns);
  }
};

}  // namespace gwrm_storage

// Matrices, columns and rows of any length, by columns (0) and by rows (1). Storage of a fixed size allocates nothing.
#define GWRM_SURVIVING_STORAGE(PARAMETERS, ROWS, COLUMNS, ORDER)                                                     \
  template <PARAMETERS>                                                                                              \
  class DenseStorage<T, Dynamic, ROWS, COLUMNS, ORDER>                                                               \
      : public gwrm_storage::Surviving<DenseStorage<T, Dynamic, ROWS, COLUMNS, ORDER | gwrm_storage::kOther>> {      \
   public:                                                                                                           \
    using gwrm_storage::Surviving<DenseStorage<T, Dynamic, ROWS, COLUMNS, ORDER | gwrm_storage::kOther>>::Surviving; \
  }
#define GWRM_COMMA ,
GWRM_SURVIVING_STORAGE(typename T, Dynamic, Dynamic, 0);
GWRM_SURVIVING_STORAGE(typename T, Dynamic, Dynamic, 1);
GWRM_SURVIVING_STORAGE(typename T GWRM_COMMA int Rows, Rows, Dynamic, 0);
GWRM_SURVIVING_STORAGE(typename T GWRM_COMMA int Rows, Rows, Dynamic, 1);
GWRM_SURVIVING_STORAGE(typename T GWRM_COMMA int Columns, Dynamic, Columns, 0);
GWRM_SURVIVING_STORAGE(typename T GWRM_COMMA int Columns, Dynamic, Columns, 1);
#undef GWRM_COMMA
#undef GWRM_SURVIVING_STORAGE

}  // namespace Eigen
