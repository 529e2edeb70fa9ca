#include "basis/axis_basis.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "basis/chebyshev_basis.hpp"
#include "basis/fourier_basis.hpp"
#include "basis/orthogonal_basis.hpp"
#include "basis/stored_order.hpp"
#include "core/distribution.hpp"
#include "core/errors.hpp"

namespace gwrm {
namespace {

template <class Basis>
std::shared_ptr<const AxisBasis> made(const AxisDescription& description) {
  return std::make_shared<const Basis>(description);
}

struct Registry {
  std::mutex mutex;
  std::map<std::string, BasisFactory> makers{{kChebyshev, made<ChebyshevBasis>},
                                             {kFourier, made<FourierBasis>},
                                             {kHermite, made<OrthogonalBasis>},
                                             {kLegendre, made<OrthogonalBasis>},
                                             {kJacobi, made<OrthogonalBasis>}};
};

Registry& registry() {
  static Registry all;
  return all;
}

}  // namespace

AxisGrid ascending(const AxisGrid& grid) {
  std::vector<Index> order(static_cast<std::size_t>(grid.points.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return grid.points(a) < grid.points(b); });
  return {grid.points(order), grid.weights(order)};
}

AxisBasis::AxisBasis(AxisDescription description) : description_(std::move(description)) {
  if (degree() < 0 || description_.edges.size() < 2)
    throw ShapeError("a basis needs a degree of at least 0 and the two ends of an interval, not degree " +
                     std::to_string(degree()) + " and " + std::to_string(description_.edges.size()) + " edges");
}

BlockMatrix AxisBasis::at(std::span<const double> points, int order) const {
  if (is_grid(points)) return synthesis(static_cast<Index>(points.size()) / n_subdomains(), order);
  BlockMatrix matrix(static_cast<Index>(points.size()), n_coefficients());
  for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
    const Index subdomain = description_.subdomain_of(points[begin]);
    while (end < points.size() && description_.subdomain_of(points[end]) == subdomain) ++end;
    matrix.blocks.push_back(
        {static_cast<Index>(begin), subdomain * n_per_subdomain(),
         std::make_shared<const Matrix>(rows_at(subdomain, points.subspan(begin, end - begin), order)), 1.0});
  }
  return matrix;
}

BlockMatrix AxisBasis::conversion_from(const AxisBasis& other) const {
  const AxisDescription& from = other.description();
  if (from == description_) return BlockMatrix::unit(n_coefficients());
  if (from.basis != description_.basis)
    throw ShapeError("coefficients in the basis " + from.basis + " have no conversion to the basis " +
                     description_.basis);
  if (from.edges == description_.edges && from.map == description_.map) {  // only the degree differs
    const auto kept = std::make_shared<const Matrix>(Matrix::Identity(n_per_subdomain(), other.n_per_subdomain()));
    BlockMatrix result(n_coefficients(), other.n_coefficients());
    for (Index p = 0; p < n_subdomains(); ++p)
      result.blocks.push_back({p * n_per_subdomain(), p * other.n_per_subdomain(), kept, 1.0});
    return result;
  }
  const Index n = std::max(n_per_subdomain(), other.n_per_subdomain());
  const Vector points = grid(n).points;
  const BlockMatrix to_coefficients = analysis(n);
  BlockMatrix result(n_coefficients(), other.n_coefficients());
  for (Index p = 0; p < n_subdomains(); ++p) {
    const MatrixBlock& own = to_coefficients.blocks[static_cast<std::size_t>(p)];
    for (Index first = 0; first < n;) {  // runs of points in one subdomain of the other
      const double* const z = points.data() + p * n;
      const Index subdomain = from.subdomain_of(z[first]);
      Index last = first;
      while (last < n && from.subdomain_of(z[last]) == subdomain) ++last;
      const Matrix values = other.rows_at(subdomain, {z + first, static_cast<std::size_t>(last - first)}, 0);
      result.blocks.push_back({own.row, subdomain * other.n_per_subdomain(),
                               std::make_shared<const Matrix>(own.matrix->middleCols(first, last - first) * values),
                               own.factor});
      first = last;
    }
  }
  return result;
}

void register_basis(const std::string& name, BasisFactory make) {
  const std::lock_guard lock(registry().mutex);
  if (!registry().makers.emplace(name, std::move(make)).second)
    throw ShapeError("there is a basis of the name " + name + " already");
}

bool is_basis(const std::string& name) {
  const std::lock_guard lock(registry().mutex);
  return registry().makers.count(family_of_basis(name)) > 0;
}

std::string basis_names() {
  const std::lock_guard lock(registry().mutex);
  std::string text;
  for (const auto& [name, make] : registry().makers) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string basis_stored_as(const std::string& stored_name) {
  const std::lock_guard lock(registry().mutex);
  if (distribution_of({0, {0.5, 1.0}, MapKind::linear, stored_name})) return stored_name;
  for (const auto& [name, make] : registry().makers)
    if (name != kHermite && name != kJacobi &&
        gwrm::stored_name(*make({0, {0.0, 1.0}, MapKind::linear, name})) == stored_name)
      return name;
  return {};
}

std::string stored_name(const AxisBasis& basis) {
  const auto* const order = dynamic_cast<const StoredOrder*>(&basis);
  return order == nullptr ? basis.description().basis : order->stored_name();
}

Index stored_index(const AxisBasis& basis, Index k, Index n_stored) {
  const auto* const order = dynamic_cast<const StoredOrder*>(&basis);
  return order == nullptr ? k : order->stored_index(k, n_stored);
}

std::shared_ptr<const AxisBasis> make_basis(const AxisDescription& description) {
  const BasisFactory* make = nullptr;  // entries stay where they are
  {
    const std::lock_guard lock(registry().mutex);
    const auto found = registry().makers.find(family_of_basis(description.basis));
    if (found != registry().makers.end()) make = &found->second;
  }
  if (make == nullptr)
    throw ShapeError("there is no basis of the name " + description.basis + ", there are: " + basis_names());
  return (*make)(description);
}

BlockMatrix conversion(const AxisDescription& from, const AxisDescription& to) {
  return make_basis(to)->conversion_from(*make_basis(from));
}

}  // namespace gwrm
