// The rows of one window formed of Chebyshev series: residual, linearised rows and Jacobian, all products of series by
// the plans of kernels/product, on the CPU or on the device. The same unknowns, rows and scaling as in
// window_system.hpp, which owns one of these where the case asks for it (SystemPlan::series).
//
// Formula    a product of factors f_1 .. f_p of degrees L_i is multiplied out pair by pair. Of a partial product that
// is
//            still to be multiplied by a series of degree D, and of whose result the modes up to M are wanted, the
//            modes up to M + D are kept: every coefficient that a row takes is exact, as on the padded points. (The
//            papers truncate each product to the degree of the unknowns; for products of two factors this is the same.)
// Data       are their interpolant on the padded points, of as many coefficients as can count.
// Jacobian   J v = sum C_d v_d over the atoms d of the linearised rows, C_d a series: one product each. The dense
// matrix
//            is J e_1, J e_2, .., in batches.
// Nodes      radau: values at the nodes in time, series along all other axes; the nodes are a batch.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kernels/product/product_plan.hpp"
#include "weighted_residual/model/series_plan.hpp"
#include "weighted_residual/window/series_memory.hpp"
#include "weighted_residual/window/window_system.hpp"

namespace gwrm {

// The coefficients C_d at one iterate, in the backend's memory; one per step of the plan, null where not needed.
struct SeriesLinearisation {
  std::vector<SeriesMemory::Numbers> steps;
};

class SeriesEvaluation {
 public:
  // Of a system whose fields and rows are laid out.
  explicit SeriesEvaluation(const WindowSystem& system);

  void residual(std::span<const double> x, std::span<double> f);
  std::shared_ptr<const SeriesLinearisation> linearise(std::span<const double> x);
  void apply_jacobian(const SeriesLinearisation& at_x, std::span<const double> v, std::span<double> result);
  // Column-major.
  void jacobian(std::span<const double> x, std::span<double> matrix);
  // The same to the backend's memory.
  void jacobian_columns(std::span<const double> x, double* matrix);

 private:
  using Numbers = SeriesMemory::Numbers;

  // One derivative, integral or restriction along one axis of what `parent` gives; parent -1: of the unknowns.
  struct Transform {
    int field = -1, parent = -1;
    std::size_t axis = 0;
    int order = 0;
    bool restricted = false;
    double point = 0.0;
    SeriesMemory::Operator matrix;
    Shape extents;  // of the result
  };
  // An atom: the result of a transform (-1: the field's unknowns), and the share of the initial state, null if none.
  struct AtomSource {
    int field = -1, transform = -1;
    Shape extents;
    Numbers state;
  };
  struct Step {
    Shape extents;  // of its series
    int atom = -1;  // index into atoms_
    bool of_residual = false, of_jacobian = false;
    Numbers data;
  };
  // A product of tensors of these extents, of n_batch items.
  struct Product {
    std::unique_ptr<ProductPlan<double>> plan;
    Shape extents;
    Index n_batch = 1, size = 1;  // of an item
  };
  struct Term {
    int field = -1, atom = -1, coefficient = -1;
    double factor = 1.0;
    Shape product;  // extents, where there is a coefficient
    SeriesMemory::Places coefficient_places, direction_places;
    bool direction_fits = false;
    SeriesMemory::Places row_places;
  };
  struct Row {
    Index offset = 0, size = 0;
    double scale = 1.0;
    int residual = -1;
    SeriesMemory::Places residual_places;
    std::vector<Term> terms;
  };

  void describe_axes();
  int atom_of(const expression::Atom& atom);
  int transform_of(int field, int parent, std::size_t axis, const expression::Atom& atom, const Shape& from);
  std::vector<int> transform_chain(int transform) const;
  Numbers state_of(const expression::Atom& atom, int transform);
  void find_extents();
  void add_rows();
  Numbers data_of(const SeriesStep& step, const Shape& extents) const;

  const Product& product_of(const Shape& extents, Index n_batch);
  Numbers multiply(const Shape& extents, Index n_batch, const double* a, const double* b);
  SeriesMemory::Places places(const Shape& from, const Shape& to);
  Numbers fitted(const Numbers& x, const Shape& from, const Shape& to);
  // The transforms of one field from n_batch vectors of its unknowns.
  void transform(int field, const double* unknowns, Index n_batch, std::vector<Numbers>& results);
  const double* source(const AtomSource& atom, const double* unknowns, const std::vector<Numbers>& results) const;
  std::vector<Numbers> evaluate(const double* x, bool Step::*wanted);
  Numbers evaluate_step(std::size_t i, const std::vector<Numbers>& done);
  // result[b] += the share of a field's directions in J v_b, n_batch vectors of its unknowns.
  void add_directions(const SeriesLinearisation& at_x, int field, const double* unknowns, Index n_batch,
                      double* result);

  const WindowSystem& system_;
  const Model& model_;
  const SeriesPlan& plan_;
  std::unique_ptr<SeriesMemory> memory_;
  std::vector<bool> nodes_;      // per axis: values at nodes, not series
  std::vector<Index> unknowns_;  // per axis: extent of a field that has it
  std::vector<Transform> transforms_;
  std::vector<AtomSource> atoms_;
  std::vector<expression::Atom> atom_keys_;
  std::vector<Step> steps_;
  std::vector<Row> rows_;
  std::map<std::pair<Shape, Index>, Product> products_;
  std::map<std::pair<Shape, Shape>, SeriesMemory::Places> places_;
};

}  // namespace gwrm
