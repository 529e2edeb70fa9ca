// The time-averaged preconditioner on the device for constraints and their multipliers in boxes: the block
// factorisation with Cahouet and Chabard's Schur complement.
//
// Contract: src/weighted_residual/preconditioner/saddle_operators.hpp
//
// The steps of saddle_factors.cpp in time modes, in double precision: the tensor solver for the other unknowns, D, E^-1
// and what surrounds it for each multiplier, G, and the tensor solver for the unknowns that hold it.
//
// Cost      of an application two solves of DeviceTensorFields, one for each multiplier, and a matrix product along an
//           axis for each term of D and G.
#pragma once

#include "weighted_residual/device/device_preconditioner.cuh"
//
#include "weighted_residual/device/device_tensor_fields.cuh"
#include "weighted_residual/preconditioner/saddle_operators.hpp"

namespace gwrm::cuda {

class DeviceSaddleSolver : public DevicePreconditioner {
 public:
  // others: the operators of the unknowns that are no multipliers. Nothing of the arguments is kept.
  DeviceSaddleSolver(DeviceTools& tools, const WindowSystem& system, const std::vector<TensorField>& others,
                     const std::vector<SaddlePair>& pairs, const TimeModes* modes, const std::vector<ModeNumber>& z);

  void look_at_rows(const double* v, double* facts) override { facts_.look(tools_, v, facts); }
  void apply(const double* v, const double* facts, double* result) override;
  void apply(const double* v, double* result) override;

 private:
  struct Part {  // a row block or a field: in a window's vectors, and along the axes of space
    Index offset = 0;
    Shape extents;
  };
  struct Term {  // a SeparableTerm
    std::size_t block = 0, field = 0;
    std::vector<const int*> picked;  // per axis; null: all
    Shape picked_extents;
    struct Product {
      std::size_t d = 0;
      Index m = 0;
      const ModeNumber* matrix = nullptr;
    };
    std::vector<Product> products;
    const ModeNumber* factors = nullptr;  // per mode: factor z^power
  };
  struct Place {  // of a row block of the gradient among the right-hand sides of the others
    std::size_t field = 0;
    int condition = -1;  // the equation
  };
  struct Pair {
    std::size_t block = 0, field = 0;
    Shape extents, free_extents;
    std::vector<Term> divergence, gradient, degrees;
    const ModeNumber *inverse = nullptr, *identity = nullptr;  // per mode
    struct Wind {
      const ModeNumber *matrix = nullptr, *factors = nullptr;
    };
    std::vector<Wind> wind;  // per axis; null matrices: none
    bool has_kernel = false;
    std::vector<const ModeNumber*> left_null, constant;  // per axis: a row, a column
    struct Functional {
      std::vector<const ModeNumber*> rows;
      const ModeNumber* factors = nullptr;
    };
    std::vector<Functional> gauge;
    // Per mode, all the same: -1/(l_x0 l_y0 ..), and 1 over the gauge of 1.
    const ModeNumber *by_left_null = nullptr, *by_gauge = nullptr;
  };

  Term term_of(const SeparableTerm& source, const std::vector<ModeNumber>& z);
  void add_pair(const SaddlePair& source, const std::vector<ModeNumber>& z);
  void add_other(const TensorField& source);
  std::size_t block_at(Index spatial_row) const;
  std::size_t field_at(Index spatial_unknown) const;
  DeviceArray in_modes(const double* v, const Part& part) const;
  // y (+ or -)= term x; y empty: made.
  void add(const Term& term, bool negative, const DeviceArray& x, DeviceArray& y) const;
  DeviceArray solve_multiplier(std::size_t i, const double* v, const std::vector<DeviceArray>& unknowns) const;
  void fix_mean(std::size_t i, const DeviceArray& rows, DeviceArray& own) const;
  void add_correction(std::vector<DeviceArray>& unknowns) const;

  DeviceTools& tools_;
  ModeMatrices modes_;
  ModeTensors tensors_;
  DeviceRowFacts facts_;
  DeviceMatrices matrices_;
  DeviceTensorFields others_, laplacians_;
  Shape axes_;  // the axes of space, among those of the model
  std::vector<Index> spatial_rows_, spatial_unknowns_;
  std::vector<Part> blocks_, fields_;  // per row block, per field
  struct Other {
    std::size_t block = 0, field = 0;
    std::vector<std::size_t> conditions;  // blocks
  };
  std::vector<Other> of_others_;  // per field of others_
  std::vector<Pair> pairs_;
  const int* first_ = nullptr;  // the list {0}
};

}  // namespace gwrm::cuda
