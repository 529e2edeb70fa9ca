// Sweeps of double.
#include "kernels/banded/substitution_launch.cuh"

namespace gwrm::cuda {

template std::unique_ptr<BandedPlan<double>> make_substitution_plan(const Context&, const BandedShape&,
                                                                    const Substitution<double>&, BandedVariant);

}  // namespace gwrm::cuda
