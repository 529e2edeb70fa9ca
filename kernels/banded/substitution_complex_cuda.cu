// Sweeps of Complex.
#include "kernels/banded/substitution_launch.cuh"

namespace gwrm::cuda {

template std::unique_ptr<BandedPlan<Complex>> make_substitution_plan(const Context&, const BandedShape&,
                                                                     const Substitution<Complex>&, BandedVariant);

}  // namespace gwrm::cuda
