#include "weighted_residual/window/series_evaluation.hpp"

#include <algorithm>

namespace gwrm {

SeriesMemory::Places SeriesEvaluation::places(const Shape& from, const Shape& to) {
  const auto [known, is_new] = places_.try_emplace({from, to});
  if (is_new) known->second = memory_->keep(series_places(from, to, nodes_));
  return known->second;
}

SeriesEvaluation::Numbers SeriesEvaluation::fitted(const Numbers& x, const Shape& from, const Shape& to) {
  if (from == to) return x;
  const SeriesMemory::Places where = places(from, to);
  Numbers y = memory_->take(where.count);
  memory_->move({where.places.get(), where.count}, x.get(), y.get());
  return y;
}

// Nodes lie before the axes of series, so that they count as a batch.
const SeriesEvaluation::Product& SeriesEvaluation::product_of(const Shape& extents, Index n_batch) {
  const auto [known, is_new] = products_.try_emplace({extents, n_batch});
  Product& product = known->second;
  if (!is_new) return product;
  Shape series;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (nodes_[axis])
      n_batch *= extents[axis];
    else if (extents[axis] > 1)
      series.push_back(extents[axis]);
  }
  if (series.empty()) series.push_back(1);
  product.extents = extents;
  product.n_batch = n_batch;
  product.size = element_count(extents);
  product.plan = make_product_plan<double>(system_.context(), series, n_batch, plan_.variant);
  return product;
}

SeriesEvaluation::Numbers SeriesEvaluation::multiply(const Shape& extents, Index n_batch, const double* a,
                                                     const double* b) {
  const Product& product = product_of(extents, n_batch);
  Numbers c = memory_->take(n_batch * product.size), workspace;
  if (const std::size_t bytes = product.plan->workspace_bytes(); bytes > 0)
    workspace = memory_->take(static_cast<Index>(bytes / sizeof(double) + 1));
  product.plan->multiply(a, b, c.get(), workspace.get());
  return c;
}

void SeriesEvaluation::transform(int field, const double* unknowns, Index n_batch, std::vector<Numbers>& results) {
  results.resize(transforms_.size());
  for (std::size_t i = 0; i < transforms_.size(); ++i) {
    const Transform& t = transforms_[i];
    if (t.field != field) continue;
    Shape shape = t.parent < 0 ? system_.layouts()[field].extents : transforms_[t.parent].extents;
    shape.insert(shape.begin(), n_batch);
    results[i] = memory_->take(n_batch * element_count(t.extents));
    memory_->apply(t.matrix, shape, t.axis + 1, t.parent < 0 ? unknowns : results[t.parent].get(), results[i].get());
  }
}

const double* SeriesEvaluation::source(const AtomSource& atom, const double* unknowns,
                                       const std::vector<Numbers>& results) const {
  return atom.transform < 0 ? unknowns : results[atom.transform].get();
}

SeriesEvaluation::Numbers SeriesEvaluation::evaluate_step(std::size_t i, const std::vector<Numbers>& done) {
  const SeriesStep& step = plan_.steps[i];
  const Shape& extents = steps_[i].extents;
  const Shape& first = steps_[step.first].extents;
  if (step.kind == SeriesStep::Kind::product) {
    const Shape& second = steps_[step.second].extents;
    Shape common = extents;
    for (std::size_t axis = 0; axis < common.size(); ++axis)
      common[axis] = std::max({extents[axis], first[axis], second[axis]});
    const Numbers a = fitted(done[step.first], first, common), b = fitted(done[step.second], second, common);
    return fitted(multiply(common, 1, a.get(), b.get()), common, extents);
  }
  const SeriesMemory::Places from_first = places(first, extents);
  Numbers y = memory_->take(from_first.count);
  SeriesParts parts{from_first.places.get(), from_first.count};
  if (step.kind == SeriesStep::Kind::scaled) parts.factor = step.factor;
  memory_->move(parts, done[step.first].get(), y.get());
  if (step.kind == SeriesStep::Kind::scaled) return y;
  const SeriesMemory::Places from_second = places(steps_[step.second].extents, extents);
  memory_->move({from_second.places.get(), from_second.count, 1, 0, 0, step.factor, true}, done[step.second].get(),
                y.get());
  return y;
}

// The steps that are `wanted`, from the unknowns in the backend's memory.
std::vector<SeriesEvaluation::Numbers> SeriesEvaluation::evaluate(const double* x, bool Step::*wanted) {
  std::vector<Numbers> transformed, done(steps_.size());
  for (std::size_t field = 0; field < model_.fields.size(); ++field)
    transform(static_cast<int>(field), x + system_.layouts()[field].offset, 1, transformed);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!(steps_[i].*wanted)) continue;
    switch (plan_.steps[i].kind) {
      case SeriesStep::Kind::data:
        done[i] = steps_[i].data;
        break;
      case SeriesStep::Kind::atom: {
        const AtomSource& atom = atoms_[steps_[i].atom];
        const SeriesMemory::Places all = places(atom.extents, atom.extents);
        done[i] = memory_->take(all.count);
        memory_->move({all.places.get(), all.count},
                      source(atom, x + system_.layouts()[atom.field].offset, transformed), done[i].get());
        if (atom.state != nullptr)
          memory_->move({all.places.get(), all.count, 1, 0, 0, 1.0, true}, atom.state.get(), done[i].get());
        break;
      }
      default:
        done[i] = evaluate_step(i, done);
    }
  }
  return done;
}

void SeriesEvaluation::residual(std::span<const double> x, std::span<double> f) {
  const Numbers unknowns = memory_->sent(x.data(), system_.size()), result = memory_->take(system_.size());
  const std::vector<Numbers> steps = evaluate(unknowns.get(), &Step::of_residual);
  for (const Row& row : rows_)
    memory_->move({row.residual_places.places.get(), row.size, 1, 0, 0, row.scale}, steps[row.residual].get(),
                  result.get() + row.offset);
  memory_->fetch(result.get(), system_.size(), f.data());
}

std::shared_ptr<const SeriesLinearisation> SeriesEvaluation::linearise(std::span<const double> x) {
  const Numbers unknowns = memory_->sent(x.data(), system_.size());
  return std::make_shared<const SeriesLinearisation>(SeriesLinearisation{evaluate(unknowns.get(), &Step::of_jacobian)});
}

void SeriesEvaluation::add_directions(const SeriesLinearisation& at_x, int field, const double* unknowns, Index n_batch,
                                      double* result) {
  std::vector<Numbers> transformed;
  transform(field, unknowns, n_batch, transformed);
  for (const Row& row : rows_) {
    for (const Term& term : row.terms) {
      if (term.field != field) continue;
      const AtomSource& atom = atoms_[term.atom];
      const double* direction = source(atom, unknowns, transformed);
      const Index n_direction = element_count(atom.extents);
      SeriesParts to_row{term.row_places.places.get(), row.size, n_batch, n_direction, system_.size(),
                         row.scale * term.factor,      true};
      if (term.coefficient < 0) {
        memory_->move(to_row, direction, result + row.offset);
        continue;
      }
      const Index size = element_count(term.product);
      const Numbers coefficient = memory_->take(n_batch * size);
      memory_->move({term.coefficient_places.places.get(), size, n_batch, 0, size}, at_x.steps[term.coefficient].get(),
                    coefficient.get());
      Numbers padded;
      if (!term.direction_fits) {
        padded = memory_->take(n_batch * size);
        memory_->move({term.direction_places.places.get(), size, n_batch, n_direction, size}, direction, padded.get());
        direction = padded.get();
      }
      const Numbers product = multiply(term.product, n_batch, coefficient.get(), direction);
      to_row.x_stride = size;
      memory_->move(to_row, product.get(), result + row.offset);
    }
  }
}

void SeriesEvaluation::apply_jacobian(const SeriesLinearisation& at_x, std::span<const double> v,
                                      std::span<double> result) {
  const Numbers unknowns = memory_->sent(v.data(), system_.size()), sum = memory_->take(system_.size());
  memory_->set_zero(sum.get(), system_.size());
  for (std::size_t field = 0; field < model_.fields.size(); ++field)
    add_directions(at_x, static_cast<int>(field), unknowns.get() + system_.layouts()[field].offset, 1, sum.get());
  memory_->fetch(sum.get(), system_.size(), result.data());
}

void SeriesEvaluation::jacobian_columns(std::span<const double> x, double* matrix) {
  const std::shared_ptr<const SeriesLinearisation> at_x = linearise(x);
  const Index n = system_.size();
  Index largest = 1;
  for (const Row& row : rows_)
    for (const Term& term : row.terms) largest = std::max(largest, element_count(term.product));
  const Index per_turn = std::max<Index>(1, memory_->good_batch() / largest);
  memory_->set_zero(matrix, n * n);
  for (std::size_t field = 0; field < model_.fields.size(); ++field) {
    const FieldLayout& layout = system_.layouts()[field];
    const Index n_field = element_count(layout.extents);
    for (Index first = 0; first < n_field; first += per_turn) {
      const Index n_batch = std::min(per_turn, n_field - first);
      const Numbers units = memory_->take(n_batch * n_field);
      memory_->set_units(n_batch, n_field, first, units.get());
      add_directions(*at_x, static_cast<int>(field), units.get(), n_batch, matrix + (layout.offset + first) * n);
    }
  }
}

void SeriesEvaluation::jacobian(std::span<const double> x, std::span<double> matrix) {
  if (system_.context().backend() == Backend::cpu) return jacobian_columns(x, matrix.data());
  const Numbers columns = memory_->take(system_.size() * system_.size());
  jacobian_columns(x, columns.get());
  memory_->fetch(columns.get(), system_.size() * system_.size(), matrix.data());
}

}  // namespace gwrm
