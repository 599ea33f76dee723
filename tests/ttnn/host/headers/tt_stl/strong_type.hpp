// SPDX-License-Identifier: Apache-2.0
// A value of type T that is not one of another Tag.
#pragma once
#include <compare>
#include <concepts>
#include <functional>
#include <ostream>
#include <type_traits>
#include <utility>

namespace ttsl {
template <typename T, typename Tag>
class StrongType {
public:
    using value_type = T;
    using tag_type = Tag;
    constexpr StrongType() = default;
    constexpr explicit StrongType(T value) : value_(std::move(value)) {}
    constexpr const T &operator*() const { return value_; }
    constexpr const T &get() const { return value_; }
    constexpr bool operator==(const StrongType &) const = default;
    constexpr auto operator<=>(const StrongType &) const = default;

private:
    T value_{};
};
template <typename T>
inline constexpr bool is_strong_type_v = false;
template <typename T, typename Tag>
inline constexpr bool is_strong_type_v<StrongType<T, Tag>> = true;

template <typename T, typename Tag>
std::ostream &operator<<(std::ostream &out, const StrongType<T, Tag> &it) {
    return out << *it;
}
} // namespace ttsl

template <typename T, typename Tag>
struct std::hash<ttsl::StrongType<T, Tag>> {
    std::size_t operator()(const ttsl::StrongType<T, Tag> &it) const { return std::hash<T>{}(*it); }
};
