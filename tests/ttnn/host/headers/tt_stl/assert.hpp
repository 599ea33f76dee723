// SPDX-License-Identifier: Apache-2.0
// The checks that tt-metal's headers have in line: a false one is an exception with its text.
#pragma once
#include <stdexcept>
#include <string>

#define TT_THROW(...) throw std::runtime_error(std::string(__FILE__ ": " #__VA_ARGS__))
#define TT_FATAL(condition, ...) \
    do { \
        if (!(condition)) { \
            TT_THROW(condition, __VA_ARGS__); \
        } \
    } while (0)
#define TT_ASSERT(...)
