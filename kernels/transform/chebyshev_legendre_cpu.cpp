#include <algorithm>
#include <string>

#include "core/errors.hpp"
#include "core/vector_clones.hpp"
#include "kernels/transform/chebyshev_legendre.hpp"
#include "kernels/transform/column_pieces.hpp"
#include "kernels/transform/fourier_butterflies.hpp"
#include "kernels/transform/fourier_lines.hpp"

namespace gwrm::cpu {
namespace {

using butterfly::Eight, butterfly::load, butterfly::store;

// ---- direct: y_a = sum_b T_(b-a) H_(a+b+p) x_b of the rows 2a + p of one parity, or transposed ----

// One parity of a piece: number k of a column at 2k rows' distance.
struct Triangle {
  const double *toeplitz, *hankel;
  Index n;  // rows of this parity
  int parity;
  Index row;  // numbers from one row of this parity to the next
  const double* x;
  double* y;
};

// Terms of a sum that are added up before they join the others: one after the other a thousand of them lose a digit.
constexpr Index kTermsTogether = 32;

// kBlock rows from `first` on, 8 n_eights columns. T_k = 0 for k < 0 stands in the table, so that the corner needs
// no bounds of its own.
template <int sign, int n_eights>
GWRM_INLINE void block(const Triangle& t, Index first, Index column) {
  constexpr Index kBlock = ChebyshevLegendrePlan::kBlock;
  const Index begin = sign > 0 ? first : 0, end = sign > 0 ? t.n : std::min(first + kBlock, t.n);
  Eight totals[kBlock][n_eights] = {};
  for (Index part = begin; part < end; part += kTermsTogether) {
    Eight sums[kBlock][n_eights] = {};
    for (Index i = part; i < std::min(part + kTermsTogether, end); ++i) {
      Eight x[n_eights];
      for (int e = 0; e < n_eights; ++e) x[e] = load<Eight>(t.x + i * t.row + column + e * kLanes);
      for (Index r = 0; r < kBlock; ++r) {
        const double entry = t.toeplitz[sign * (i - first - r)] * t.hankel[i + first + r + t.parity];
        for (int e = 0; e < n_eights; ++e) sums[r][e] += entry * x[e];
      }
    }
    for (Index r = 0; r < kBlock; ++r)
      for (int e = 0; e < n_eights; ++e) totals[r][e] += sums[r][e];
  }
  for (Index r = 0; r < std::min(kBlock, t.n - first); ++r)
    for (int e = 0; e < n_eights; ++e) store(t.y + (first + r) * t.row + column + e * kLanes, totals[r][e]);
}
template <int sign>
GWRM_INLINE void all_blocks(const Triangle& t, Index width) {
  for (Index first = 0; first < t.n; first += ChebyshevLegendrePlan::kBlock) {
    Index column = 0;
    for (; column + 2 * kLanes <= width; column += 2 * kLanes) block<sign, 2>(t, first, column);
    if (column < width) block<sign, 1>(t, first, column);
  }
}
GWRM_VECTOR_CLONES void triangle(const Triangle& t, Index width) {
  all_blocks<1>(t, width);
}
GWRM_VECTOR_CLONES void transposed_triangle(const Triangle& t, Index width) {
  all_blocks<-1>(t, width);
}

void scale_rows(const std::vector<double>& factors, Index width, double* rows) {
  for (std::size_t k = 0; k < factors.size(); ++k) {
    if (factors[k] == 1.0) continue;
    double* row = rows + static_cast<Index>(k) * width;
    for (Index c = 0; c < width; ++c) row[c] *= factors[k];
  }
}

// y += the row 0 of chebyshev_to_legendre, or its transpose; `step` numbers from row to row, `width` of them used.
void add_first_row(const std::vector<double>& first_row, bool transposed, Index step, Index width, const double* x,
                   double* y) {
  const Index n = static_cast<Index>(first_row.size());
  if (transposed) {
    for (Index k = 0; k < n; ++k)
      for (Index c = 0; c < width; ++c) y[2 * k * step + c] += first_row[static_cast<std::size_t>(k)] * x[c];
    return;
  }
  for (Index part = 0; part < n; part += kTermsTogether) {
    double sums[kColumnsOfPiece] = {};
    for (Index k = part; k < std::min(part + kTermsTogether, n); ++k)
      for (Index c = 0; c < width; ++c) sums[c] += first_row[static_cast<std::size_t>(k)] * x[2 * k * step + c];
    for (Index c = 0; c < width; ++c) y[c] += sums[c];
  }
}

Index direct_workspace(const ChebyshevLegendrePlan& plan) {
  return 3 * plan.length() * kColumnsOfPiece;
}

void direct(const ChebyshevLegendrePlan& plan, bool transposed, const double* x, double* y, Index inner, Index first,
            Index count, double* workspace) {
  const Index n = plan.length(), width = (count + kLanes - 1) / kLanes * kLanes;
  double *given = workspace, *in = given + n * kColumnsOfPiece, *out = in + n * kColumnsOfPiece;
  gather_columns(x, n, inner, first, count, width, given);
  std::copy_n(given, n * width, in);
  scale_rows(transposed ? plan.after() : plan.before(), width, in);
  for (const int parity : {0, 1}) {
    const Triangle t{plan.toeplitz(), plan.hankel(),       plan.half(parity),   parity,
                     2 * width,       in + parity * width, out + parity * width};
    (transposed ? transposed_triangle : triangle)(t, width);
  }
  scale_rows(transposed ? plan.before() : plan.after(), width, out);
  add_first_row(plan.first_row(), transposed, width, width, given, out);
  scatter_columns(out, n, inner, first, count, width, y);
}

// ---- Toeplitz-Hankel: one column at a time, eight factors l_s side by side ----

// z = l_s o x, even rows in the real parts, odd ones in the imaginary parts; zeros behind.
GWRM_VECTOR_CLONES void spread(const ChebyshevLegendrePlan& plan, Index s, const double* x, Planes z) {
  const Index rank = plan.rank();
  for (const int p : {0, 1}) {
    double* to = p == 0 ? z.re : z.im;
    const double* l = plan.factors(p) + s;
    const Index n = plan.half(p);
    for (Index a = 0; a < n; ++a) store(to + a * kLanes, load<Eight>(l + a * rank) * x[2 * a + p]);
    std::fill(to + n * kLanes, to + plan.fourier().length() * kLanes, 0.0);
  }
}
// y += sum_s l_s o z_s
GWRM_VECTOR_CLONES void collect(const ChebyshevLegendrePlan& plan, Index s, Planes z, double* y) {
  const Index rank = plan.rank();
  for (const int p : {0, 1}) {
    const double *from = p == 0 ? z.re : z.im, *l = plan.factors(p) + s;
    for (Index a = 0; a < plan.half(p); ++a) {
      const Eight v = load<Eight>(l + a * rank) * load<Eight>(from + a * kLanes);
      y[2 * a + p] += ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
    }
  }
}
// The Fourier transform of T times z, conjugate for a sum over b - a: times scale, to undo two transforms.
GWRM_VECTOR_CLONES void multiply(const std::complex<double>* symbol, bool conjugate, double scale, Index n, Planes z) {
  for (Index k = 0; k < n; ++k) {
    const double c = scale * symbol[k].real(), s = (conjugate ? -scale : scale) * symbol[k].imag();
    const Eight a = load<Eight>(z.re + k * kLanes), b = load<Eight>(z.im + k * kLanes);
    store(z.re + k * kLanes, c * a - s * b);
    store(z.im + k * kLanes, c * b + s * a);
  }
}

Index plane_of(const ChebyshevLegendrePlan& plan) {
  return plan.fourier().work_length() * kLanes + kPlanePadding;
}
Index toeplitz_workspace(const ChebyshevLegendrePlan& plan) {
  return 4 * plane_of(plan) + 2 * plan.length();
}

void toeplitz_hankel(const ChebyshevLegendrePlan& plan, bool transposed, const double* x, double* y, Index inner,
                     double* workspace) {
  const Index n = plan.length(), m = plan.fourier().length(), plane = plane_of(plan);
  double *in = workspace, *out = in + n, *planes = out + n;
  const Planes z{planes, planes + plane}, scratch{planes + 2 * plane, planes + 3 * plane};
  const std::vector<double>&before = transposed ? plan.after() : plan.before(),
        &after = transposed ? plan.before() : plan.after();
  for (Index i = 0; i < n; ++i) in[i] = before[static_cast<std::size_t>(i)] * x[i * inner];
  std::fill_n(out, n, 0.0);
  for (Index s = 0; s < plan.rank(); s += kLanes) {
    spread(plan, s, in, z);
    const Planes forth = fourier_lines(plan.fourier(), kLanes, z, scratch);
    multiply(plan.symbol().data(), !transposed, 1.0 / static_cast<double>(m), m, forth);
    const Planes other = forth.re == z.re ? scratch : z;
    collect(plan, s, fourier_lines(plan.fourier(), kLanes, forth.exchanged(), other.exchanged()).exchanged(), out);
  }
  for (Index i = 0; i < n; ++i) {
    in[i] = x[i * inner];
    out[i] *= after[static_cast<std::size_t>(i)];
  }
  add_first_row(plan.first_row(), transposed, 1, 1, in, out);
  for (Index i = 0; i < n; ++i) y[i * inner] = out[i];
}

Index workspace_of_thread(const ChebyshevLegendrePlan& plan) {
  Index n = 0;
  for (const Index n_columns : {Index{1}, kDirectColumns})  // whatever the batch
    n = std::max(
        n, plan.method(n_columns) == ConnectionMethod::direct ? direct_workspace(plan) : toeplitz_workspace(plan));
  return n;
}

}  // namespace

Index connection_workspace(const ChebyshevLegendrePlan& plan, int n_threads) {
  return std::max(1, n_threads) * workspace_of_thread(plan);
}

void chebyshev_legendre(const ChebyshevLegendrePlan& plan, bool transposed, const double* x, double* y, Index outer,
                        Index inner, double* workspace, int n_threads) {
  if (outer < 0 || inner < 0)
    throw ShapeError("Chebyshev-Legendre connection: " + std::to_string(outer) + " x " + std::to_string(inner) +
                     " columns");
  if (outer * inner == 0) return;
  const Index n = plan.length();
  const ConnectionMethod method = plan.method(outer * inner);
  all_pieces(outer * inner, n_threads, workspace, workspace_of_thread(plan),
             [&](Index first, Index count, double* scratch) {
               if (method == ConnectionMethod::direct) {
                 direct(plan, transposed, x, y, inner, first, count, scratch);
                 return;
               }
               for (Index t = first; t < first + count; ++t) {
                 const Index begin = t / inner * n * inner + t % inner;
                 toeplitz_hankel(plan, transposed, x + begin, y + begin, inner, scratch);
               }
             });
}

}  // namespace gwrm::cpu
