// What result files hold of a basis: its name there, and the order of its coefficients where readers are better served
// by another one than that of memory (levels ascending, so that coefficients are nested).
#pragma once

#include <string>

#include "basis/axis_basis.hpp"

namespace gwrm {

// A basis that is stored otherwise than it is kept derives from this, too.
class StoredOrder {
 public:
  virtual ~StoredOrder() = default;
  virtual std::string stored_name() const = 0;
  // Where coefficient k of a subdomain stands in a file with room for n_stored of them: those of the highest degree of
  // all windows. What is left is padding.
  virtual Index stored_index(Index k, Index n_stored) const = 0;
};

// Of any basis: the name of the registry and the order of memory where it does not say otherwise.
std::string stored_name(const AxisBasis& basis);
Index stored_index(const AxisBasis& basis, Index k, Index n_stored);

// The name, in the registry, of the basis that files call so; empty if there is none.
std::string basis_stored_as(const std::string& stored_name);

}  // namespace gwrm
