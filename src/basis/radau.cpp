#include "basis/radau.hpp"

#include <cmath>
#include <map>
#include <mutex>
#include <numbers>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "core/extended_precision.hpp"

namespace gwrm {
namespace {

using Extended = std::vector<long double>;

// P_0(x) .. P_degree(x).
Extended legendre(Index degree, long double x) {
  Extended p(static_cast<std::size_t>(degree) + 1, 1.0L);
  if (degree >= 1) p[1] = x;
  for (std::size_t n = 1; n + 1 < p.size(); ++n) {
    const long double order = static_cast<long double>(n);
    p[n + 1] = ((2.0L * order + 1.0L) * x * p[n] - order * p[n - 1]) / (order + 1.0L);
  }
  return p;
}

// The root of (P_K - P_{K-1}) / (x - 1) near `x` by Newton's method; dividing the known root 1 out keeps its neighbours
// from running into it. epsilon: of the arithmetic (core/extended_precision.hpp).
long double interior_node(Index K, long double x, long double epsilon) {
  for (int iteration = 0; iteration < 50; ++iteration) {
    const Extended p = legendre(K, x);
    const long double k = static_cast<long double>(K), last = p.back(), before = p[p.size() - 2];
    // (1 - x^2) P_n' = n (P_{n-1} - x P_n), for n = K and n = K - 1; P_{K-2} by the recurrence.
    const long double second = K >= 2 ? p[p.size() - 3] : 0.0L;
    const long double slope = (k * (before - x * last) - (k - 1.0L) * (second - x * before)) / (1.0L - x * x);
    const long double f = last - before;
    const long double step = f / (slope - f / (x - 1.0L));
    x -= step;
    if (std::abs(step) <= 4.0L * epsilon) return x;
  }
  throw Error(ExitStatus::internal_error, "Radau nodes: no convergence for K = " + std::to_string(K));
}

Extended radau_nodes(Index K) {
  Extended nodes(static_cast<std::size_t>(K), 1.0L);
  const long double epsilon = extended_epsilon();
  // The asymptotic zeros of the Jacobi polynomial P_{K-1}^{(1,0)}, counted from the right: theta = (2j + 1/2) pi /
  // (2K).
  for (Index j = 1; j < K; ++j) {
    const long double angle = (2.0L * static_cast<long double>(j) + 0.5L) * std::numbers::pi_v<long double> /
                              (2.0L * static_cast<long double>(K));
    nodes[static_cast<std::size_t>(K - 1 - j)] = interior_node(K, std::cos(angle), epsilon);
  }
  for (std::size_t j = 1; j < nodes.size(); ++j)
    if (!(nodes[j - 1] < nodes[j]))
      throw Error(ExitStatus::internal_error, "Radau nodes: two roots fell together for K = " + std::to_string(K));
  return nodes;
}

// binom(2m, m) / 4^m for m = 0..count-1: P_n = sum over k = n, n-2, .. of (2 - delta_k0) g_{(n-k)/2} g_{(n+k)/2} T_k.
Extended central_binomials(Index count) {
  Extended g(static_cast<std::size_t>(count), 1.0L);
  for (std::size_t m = 1; m < g.size(); ++m)
    g[m] = g[m - 1] * (2.0L * static_cast<long double>(m) - 1.0L) / (2.0L * static_cast<long double>(m));
  return g;
}

Radau compute(Index K) {
  const std::size_t size = static_cast<std::size_t>(K);
  const Extended nodes = radau_nodes(K);

  std::vector<Extended> polynomial;  // [j][n] = P_n(tau_j), n = 0..K
  for (long double node : nodes) polynomial.push_back(legendre(K, node));

  Extended weights(size);  // (1 + tau) / (K P_{K-1}(tau))^2
  for (std::size_t j = 0; j < size; ++j) {
    const long double value = static_cast<long double>(K) * polynomial[j][size - 1];
    weights[j] = (1.0L + nodes[j]) / (value * value);
  }

  Radau result{Vector(K), Vector(K), Matrix(K, K), Matrix::Zero(K, K)};
  for (Index j = 0; j < K; ++j) {
    result.nodes(j) = static_cast<double>(nodes[static_cast<std::size_t>(j)]);
    result.weights(j) = static_cast<double>(weights[static_cast<std::size_t>(j)]);
  }

  // f = sum_n c_n P_n with c_n = (2n+1)/2 sum_i w_i P_n(tau_i) f_i (the quadrature is exact here), and
  // (2n+1) int_{-1}^x P_n = P_{n+1} - P_{n-1} for n >= 1.
  for (std::size_t j = 0; j < size; ++j)
    for (std::size_t i = 0; i < size; ++i) {
      long double sum = nodes[j] + 1.0L;
      for (std::size_t n = 1; n < size; ++n) sum += polynomial[i][n] * (polynomial[j][n + 1] - polynomial[j][n - 1]);
      result.integration(static_cast<Index>(j), static_cast<Index>(i)) = static_cast<double>(weights[i] * sum / 2.0L);
    }

  const Extended g = central_binomials(K);
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t i = 0; i < size; ++i) {
      long double sum = 0.0L;
      for (std::size_t n = k; n < size; n += 2)
        sum += (2.0L * static_cast<long double>(n) + 1.0L) * g[(n - k) / 2] * g[(n + k) / 2] * polynomial[i][n];
      result.coefficients(static_cast<Index>(k), static_cast<Index>(i)) =
          static_cast<double>(weights[i] * sum * (k == 0 ? 0.5L : 1.0L));
    }
  return result;
}

}  // namespace

const Radau& radau(Index n_nodes) {
  if (n_nodes < 1) throw ShapeError("Radau collocation needs at least one node, got " + std::to_string(n_nodes));
  static std::mutex mutex;
  static std::map<Index, Radau> known;  // a map never moves its values
  const std::lock_guard lock(mutex);
  const auto found = known.find(n_nodes);
  return found != known.end() ? found->second : known.emplace(n_nodes, compute(n_nodes)).first->second;
}

}  // namespace gwrm
