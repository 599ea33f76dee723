// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace tt {
enum class ARCH { WORMHOLE_B0 = 2, BLACKHOLE = 3, QUASAR = 4, Invalid = 0xFF };
}
