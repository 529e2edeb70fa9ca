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

DeviceWindow::DeviceWindow(DeviceTools& tools, DevicePrograms& programs, const WindowSystem& system, bool interpreted)
    : tools_(tools),
      system_(system),
      matrices_(tools.profile, tools.pool),
      values_(tools, matrices_, system.values(), system, true),
      directions_(tools, matrices_, system.directions(), system, false) {
  for (const Vector& w : system.discretisation().weights()) {
    const Vector normalised = w / w.sum();
    weights_.push_back(matrices_.add(normalised.data(), static_cast<std::size_t>(normalised.size())));
  }
  add_rows(system);
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
    rows_.push_back(std::move(row));
  }
}

// Operations, inputs and shape of one output of a tape.
PointwiseOutput DeviceWindow::output_of(const expression::Tape& tape, int output,
                                        const std::vector<WindowSystem::Leaf>& leaves) {
  expression::Tape::Steps steps = tape.steps(output);
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
      DeviceTensor& fixed = fixed_[&source];
      if (fixed.data == nullptr)
        fixed = {matrices_.add(source.fixed.data.data(), source.fixed.data.size()), source.fixed.shape};
      tensor = fixed;
    }
    result.shape = common_shape(result.shape, tensor.shape);
    result.inputs.push_back({leaf, std::move(tensor)});
  }
  return result;
}

void DeviceWindow::add_residual_kernels() {
  std::vector<PointwiseOutput> outputs;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const RowBlock& source = system_.rows()[i];
    if (source.kind == RowBlock::Kind::continuity) {
      rows_[i].residual = {values_.values(source.value), values_.shape(source.value)};
      continue;
    }
    outputs.push_back(output_of(system_.plan().residual_tape, static_cast<int>(i), system_.residual_leaves()));
    rows_[i].residual.shape = outputs.back().shape;
  }
  // Residual and linear form of a row are not needed at the same time; the latter may vary along more axes.
  for (std::size_t i = 0, o = 0; i < rows_.size(); ++i) {
    Shape linear(system_.model().axes.size(), 1);
    for (const RowTerm& term : system_.rows()[i].terms) {
      linear = common_shape(linear, directions_.shape(term.direction));
      if (term.coefficient >= 0)
        linear = common_shape(
            linear, output_of(system_.plan().jacobian_tape, term.coefficient, system_.jacobian_leaves()).shape);
    }
    rows_[i].linear.shape = linear;
    const bool own = system_.rows()[i].kind != RowBlock::Kind::continuity;
    rows_[i].memory = tools_.pool.take(std::max(count(linear), own ? count(rows_[i].residual.shape) : 0));
    rows_[i].linear.data = rows_[i].memory.data();
    if (own) {
      rows_[i].residual.data = rows_[i].memory.data();
      outputs[o++].target = rows_[i].memory.data();
    }
  }
  residual_set_ = pointwise_.add("residual", outputs);
}

void DeviceWindow::add_jacobian_kernels() {
  const expression::Tape& tape = system_.plan().jacobian_tape;
  std::vector<PointwiseOutput> outputs;
  for (int i = 0; i < tape.n_outputs(); ++i) {
    outputs.push_back(output_of(tape, i, system_.jacobian_leaves()));
    PointwiseOutput& output = outputs.back();
    coefficient_memory_.push_back(tools_.pool.take(count(output.shape)));
    output.target = coefficient_memory_.back().data();
    coefficients_.push_back({output.target, output.shape});
  }
  jacobian_set_ = pointwise_.add("jacobian", outputs);
}

// Per row, sum of coefficient * direction over its terms. Slots: the directions, the coefficients, then what is
// computed.
void DeviceWindow::add_linear_kernels() {
  using expression::Op;
  using expression::PointStep;
  const int n_directions = system_.directions().size();
  int next = n_directions + static_cast<int>(coefficients_.size());
  std::vector<PointwiseOutput> outputs;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    PointwiseOutput output;
    output.shape = rows_[i].linear.shape;
    output.target = rows_[i].memory.data();
    const auto combine = [&](Op op, int first, int second) {
      PointStep step;
      step.op = op;
      step.first = first;
      step.second = second;
      step.slot = next++;
      output.steps.push_back(step);
      return step.slot;
    };
    for (const RowTerm& term : system_.rows()[i].terms) {
      output.inputs.push_back(
          {term.direction, {directions_.values(term.direction), directions_.shape(term.direction)}});
      int product = term.direction;
      if (term.coefficient >= 0) {
        const int coefficient = n_directions + term.coefficient;
        output.inputs.push_back({coefficient, coefficients_[term.coefficient]});
        product = combine(Op::multiply, coefficient, product);
      }
      output.value = output.value < 0 ? product : combine(Op::add, output.value, product);
    }
    if (output.value < 0) output.value = combine(Op::number, -1, -1);  // no terms: 0
    outputs.push_back(std::move(output));
  }
  linear_set_ = pointwise_.add("linear", outputs);
}

// f[rows] = scale * test . values.
void DeviceWindow::project(const Row& row, const DeviceTensor& values, double* f) {
  struct Step {
    std::size_t axis;
    bool constant;  // the value does not vary along the axis: the test of a constant
  };
  std::vector<Step> steps;
  for (std::size_t axis = 0; axis < row.tests.size(); ++axis) {
    const bool constant = values.shape[axis] == 1 && row.tests[axis].cols > 1;
    if (constant || !row.tests[axis].identity) steps.push_back({axis, constant});
  }
  double* target = f + row.offset;
  if (steps.empty()) {
    scale_and_add(tools_.handles, row.scale, values.data, 0.0, target, count(values.shape));
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
    const double factor = is_last ? row.scale : 1.0;
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
  {
    const DeviceProfile::Scope scope(tools_.profile, DevicePart::pointwise);
    pointwise_.run(tools_.handles, residual_set_);
  }
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::transforms);
  for (const Row& row : rows_) project(row, row.residual, f);
}

void DeviceWindow::linearise(const double* x) {
  values_.evaluate(x);
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::pointwise);
  pointwise_.run(tools_.handles, jacobian_set_);
}

void DeviceWindow::apply_jacobian(const double* v, double* result) {
  directions_.evaluate(v);
  {
    const DeviceProfile::Scope scope(tools_.profile, DevicePart::pointwise);
    pointwise_.run(tools_.handles, linear_set_);
  }
  const DeviceProfile::Scope scope(tools_.profile, DevicePart::transforms);
  for (const Row& row : rows_) project(row, row.linear, result);
}

Vector DeviceWindow::coefficient_mean(int coefficient, int axis) {
  DeviceTensor a = coefficients_[coefficient];
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
