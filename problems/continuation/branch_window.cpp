#include "problems/continuation/branch_window.hpp"

#include <algorithm>

#include "weighted_residual/window/window_start.hpp"

namespace gwrm {

Window steady_window(const Context& context, const Model& model, const SystemPlan& plan,
                     const std::vector<AxisDescription>& subdomains) {
  const std::vector<double> no_parameters(model.axes.size(), 0.0);
  const Discretisation discretisation(model, subdomains, no_parameters, 0.0, 1.0);
  return {context, model, plan, subdomains, no_parameters, 0.0, 1.0, initial_state(context, model, discretisation)};
}

Index free_row(const WindowSystem& system) {
  const int last = static_cast<int>(system.model().equations.size()) - 1;
  const auto row = std::find_if(system.rows().begin(), system.rows().end(), [&](const RowBlock& block) {
    return block.kind == RowBlock::Kind::equation && block.index == last;
  });
  return row->offset;
}

BranchUnknowns branch_unknowns(const WindowSystem& system) {
  BranchUnknowns unknowns;
  unknowns.parameter = system.layouts().back().offset;
  for (int f = 0; f < static_cast<int>(system.layouts().size()); ++f) {
    const bool is_parameter = f + 1 == static_cast<int>(system.layouts().size());
    std::vector<double> shares = {1.0};
    for (int axis : system.model().fields[f].axes) {
      std::vector<double> product;
      for (double outer : shares)
        for (double inner : system.discretisation().basis(axis).mean_square()) product.push_back(outer * inner);
      shares = std::move(product);
    }
    unknowns.fields.insert(unknowns.fields.end(), shares.size(), is_parameter ? 0 : f);
    unknowns.shares.insert(unknowns.shares.end(), shares.begin(), shares.end());
  }
  return unknowns;
}

}  // namespace gwrm
