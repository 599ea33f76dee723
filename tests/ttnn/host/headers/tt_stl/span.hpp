// SPDX-License-Identifier: Apache-2.0
// In libtt_metal.so of ttnn 0.81.1 the type of these parameters is std::span.
#pragma once
#include <array>
#include <span>
#include <vector>

namespace ttsl {
template <typename T, std::size_t Extent = std::dynamic_extent>
using Span = std::span<T, Extent>;

template <typename Container>
auto make_const_span(const Container &values) {
    return Span<const typename Container::value_type>(values.data(), values.size());
}
template <typename Container>
auto make_span(Container &values) {
    return Span<typename Container::value_type>(values.data(), values.size());
}
} // namespace ttsl
