// SPDX-License-Identifier: Apache-2.0
// Only a member of what hosts have by pointer.
#pragma once
#include <cstddef>

namespace ttsl {
template <std::size_t SIZE, std::size_t ALIGNMENT>
class unique_any;
}
