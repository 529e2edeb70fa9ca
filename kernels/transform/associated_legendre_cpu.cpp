#include <omp.h>

#include <algorithm>

#include "core/errors.hpp"
#include "core/vector_clones.hpp"
#include "kernels/transform/associated_legendre.hpp"
#include "kernels/transform/fourier_butterflies.hpp"

namespace gwrm::cpu {
namespace {

using butterfly::Eight, butterfly::load, butterfly::store;
constexpr int kLanes = AssociatedLegendrePlan::kLanes;
typedef float EightFloats __attribute__((vector_size(kLanes * sizeof(float))));
constexpr Index kGroups = 4;  // of a block, at most
static_assert(sizeof(Eight) == kLanes * sizeof(double));

GWRM_INLINE Eight load_floats(const float* from) {
  EightFloats x;
  __builtin_memcpy(&x, from, sizeof x);
  return __builtin_convertvector(x, Eight);
}
GWRM_INLINE Eight rounded_to_float(Eight x) {
  return __builtin_convertvector(__builtin_convertvector(x, EightFloats), Eight);
}

// What a block of nodes needs of an order and parity.
struct OrderPiece {
  const double *slope, *constant;  // per function; constant at the origins of the groups, one list after the other
  const double *z, *p, *d;         // per lane: sin^2 - origin, and the start
  Index first, differences_end, plain_end, n;
  Index distance;  // from list to list
};

// The recurrence of some groups of eight nodes.
template <int groups>
struct LegendreRecurrence {
  Eight z[groups], p[groups], d[groups];

  GWRM_INLINE explicit LegendreRecurrence(const OrderPiece& piece) {
    for (int g = 0; g < groups; ++g) {
      z[g] = load<Eight>(piece.z + g * kLanes);
      p[g] = load<Eight>(piece.p + g * kLanes);
      d[g] = load<Eight>(piece.d + g * kLanes);
    }
  }
  // visit(k, sign, g) for all functions, where sign * p[g] are the values.
  template <class Before, class Visit, class Behind>
  GWRM_INLINE void run(const OrderPiece& piece, Before&& before, Visit&& visit, Behind&& behind) {
    const double *slope = piece.slope, *constant = piece.constant;
    const Index distance = piece.distance;
    Index k = piece.first;
    for (; k < piece.differences_end; ++k) {
      before(k);
      for (int g = 0; g < groups; ++g) {
        visit(g, false);
        d[g] += (slope[k] * z[g] + constant[g * distance + k]) * p[g];
        p[g] += d[g];
      }
      behind(k);
    }
    for (int g = 0; g < groups; ++g) d[g] = p[g] - d[g];  // p_(k-1)
    for (; k < piece.plain_end; ++k) {
      before(k);
      for (int g = 0; g < groups; ++g) {
        visit(g, false);
        const Eight next = (slope[k] * z[g] + constant[g * distance + k]) * p[g] - d[g];
        d[g] = p[g];
        p[g] = next;
      }
      behind(k);
    }
    for (int g = 0; g < groups; ++g) d[g] = p[g] + d[g];  // with signs that alternate from here on
    const auto step = [&](Index i, bool negative) GWRM_LAMBDA_INLINE {
      before(i);
      for (int g = 0; g < groups; ++g) {
        visit(g, negative);
        d[g] += (constant[g * distance + i] - slope[i] * z[g]) * p[g];
        p[g] += d[g];
      }
      behind(i);
    };
    for (; k + 1 < piece.n; k += 2) {
      step(k, false);
      step(k + 1, true);
    }
    if (k < piece.n) step(k, false);
  }
};

// out (re and im, 8 lanes each, a group every 32 numbers) = factor per lane times sum_k p_k (c_2k, c_2k+1).
template <int groups>
GWRM_INLINE void sum_functions(const OrderPiece& piece, const double* c, const double* factor, double* out) {
  LegendreRecurrence<groups> functions(piece);
  Eight re[groups], im[groups];
  for (int g = 0; g < groups; ++g) re[g] = im[g] = Eight{};
  double c_re = 0.0, c_im = 0.0;
  functions.run(
      piece,
      [&](Index k) GWRM_LAMBDA_INLINE {
        c_re = c[2 * k];
        c_im = c[2 * k + 1];
      },
      [&](int g, bool negative) GWRM_LAMBDA_INLINE {
        if (negative) {
          re[g] -= c_re * functions.p[g];
          im[g] -= c_im * functions.p[g];
        } else {
          re[g] += c_re * functions.p[g];
          im[g] += c_im * functions.p[g];
        }
      },
      [](Index) GWRM_LAMBDA_INLINE {});
  for (int g = 0; g < groups; ++g) {
    const Eight f = load<Eight>(factor + g * kLanes);
    store(out + g * AssociatedLegendrePlan::kGroupNumbers, f * re[g]);
    store(out + g * AssociatedLegendrePlan::kGroupNumbers + kLanes, f * im[g]);
  }
}

// sums[k] (re and im, 4 lanes each: two of the nodes' lanes together) += sum over the groups of p_k in.
template <int groups>
GWRM_INLINE void project(const OrderPiece& piece, const double* factor, const double* in, double* sums) {
  LegendreRecurrence<groups> functions(piece);
  Eight re[groups], im[groups], sum_re{}, sum_im{};
  for (int g = 0; g < groups; ++g) {
    const Eight f = load<Eight>(factor + g * kLanes);
    re[g] = f * load<Eight>(in + g * AssociatedLegendrePlan::kGroupNumbers);
    im[g] = f * load<Eight>(in + g * AssociatedLegendrePlan::kGroupNumbers + kLanes);
  }
  functions.run(
      piece, [&](Index) GWRM_LAMBDA_INLINE { sum_re = sum_im = Eight{}; },
      [&](int g, bool negative) GWRM_LAMBDA_INLINE {
        if (negative) {
          sum_re -= functions.p[g] * re[g];
          sum_im -= functions.p[g] * im[g];
        } else {
          sum_re += functions.p[g] * re[g];
          sum_im += functions.p[g] * im[g];
        }
      },
      [&](Index k) GWRM_LAMBDA_INLINE {
        double* sum = sums + kLanes * k;
        store(sum, load<Eight>(sum) + (__builtin_shufflevector(sum_re, sum_im, 0, 1, 2, 3, 8, 9, 10, 11) +
                                       __builtin_shufflevector(sum_re, sum_im, 4, 5, 6, 7, 12, 13, 14, 15)));
      });
}

GWRM_VECTOR_CLONES void sum_block(const OrderPiece& piece, Index groups, const double* c, const double* factor,
                                  double* out) {
  switch (groups) {
    case 1:
      return sum_functions<1>(piece, c, factor, out);
    case 2:
      return sum_functions<2>(piece, c, factor, out);
    default:
      return sum_functions<4>(piece, c, factor, out);
  }
}
GWRM_VECTOR_CLONES void project_block(const OrderPiece& piece, Index groups, const double* factor, const double* in,
                                      double* sums) {
  switch (groups) {
    case 1:
      return project<1>(piece, factor, in, sums);
    case 2:
      return project<2>(piece, factor, in, sums);
    default:
      return project<4>(piece, factor, in, sums);
  }
}

// The constants of the three ranges, t - 2, t and -t - 2 where sin^2 is `origin`, of the groups of a block: what does
// not depend on the group is read and split once. Each is small beside its terms, so slope and polar, which are large
// where m is near l, come with their remainders. Ranges are taken eight functions at a time and may run over their
// ends, into what the next one sets or into the room between lists.
template <int groups>
GWRM_INLINE void constants_of(const ConstLegendreTables& tables, const double* origin, const OrderPiece& piece,
                              double* constant) {
  const auto set = [&](Index begin, Index end, auto formula) GWRM_LAMBDA_INLINE {
    for (Index k = begin; k < end; k += kLanes) {
      const Eight slope = load<Eight>(tables.slope + k);
      const Eight high = rounded_to_float(slope);
      const Eight low = (slope - high) + load_floats(tables.slope_rest + k);
      formula(k, high, low);
    }
  };
  const auto put = [&](Index k, int g, Eight value)
                       GWRM_LAMBDA_INLINE { store(constant + g * piece.distance + k, value); };
  set(piece.first, piece.differences_end, [&](Index k, Eight high, Eight low) GWRM_LAMBDA_INLINE {
    const Eight polar = load<Eight>(tables.polar + k), rest = load_floats(tables.polar_rest + k);
    for (int g = 0; g < groups; ++g) put(k, g, (polar + high * origin[g]) + (low * origin[g] + rest));
  });
  set(piece.differences_end, piece.plain_end, [&](Index k, Eight high, Eight low) GWRM_LAMBDA_INLINE {
    const Eight equatorial = load<Eight>(tables.equatorial + k);
    for (int g = 0; g < groups; ++g)
      put(k, g, -(((2.0 + high * (1.0 - origin[g])) + equatorial) + low * (1.0 - origin[g])));
  });
  set(piece.plain_end, piece.n, [&](Index k, Eight high, Eight low) GWRM_LAMBDA_INLINE {
    const Eight equatorial = load<Eight>(tables.equatorial + k);
    for (int g = 0; g < groups; ++g) put(k, g, (equatorial + high * (1.0 - origin[g])) + low * (1.0 - origin[g]));
  });
}
GWRM_VECTOR_CLONES void set_constants(const ConstLegendreTables& tables, const double* origin, Index groups,
                                      const OrderPiece& piece, double* constant) {
  switch (groups) {
    case 1:
      return constants_of<1>(tables, origin, piece, constant);
    case 2:
      return constants_of<2>(tables, origin, piece, constant);
    default:
      return constants_of<4>(tables, origin, piece, constant);
  }
}

// The sums of the lanes, two and two.
GWRM_VECTOR_CLONES void sum_lanes(const double* scale, const double* sums, Index n, std::complex<double>* a) {
  for (Index k = 0; k < n; ++k) {
    const Eight s = load<Eight>(sums + kLanes * k);
    const Eight two = s + __builtin_shufflevector(s, s, 2, 3, 0, 1, 6, 7, 4, 5);
    const Eight all = two + __builtin_shufflevector(two, two, 1, 0, 3, 2, 5, 4, 7, 6);
    a[2 * k] = {scale[k] * all[0], scale[k] * all[4]};
  }
}

// Numbers of the workspace that a thread has, by what they are used for.
struct LegendreScratch {
  double *constant, *coefficients, *sums, *factor;
  LegendreScratch(const AssociatedLegendrePlan& plan, double* own) {
    const Index n = plan.degree() / 2 + 1;
    constant = own;
    coefficients = constant + kGroups * distance(n);
    factor = coefficients + 2 * n;
    sums = factor + plan.n_groups() * kLanes;
  }
  // From one list of n constants to the next, with room for a vector that runs over the end.
  static Index distance(Index n) { return n + kLanes; }
  static Index size(const AssociatedLegendrePlan& plan) {
    const Index n = plan.degree() / 2 + 1;
    return kGroups * distance(n) + (2 + kLanes) * n + plan.n_groups() * kLanes + kLanes;
  }
};

class Order {
 public:
  Order(const AssociatedLegendrePlan& plan, Index m, LegendreParity parity, double* workspace)
      : plan_(plan), m_(m), parity_(parity), n_(plan.n_functions(m, parity)), room_(plan, workspace) {}

  // c: the functions of this parity, every other number of a.
  void synthesis(const std::complex<double>* a, double* values) {
    const double* scale = plan_.tables(m_, parity_).scale;
    for (Index k = 0; k < n_; ++k) {
      room_.coefficients[2 * k] = scale[k] * a[2 * k].real();
      room_.coefficients[2 * k + 1] = scale[k] * a[2 * k].imag();
    }
    for_blocks([&](const AssociatedLegendrePlan::Block& block, const OrderPiece& piece) {
      sum_block(piece, block.n_groups, room_.coefficients, room_.factor + block.first_group * kLanes,
                part(values, block));
    });
  }

  void analysis(const double* values, std::complex<double>* a) {
    std::fill_n(room_.sums, kLanes * n_, 0.0);
    for_blocks([&](const AssociatedLegendrePlan::Block& block, const OrderPiece& piece) {
      project_block(piece, block.n_groups, room_.factor + block.first_group * kLanes, part(values, block), room_.sums);
    });
    sum_lanes(plan_.tables(m_, parity_).scale, room_.sums, n_, a);
  }

  // What values are multiplied by: 1 or x, and in analysis the weights.
  void set_factor(bool weighted) {
    for (Index i = 0; i < plan_.n_groups() * kLanes; ++i)
      room_.factor[i] =
          (parity_ == LegendreParity::odd ? plan_.cosine()[i] : 1.0) * (weighted ? plan_.lane_weight()[i] : 1.0);
  }

 private:
  template <class Number>
  Number* part(Number* values, const AssociatedLegendrePlan::Block& block) const {
    return values + (m_ * plan_.n_groups() + block.first_group) * AssociatedLegendrePlan::kGroupNumbers +
           (parity_ == LegendreParity::odd ? 2 * kLanes : 0);
  }

  template <class Work>
  void for_blocks(Work&& work) {
    const Index n_lanes = plan_.n_groups() * kLanes;
    const ConstLegendreTables tables = plan_.tables(m_, parity_);
    const double* start = plan_.start(m_, parity_);
    for (std::size_t b = 0; b < plan_.blocks().size(); ++b) {
      const AssociatedLegendrePlan::Block& block = plan_.blocks()[b];
      const AssociatedLegendrePlan::Ranges ranges =
          n_ == 0 ? AssociatedLegendrePlan::Ranges{} : plan_.ranges(m_, parity_, b);
      const Index lane = block.first_group * kLanes;
      const OrderPiece piece{
          tables.slope, room_.constant,         plan_.variable() + lane, start + lane, start + n_lanes + lane,
          ranges.first, ranges.differences_end, ranges.plain_end,        n_,           LegendreScratch::distance(n_)};
      set_constants(tables, &plan_.origin()[block.first_group], block.n_groups, piece, room_.constant);
      work(block, piece);
    }
  }

  const AssociatedLegendrePlan& plan_;
  Index m_;
  LegendreParity parity_;
  Index n_;
  LegendreScratch room_;
};

template <class Work>
void for_orders(const AssociatedLegendrePlan& plan, double* workspace, int n_threads, bool weighted, Work&& work) {
  if (n_threads < 1) throw ShapeError("associated Legendre transform: at least one thread");
  const Index each = LegendreScratch::size(plan);
#pragma omp parallel num_threads(n_threads)
  {
    double* own = workspace + omp_get_thread_num() * each;
#pragma omp for schedule(dynamic, 4)
    for (Index m = 0; m <= plan.degree(); ++m)
      for (const LegendreParity parity : {LegendreParity::even, LegendreParity::odd}) {
        Order order(plan, m, parity, own);
        order.set_factor(weighted);
        work(order, m, plan.coefficient_place(m) + (parity == LegendreParity::odd ? 1 : 0));
      }
  }
}

}  // namespace

std::size_t legendre_workspace(const AssociatedLegendrePlan& plan, int n_threads) {
  return static_cast<std::size_t>(LegendreScratch::size(plan) * n_threads);
}

void legendre_synthesis(const AssociatedLegendrePlan& plan, const std::complex<double>* a, double* values,
                        double* workspace, int n_threads) {
  for_orders(plan, workspace, n_threads, false,
             [&](Order& order, Index, Index place) { order.synthesis(a + place, values); });
}

void legendre_analysis(const AssociatedLegendrePlan& plan, const double* values, std::complex<double>* a,
                       double* workspace, int n_threads) {
  for_orders(plan, workspace, n_threads, true,
             [&](Order& order, Index, Index place) { order.analysis(values, a + place); });
}

}  // namespace gwrm::cpu
