#include "problems/ball/symmetric_bands.hpp"

#include "kernels/banded/pentadiagonal.hpp"
#include "kernels/banded/tridiagonal.hpp"

namespace gwrm::ball {
namespace {

// A superdiagonal as the subdiagonal.
template <class Number>
std::vector<Number> shifted(const std::vector<Number>& upper, std::size_t by) {
  std::vector<Number> lower(upper.size(), number<Number>(0.0));
  for (std::size_t k = by; k < upper.size(); ++k) lower[k] = upper[k - by];
  return lower;
}

}  // namespace

template <class Number>
std::unique_ptr<BandedPlan<Number>> make_symmetric_plan(const Context& context, const BandedShape& shape,
                                                        const std::array<std::vector<Number>, 3>& diagonals) {
  const auto& [diagonal, upper, second] = diagonals;
  const std::vector<Number> lower = shifted(upper, 1);
  if (second.empty())
    return make_tridiagonal_plan<Number>(context, shape, {lower.data(), diagonal.data(), upper.data()});
  const std::vector<Number> second_lower = shifted(second, 2);
  return make_pentadiagonal_plan<Number>(
      context, shape, {second_lower.data(), lower.data(), diagonal.data(), upper.data(), second.data()});
}

template std::unique_ptr<BandedPlan<double>> make_symmetric_plan(const Context&, const BandedShape&,
                                                                 const std::array<std::vector<double>, 3>&);
template std::unique_ptr<BandedPlan<Complex>> make_symmetric_plan(const Context&, const BandedShape&,
                                                                  const std::array<std::vector<Complex>, 3>&);

}  // namespace gwrm::ball
