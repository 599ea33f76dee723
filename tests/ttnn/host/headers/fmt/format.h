// SPDX-License-Identifier: Apache-2.0
// The names of fmt that tt-metal's headers have in line, for hosts that print nothing with it: with
// these alone fmt::format does not link. A folder with the real ones goes before this one.
#pragma once
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>

namespace fmt {
struct format_parse_context {
    using iterator = const char *;
    constexpr iterator begin() const { return text.data(); }
    constexpr iterator end() const { return text.data() + text.size(); }
    std::string_view text;
};
struct format_context {
    using iterator = char *;
    iterator out() const;
};
template <typename T, typename Char = char>
struct formatter {
    constexpr const char *parse(format_parse_context &context) { return context.begin(); }
    template <typename Context>
    typename Context::iterator format(const T &, Context &) const;
};
using string_view = std::string_view;
template <typename... Values>
format_context::iterator format_to(format_context::iterator, std::string_view, Values &&...);
template <typename... Values>
std::string format(std::string_view, Values &&...);
} // namespace fmt
