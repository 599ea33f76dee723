// SPDX-License-Identifier: Apache-2.0
// A vector with room for its first elements in itself, laid out as LLVM's: a pointer, the number of
// elements, the number there is room for, and that room. It crosses the border to libtt_metal.so by
// reference, so only the layout and the use of malloc have to be the library's.
#pragma once
#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace ttsl {
inline constexpr std::size_t SMALL_VECTOR_SIZE = 8;

template <typename T, std::size_t ROOM = SMALL_VECTOR_SIZE>
class SmallVector {
    // Small elements can be more than 32 bits count.
    using Count = std::conditional_t<sizeof(T) < 4, std::uint64_t, std::uint32_t>;

public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = T &;
    using const_reference = const T &;
    using iterator = T *;
    using const_iterator = const T *;

    SmallVector() : begin_(own()), count_(0), room_(ROOM) {}
    explicit SmallVector(std::size_t count, const T &value = T()) : SmallVector() {
        resize(count, value);
    }
    template <std::input_iterator Iterator>
    SmallVector(Iterator first, Iterator last) : SmallVector() {
        std::copy(first, last, std::back_inserter(*this));
    }
    SmallVector(std::initializer_list<T> values) : SmallVector(values.begin(), values.end()) {}
    SmallVector(const SmallVector &other) : SmallVector(other.begin(), other.end()) {}
    SmallVector(SmallVector &&other) noexcept : SmallVector() { take(other); }
    SmallVector &operator=(const SmallVector &other) {
        if (this != &other) {
            clear();
            std::copy(other.begin(), other.end(), std::back_inserter(*this));
        }
        return *this;
    }
    SmallVector &operator=(SmallVector &&other) noexcept {
        if (this != &other) {
            clear();
            take(other);
        }
        return *this;
    }
    ~SmallVector() {
        clear();
        if (begin_ != own()) {
            std::free(begin_);
        }
    }

    iterator begin() { return begin_; }
    iterator end() { return begin_ + count_; }
    const_iterator begin() const { return begin_; }
    const_iterator end() const { return begin_ + count_; }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    std::size_t size() const { return count_; }
    std::size_t capacity() const { return room_; }
    bool empty() const { return count_ == 0; }
    T *data() { return begin_; }
    const T *data() const { return begin_; }
    T &operator[](std::size_t index) { return begin_[index]; }
    const T &operator[](std::size_t index) const { return begin_[index]; }
    T &front() { return begin_[0]; }
    T &back() { return begin_[count_ - 1]; }
    const T &front() const { return begin_[0]; }
    const T &back() const { return begin_[count_ - 1]; }

    void reserve(std::size_t count) {
        if (count <= room_) {
            return;
        }
        const std::size_t room = std::max<std::size_t>(count, 2 * room_);
        T *moved = static_cast<T *>(std::malloc(room * sizeof(T)));
        if (moved == nullptr) {
            throw std::bad_alloc();
        }
        std::uninitialized_move(begin(), end(), moved);
        std::destroy(begin(), end());
        if (begin_ != own()) {
            std::free(begin_);
        }
        begin_ = moved;
        room_ = static_cast<Count>(room);
    }
    template <typename... Arguments>
    T &emplace_back(Arguments &&...arguments) {
        T made(std::forward<Arguments>(arguments)...); // of what may be an element that moves
        reserve(count_ + std::size_t{1});
        return *new (begin_ + count_++) T(std::move(made));
    }
    void push_back(const T &value) { emplace_back(value); }
    void push_back(T &&value) { emplace_back(std::move(value)); }
    void pop_back() { std::destroy_at(begin_ + --count_); }
    void clear() {
        std::destroy(begin(), end());
        count_ = 0;
    }
    void resize(std::size_t count, const T &value = T()) {
        while (count_ > count) {
            pop_back();
        }
        while (count_ < count) {
            push_back(value);
        }
    }
    template <std::forward_iterator Iterator>
    iterator insert(const_iterator place, Iterator first, Iterator last) {
        const auto before = place - begin();
        const auto added = std::distance(first, last);
        reserve(count_ + static_cast<std::size_t>(added));
        std::copy(first, last, std::back_inserter(*this));
        std::rotate(begin() + before, end() - added, end());
        return begin() + before;
    }
    bool operator==(const SmallVector &other) const {
        return std::equal(begin(), end(), other.begin(), other.end());
    }
    auto operator<=>(const SmallVector &other) const {
        return std::lexicographical_compare_three_way(begin(), end(), other.begin(), other.end());
    }

private:
    T *own() { return reinterpret_cast<T *>(space_); }
    void take(SmallVector &other) {
        if (other.begin_ == other.own()) {
            for (T &value : other) {
                push_back(std::move(value));
            }
            other.clear();
        } else {
            if (begin_ != own()) {
                std::free(begin_);
            }
            begin_ = std::exchange(other.begin_, other.own());
            count_ = std::exchange(other.count_, 0);
            room_ = std::exchange(other.room_, ROOM);
        }
    }

    T *begin_;
    Count count_;
    Count room_;
    alignas(T) std::byte space_[ROOM * sizeof(T)];
};
} // namespace ttsl

template <typename T, std::size_t ROOM>
struct std::hash<ttsl::SmallVector<T, ROOM>> {
    std::size_t operator()(const ttsl::SmallVector<T, ROOM> &values) const {
        std::size_t mixed = values.size();
        for (const T &value : values) {
            mixed = mixed * 31 + std::hash<T>{}(value);
        }
        return mixed;
    }
};
