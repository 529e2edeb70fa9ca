// Sweeps of DoubleDouble.
#include "kernels/banded/substitution_launch.cuh"

namespace gwrm::cuda {

template std::unique_ptr<BandedPlan<DoubleDouble>> make_substitution_plan(const Context&, const BandedShape&,
                                                                          const Substitution<DoubleDouble>&,
                                                                          BandedVariant);

}  // namespace gwrm::cuda
