// SPDX-License-Identifier: Apache-2.0
// A pointer that a reference or an optional converts to.
#pragma once
#include <memory>
#include <optional>
#include <type_traits>

namespace ttsl {
template <typename T>
class optional_reference {
    using Value = std::remove_const_t<T>;
    using Optional = std::conditional_t<std::is_const_v<T>, const std::optional<Value>, std::optional<Value>>;

public:
    optional_reference() = default;
    optional_reference(std::nullopt_t) {}
    optional_reference(T &value) : pointer_(std::addressof(value)) {}
    optional_reference(Optional &value) : pointer_(value ? std::addressof(*value) : nullptr) {}
    bool has_value() const { return pointer_ != nullptr; }
    explicit operator bool() const { return has_value(); }
    T *operator->() const { return pointer_; }
    T &operator*() const { return *pointer_; }
    T &value() const { return *pointer_; }

private:
    T *pointer_ = nullptr;
};
} // namespace ttsl
