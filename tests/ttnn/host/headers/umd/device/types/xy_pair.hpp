// SPDX-License-Identifier: Apache-2.0
// The place of a tile on a chip, and on which chip.
#pragma once
#include <compare>
#include <cstddef>
#include <functional>
#include <string>

namespace tt {
struct xy_pair {
    constexpr xy_pair() = default;
    constexpr xy_pair(std::size_t column, std::size_t row) : x(column), y(row) {}
    auto operator<=>(const xy_pair &) const = default;
    std::string str() const; // in libtt-umd.so
    std::size_t x = 0;
    std::size_t y = 0;
};

struct cxy_pair : xy_pair {
    cxy_pair() = default;
    cxy_pair(std::size_t number, xy_pair place) : xy_pair(place), chip(number) {}
    cxy_pair(std::size_t number, std::size_t column, std::size_t row)
        : xy_pair(column, row), chip(number) {}
    bool operator==(const cxy_pair &) const = default;
    std::string str() const;
    std::size_t chip = 0;
};
} // namespace tt

using tt_xy_pair = tt::xy_pair;
using tt_cxy_pair = tt::cxy_pair;

template <>
struct std::hash<tt::xy_pair> {
    std::size_t operator()(const tt::xy_pair &place) const { return place.x * 1009 + place.y; }
};
template <>
struct std::hash<tt::cxy_pair> {
    std::size_t operator()(const tt::cxy_pair &it) const {
        return it.chip * 1000003 + std::hash<tt::xy_pair>{}(it);
    }
};
