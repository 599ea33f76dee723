// SPDX-License-Identifier: Apache-2.0
// Only named, as a friend.
#pragma once

namespace ttsl {
template <typename T>
class Indestructible;
}
