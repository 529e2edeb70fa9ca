#include "kernels/transform/gamma_ratio.hpp"

#include <cmath>

namespace gwrm {

long double gamma_ratio(long double z) {
  constexpr long double kSeriesFrom = 40.0L;  // the term left out, about 0.03 y^7, is 1e-24 there
  long double factor = 1.0L;
  for (; z < kSeriesFrom; z += 1.0L) factor *= (z + 1.0L) / (z + 0.5L);
  const long double y = 1.0L / ((z + 0.25L) * (z + 0.25L));
  const long double coefficients[] = {7426362705.0L / 0x1p40L,
                                      -20898423.0L / 0x1p33L,
                                      180323.0L / 0x1p27L,
                                      -671.0L / 0x1p19L,
                                      21.0L / 0x1p13L,
                                      -1.0L / 64.0L,
                                      1.0L};
  long double sum = 0.0L;
  for (const long double c : coefficients) sum = sum * y + c;
  return factor * sum / std::sqrt(z + 0.25L);
}

}  // namespace gwrm
