// SPDX-License-Identifier: Apache-2.0
// Only named: parameters and results of functions that hosts need not call.
#pragma once

namespace nlohmann {
class json;
}
