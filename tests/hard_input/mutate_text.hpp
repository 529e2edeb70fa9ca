// Damage to a text such as a slip of the hand, a broken transfer or malice would do.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace gwrm::hard_input {

// One to four changes, chosen by below(n), a number below n: single bytes, pieces lost, doubled or moved, the end cut
// off; lines lost, doubled, exchanged, indented otherwise or taken from `donors`; numbers and words replaced by others
// that mean trouble, or by each other.
std::string mutated_text(std::string text, std::span<const std::string> donors,
                         const std::function<std::size_t(std::size_t n)>& below);

}  // namespace gwrm::hard_input
