#include "weighted_residual/device/device_window.cuh"

#include <algorithm>

#include "kernels/linear_algebra/device_vectors.cuh"

namespace gwrm::cuda {
namespace {

// The extents of something that holds all of these.
Shape common_shape(const Shape& a, const Shape& b) {
  Shape shape = a;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) shape[axis] = std::max(shape[axis], b[axis]);
  return shape;
}

std::size_t count(const Shape& shape) {
  return static_cast<std::size_t>(element_count(shape));
}

}  // namespace

DeviceWindow::DeviceWindow(DeviceTools& tools, DevicePrograms& programs, const WindowSystem& system, bool interpreted,
                           std::unique_ptr<const DeviceShares> shares)
    : tools_(tools),
      system_(system),
      shares_(std::move(shares)),
      matrices_(tools.profile, tools.pool),
      values_(tools, matrices_, system.values(), system, true, shares_.get()),
      directions_(tools, matrices_, system.directions(), system, false, shares_.get()),
      residual_integrals_(tools, pointwise_, "residual_integral"),
      jacobian_integrals_(tools, pointwise_, "jacobian_integral"),
      linear_integrals_(tools, pointwise_, "linear_integral") {
  for (const Vector& w : system.discretisation().weights()) {
    const Vector normalised = w / w.sum();
    weights_.push_back(matrices_.add(normalised.data(), static_cast<std::size_t>(normalised.size())));
    lengths_.push_back(w.sum());
  }
  add_rows(system);
  if (shares_) share_rows();
  values_of_residual_ = add_integrals(system.plan().residual_tape, system.residual_leaves(), residual_integrals_);
  values_of_jacobian_ = add_integrals(system.plan().jacobian_tape, system.jacobian_leaves(), jacobian_integrals_);
  add_residual_kernels();
  add_jacobian_kernels();
  add_linear_kernels();
  matrices_.send();
  pointwise_.compile(tools.handles, programs, interpreted);
}

void DeviceWindow::add_rows(const WindowSystem& system) {
  for (const RowBlock& source : system.rows()) {
    Row row;
    row.offset = source.offset;
    row.scale = source.scale;
    for (const BlockMatrix& test : source.tests) {
      row.tests.emplace_back(test, matrices_);
      const Matrix sums = test.identity ? Matrix(Matrix::Ones(test.rows, 1)) : test.row_sums();
      row.sums.push_back(matrices_.add(sums.data(), static_cast<std::size_t>(sums.size())));
    }
    if (source.kind == RowBlock::Kind::mean) {
      const std::vector<int> places(source.places.begin(), source.places.end());
      row.places = matrices_.add(places.data(), places.size());
      row.n_places = static_cast<Index>(places.size());
      row.n_times = element_count(source.extents) / row.n_places;
      row.stride = element_count(system.rows()[at(source.equation)].extents) / row.n_times;
    }
    rows_.push_back(std::move(row));
  }
}

DeviceWindow::IntegralValues DeviceWindow::add_integrals(const expression::Tape& tape,
                                                         const std::vector<WindowSystem::Leaf>& leaves,
                                                         DeviceIntegrals& integrals) {
  IntegralValues values;
  for (expression::Tape::Integral& one : tape.integrals())
    values[one.slot] = integrals.add(output_of(std::move(one.integrand), leaves, values, false), at(one.axis),
                                     weights_[at(one.axis)], lengths_[at(one.axis)]);
  return values;
}

// Operations, inputs and shape of one output of a tape.
PointwiseOutput DeviceWindow::output_of(expression::Tape::Steps steps, const std::vector<WindowSystem::Leaf>& leaves,
                                        const IntegralValues& integrals, bool at_edge) {
  PointwiseOutput result;
  result.steps = std::move(steps.steps);
  result.value = steps.value;
  result.shape.assign(system_.model().axes.size(), 1);
  for (int leaf : steps.leaves) {
    const WindowSystem::Leaf& source = leaves[leaf];
    DeviceTensor tensor;
    if (source.value >= 0) {
      tensor = {values_.values(source.value), values_.shape(source.value)};
    } else {
      DeviceTensor& fixed = fixed_[{&source, at_edge}];
      if (fixed.data == nullptr) {
        const auto add = [&](const Array& data) {
          fixed = {matrices_.add(data.data.data(), data.data.size()), data.shape};
        };
        if (shares_)
          add(shares_->at_lines(source.fixed, at_edge));
        else
          add(source.fixed);
      }
      tensor = fixed;
    }
    result.shape = common_shape(result.shape, tensor.shape);
    result.inputs.push_back({leaf, std::move(tensor)});
  }
  for (int slot : steps.integrals) {
    const DeviceTensor& value = integrals.at(slot);
    result.shape = common_shape(result.shape, value.shape);
    result.inputs.push_back({slot, value});
  }
  return result;
}

PointwiseOutput DeviceWindow::coefficient_output(int coefficient, bool at_edge) {
  return output_of(system_.plan().jacobian_tape.steps_around_integrals(coefficient), system_.jacobian_leaves(),
                   values_of_jacobian_, at_edge);
}

// Of the sum of coefficient * direction over the terms.
Shape DeviceWindow::linear_shape(const std::vector<RowTerm>& terms, bool at_edge) {
  Shape shape(system_.model().axes.size(), 1);
  for (const RowTerm& term : terms) {
    if (term.integral < 0) {
      shape = common_shape(shape, directions_.shape(term.direction));
    } else {
      Shape inner = linear_shape(system_.integral_terms()[at(term.integral)], at_edge);
      inner[at(system_.plan().integrals[at(term.integral)].axis)] = 1;
      shape = common_shape(shape, inner);
    }
    if (term.coefficient >= 0) shape = common_shape(shape, coefficient_output(term.coefficient, at_edge).shape);
  }
  return shape;
}

void DeviceWindow::add_residual_kernels() {
  std::vector<PointwiseOutput> outputs, edge_outputs;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const RowBlock& source = system_.rows()[i];
    const bool at_edge = rows_[i].at_edge;
    if (source.value >= 0) {
      rows_[i].residual = {values_.values(source.value), values_.shape(source.value)};
      continue;
    }
    PointwiseOutput output = output_of(system_.plan().residual_tape.steps_around_integrals(static_cast<int>(i)),
                                       system_.residual_leaves(), values_of_residual_, at_edge);
    rows_[i].residual.shape = output.shape;
    (at_edge ? edge_outputs : outputs).push_back(std::move(output));
  }
  // Residual and linear form of a row are not needed at the same time; the latter may vary along more axes.
  for (std::size_t i = 0, o = 0, e = 0; i < rows_.size(); ++i) {
    Shape linear = linear_shape(system_.rows()[i].terms, rows_[i].at_edge);
    rows_[i].linear.shape = linear;
    const bool own = system_.rows()[i].value < 0;
    rows_[i].memory = tools_.pool.take(std::max(count(linear), own ? count(rows_[i].residual.shape) : 0));
    rows_[i].linear.data = rows_[i].memory.data();
    if (own) {
      rows_[i].residual.data = rows_[i].memory.data();
      (rows_[i].at_edge ? edge_outputs[e++] : outputs[o++]).target = rows_[i].memory.data();
    }
  }
  residual_sets_ = {pointwise_.add("residual", outputs)};
  if (!edge_outputs.empty()) residual_sets_.push_back(pointwise_.add("edge_residual", edge_outputs));
}

void DeviceWindow::add_jacobian_kernels() {
  const expression::Tape& tape = system_.plan().jacobian_tape;
  // By rows at an edge of z, and by others.
  std::vector<bool> wanted(at(tape.n_outputs()), shares_ == nullptr), edge_wanted(wanted.size(), false);
  for (std::size_t i = 0; shares_ && i < rows_.size(); ++i)
    for (const RowTerm& term : system_.rows()[i].terms)
      if (term.coefficient >= 0) (rows_[i].at_edge ? edge_wanted : wanted)[at(term.coefficient)] = true;
  const auto add = [&](const std::vector<bool>& which, bool at_edge, std::vector<DeviceTensor>& coefficients) {
    std::vector<PointwiseOutput> outputs;
    coefficients.resize(which.size());
    for (std::size_t i = 0; i < which.size(); ++i) {
      if (!which[i]) continue;
      outputs.push_back(coefficient_output(static_cast<int>(i), at_edge));
      PointwiseOutput& output = outputs.back();
      coefficient_memory_.push_back(tools_.pool.take(count(output.shape)));
      output.target = coefficient_memory_.back().data();
      coefficients[i] = {output.target, output.shape};
    }
    if (!at_edge || !outputs.empty())
      jacobian_sets_.push_back(pointwise_.add(at_edge ? "edge_jacobian" : "jacobian", outputs));
  };
  add(wanted, false, coefficients_);
  add(edge_wanted, true, edge_coefficients_);
}

// Sum of coefficient * direction over the terms. Slots: the directions, the coefficients, the integrals, then what is
// computed, from `next` on.
PointwiseOutput DeviceWindow::linear_output(const std::vector<RowTerm>& terms, int& next, bool at_edge) {
  using expression::Op;
  using expression::PointStep;
  const int n_directions = system_.directions().size(), n_coefficients = static_cast<int>(coefficients_.size());
  PointwiseOutput output;
  output.shape = linear_shape(terms, at_edge);
  const auto combine = [&](Op op, int first, int second) {
    PointStep step;
    step.op = op;
    step.first = first;
    step.second = second;
    step.slot = next++;
    output.steps.push_back(step);
    return step.slot;
  };
  for (const RowTerm& term : terms) {
    int product = term.direction;
    if (term.integral >= 0) {
      product = n_directions + n_coefficients + term.integral;
      output.inputs.push_back({product, values_of_linear_[at(term.integral)]});
    } else {
      output.inputs.push_back({product, {directions_.values(product), directions_.shape(product)}});
    }
    if (term.coefficient >= 0) {
      const int coefficient = n_directions + term.coefficient;
      output.inputs.push_back({coefficient, (at_edge ? edge_coefficients_ : coefficients_)[at(term.coefficient)]});
      product = combine(Op::multiply, coefficient, product);
    }
    output.value = output.value < 0 ? product : combine(Op::add, output.value, product);
  }
  if (output.value < 0) output.value = combine(Op::number, -1, -1);  // no terms: 0
  return output;
}

void DeviceWindow::add_linear_kernels() {
  const std::vector<IntegralPlan>& integrals = system_.plan().integrals;
  int next = system_.directions().size() + static_cast<int>(coefficients_.size() + integrals.size());
  for (std::size_t i = 0; i < integrals.size(); ++i) {  // an inner one comes before the one that holds it
    const std::size_t axis = at(integrals[i].axis);
    values_of_linear_.push_back(linear_integrals_.add(linear_output(system_.integral_terms()[i], next, false), axis,
                                                      weights_[axis], lengths_[axis]));
  }
  std::vector<PointwiseOutput> outputs, edge_outputs;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::vector<PointwiseOutput>& list = rows_[i].at_edge ? edge_outputs : outputs;
    list.push_back(linear_output(system_.rows()[i].terms, next, rows_[i].at_edge));
    list.back().target = rows_[i].memory.data();
  }
  linear_sets_ = {pointwise_.add("linear", outputs)};
  if (!edge_outputs.empty()) linear_sets_.push_back(pointwise_.add("edge_linear", edge_outputs));
}

// All rows, of their values at the points.
void DeviceWindow::project(bool linear, double* f) {
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::transforms);
  const auto values = [&](const Row& row) { return linear ? row.linear : row.residual; };
  if (!shares_) {
    for (const Row& row : rows_) project(row, values(row), f);
    return;
  }
  for (std::size_t i = 0; i < rows_.size(); ++i)
    apply_tests(rows_[i], values(rows_[i]), rows_by_lines_.data() + row_exchange_->by_lines_before(i));
  const DeviceArray by_columns = tools_.pool.take(std::max<std::size_t>(1, row_exchange_->n_by_columns()));
  row_exchange_->to_columns(rows_by_lines_.data(), by_columns.data());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    const double* source = by_columns.data() + row_exchange_->by_columns_before(i);
    if (row.along_z.identity)
      scale_and_add(tools_.handles, row.scale, source, 0.0, f + row.offset, count(row.columns));
    else
      row.along_z.apply(tools_.handles, row.columns, 1, row.scale, source, f + row.offset);
  }
}

// f[rows] = scale * test . values. A mean stands over rows of its equation, which have been projected before.
void DeviceWindow::project(const Row& row, const DeviceTensor& values, double* f) {
  if (row.places == nullptr) return apply_tests(row, values, f + row.offset);
  const DeviceArray share = tools_.pool.take(static_cast<std::size_t>(row.n_times * row.n_places));
  apply_tests(row, values, share.data());
  put_at_places(tools_.handles, share.data(), static_cast<std::size_t>(row.n_times), row.places,
                static_cast<std::size_t>(row.n_places), static_cast<std::size_t>(row.stride), f + row.offset);
}

// target = scale * test . values.
void DeviceWindow::apply_tests(const Row& row, const DeviceTensor& values, double* target) {
  struct Step {
    std::size_t axis;
    bool constant;  // the value does not vary along the axis: the test of a constant
  };
  std::vector<Step> steps;
  for (std::size_t axis = 0; axis < row.tests.size(); ++axis) {
    const bool constant = values.shape[axis] == 1 && row.tests[axis].cols > 1;
    if (constant || !row.tests[axis].identity) steps.push_back({axis, constant});
  }
  if (steps.empty()) {
    scale_and_add(tools_.handles, shares_ ? 1.0 : row.scale, values.data, 0.0, target, count(values.shape));
    return;
  }
  Shape shape = values.shape;
  const double* source = values.data;
  DeviceArray last;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const auto [axis, constant] = steps[s];
    const DeviceBlockMatrix& test = row.tests[axis];
    Shape next = shape;
    next[axis] = test.rows;
    const bool is_last = s + 1 == steps.size();
    DeviceArray own;
    double* result = target;
    if (!is_last) {
      own = tools_.pool.take(count(next));
      result = own.data();
    }
    const double factor = is_last && !shares_ ? row.scale : 1.0;
    if (constant) {
      const AroundDimension around(shape, axis);
      multiply_along(tools_.handles, row.sums[axis], {test.rows, 1, around.outer, around.inner, 1, test.rows}, factor,
                     source, false, result);
    } else {
      test.apply(tools_.handles, shape, axis, factor, source, result);
    }
    last = std::move(own);
    source = result;
    shape = std::move(next);
  }
}

void DeviceWindow::residual(const double* x, double* f) {
  values_.evaluate(x);
  residual_integrals_.run();
  {
    const DeviceProfile::Scope scope(tools_.profile, DevicePart::pointwise);
    run(residual_sets_);
  }
  project(false, f);
}

void DeviceWindow::linearise(const double* x) {
  values_.evaluate(x);
  jacobian_integrals_.run();
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::pointwise);
  run(jacobian_sets_);
}

void DeviceWindow::apply_jacobian(const double* v, double* result) {
  directions_.evaluate(v);
  linear_integrals_.run();
  {
    const DeviceProfile::Scope scope(tools_.profile, DevicePart::pointwise);
    run(linear_sets_);
  }
  project(true, result);
}

void DeviceWindow::run(const std::vector<int>& sets) {
  for (int set : sets) pointwise_.run(tools_.handles, set);
}

Vector DeviceWindow::coefficient_mean(int coefficient, int axis) {
  if (shares_) return shared_mean(coefficient, axis);
  DeviceTensor a = coefficients_[at(coefficient)];
  DeviceArray last;
  {
    const DeviceProfile::Scope scope(tools_.profile, DevicePart::pointwise);
    for (std::size_t other = 0; other < a.shape.size(); ++other) {
      if (static_cast<int>(other) == axis || a.shape[other] == 1) continue;
      const AroundDimension around(a.shape, other);
      DeviceArray next = tools_.pool.take(static_cast<std::size_t>(around.outer * around.inner));
      multiply_along(tools_.handles, weights_[other],
                     {1, a.shape[other], around.outer, around.inner, a.shape[other], 1}, 1.0, a.data, false,
                     next.data());
      a.shape[other] = 1;
      a.data = next.data();
      last = std::move(next);
    }
  }
  Vector mean(element_count(a.shape));
  tools_.profile.download(mean.data(), a.data, static_cast<std::size_t>(mean.size()));
  return mean;
}

}  // namespace gwrm::cuda
