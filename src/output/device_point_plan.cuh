// Expressions made ready for scattered points on the device: the coefficients of their series there, and the operations
// around them (evaluate_points.hpp; on the CPU point_plan.hpp).
#pragma once

#include "kernels/device/device_pool.cuh"
#include "output/point_instructions.cuh"
//
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "expression/lowering.hpp"
#include "expression/tape.hpp"
#include "kernels/transform/scattered_sum.hpp"
#include "output/evaluate_integrals.hpp"
#include "output/point_plan.hpp"

namespace gwrm::cuda {

// Sorted points in the memory of the device, in blocks of one cell each, window after window.
struct DevicePoints {
  // A cell that has points: where one of them is, which tells its subdomains.
  struct Piece {
    std::size_t window = 0;
    std::vector<double> coordinates;  // per axis of the solution
  };
  struct Axis {
    const double* data = nullptr;  // per point
    bool fixed = true;             // data[0] for all
    std::optional<double> moved;   // by a quadrature: fixed, and so its subdomain
  };
  Index count = 0;
  std::vector<Axis> axes;
  std::vector<Piece> pieces;
  std::vector<ScatteredPlaces> blocks;
  const ScatteredPlaces* blocks_on_device = nullptr;
  std::optional<std::size_t> window;  // instead of the pieces' own: that of a quadrature over time
};

class DevicePointPlan {
 public:
  // All arguments outlive the plan.
  DevicePointPlan(const Context& context, const expression::Pool& pool, const Solution& solution,
                  const WindowBases& bases, std::span<const expression::Expr> es, DevicePool& memory);

  // Some of the series are those of a window which the points need not lie in.
  bool looks_at_other_windows() const;

  // Blocks [begin, end): outputs[e][p], p counted as in `points`; on the stream.
  void evaluate(const DevicePoints& points, std::size_t begin, std::size_t end,
                const std::vector<double*>& outputs) const;

 private:
  struct Integral {
    std::size_t axis = 0;
    IntegrandWindows windows;
    std::unique_ptr<DevicePointPlan> integrand;
  };
  // A series of the tape, or what else a leaf is: a coordinate, an integral, zero.
  struct Leaf {
    int coordinate = -1, integral = -1;
    const FieldSolution* field = nullptr;
    expression::Atom atom;
    int coefficients = -1;
  };
  // Of one field and its orders of derivatives, all windows one after the other.
  struct Coefficients {
    const FieldSolution* field = nullptr;
    std::vector<int> orders;
    std::vector<std::size_t> starts;  // of the windows
    DeviceArray data;
  };
  int coefficients_of(const FieldSolution& field, const std::vector<int>& orders);
  Leaf leaf_of(expression::Expr leaf, std::size_t n_unknowns);
  void sum(const Leaf& leaf, const DevicePoints& points, std::size_t begin, std::size_t end, double* values) const;
  void integrate(const Integral& integral, const DevicePoints& points, std::size_t begin, std::size_t end,
                 double* values) const;
  std::size_t window_of(const Leaf& leaf, const DevicePoints& points, const DevicePoints::Piece& piece) const;

  Context context_;
  const Solution& solution_;
  const WindowBases& bases_;
  DevicePool& memory_;
  int time_;
  std::unique_ptr<expression::Pool> own_pool_;
  const expression::Pool* pool_;
  std::vector<Integral> integrals_;
  std::unique_ptr<expression::Tape> tape_;
  std::vector<Leaf> leaves_;
  std::vector<Coefficients> coefficients_;
  DeviceArray zero_;
  std::vector<expression::PointStep> steps_;  // of all outputs
  std::vector<int> values_;                   // their slots
};

// values[i] += weight part[i]
void add_product(const Context& context, double weight, const double* part, Index n, double* values);

}  // namespace gwrm::cuda
