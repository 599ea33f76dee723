// SPDX-License-Identifier: Apache-2.0
// The kinds of cores, and the systems of coordinates, with the driver's numbers.
#pragma once
#include <cstdint>

#include "umd/device/types/xy_pair.hpp"

namespace tt {
enum class CoreType {
    ARC, DRAM, ACTIVE_ETH, IDLE_ETH, PCIE, TENSIX, ROUTER_ONLY, SECURITY,
    L2CPU, DISPATCH, HARVESTED, ETH, WORKER, COUNT, UNSPECIFIED,
};
enum class CoordSystem : std::uint8_t { LOGICAL, NOC0, TRANSLATED, NOC1, LITERAL };

namespace umd {
struct CoreCoord : xy_pair {
    CoreType core_type = CoreType::UNSPECIFIED;
    CoordSystem coord_system = CoordSystem::LITERAL;
};
} // namespace umd
} // namespace tt
