// The subset of CBOR (RFC 8949) that tasks use: integers, floats, text, bytes, lists, true, false and null.
//
// The reader decodes each value directly into its destination and states which kind of value must follow. It therefore
// never builds a tree of values from data that another process sent, and values nest no deeper than the types they are
// read into. For example, a list in the place of a number is refused at its first byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

// Limits the number of values in one message. The largest message of a task holds the steps of an SM's warps: 3.2
// million values. A value takes one byte in a message and up to a hundred bytes in memory, so this also limits memory.
inline constexpr std::size_t most_values = std::size_t{1} << 22;

// Writes CBOR values. Throws kernels::Error for more than most_values values.
class CborWriter {
public:
    void whole(uint64_t value);
    void whole(int64_t value);
    void number(float value);
    void number(double value);
    void text(std::string_view value);
    void bytes(std::span<const std::byte> value);
    void list(std::size_t count); // starts a list of `count` values
    void flag(bool value);
    void null();

    std::vector<std::byte> take() { return std::exchange(written_, {}); }

private:
    void head(unsigned kind, unsigned info, uint64_t value);
    void add(std::span<const std::byte> bytes) { written_.insert(written_.end(), bytes.begin(), bytes.end()); }

    std::vector<std::byte> written_;
    std::size_t values_ = 0;
};

// Reads CBOR values. Each function takes the next value. It throws kernels::Error with half a sentence if the next
// value has another kind.
class CborReader {
public:
    explicit CborReader(std::span<const std::byte> bytes) : rest_(bytes) {}

    template <class T>
    T whole()
    {
        const auto [value, negative] = integer();
        const bool fits = negative ? std::in_range<T>(-1 - static_cast<int64_t>(value)) : std::in_range<T>(value);
        if (!fits)
            refuse("a number is too large");
        return negative ? static_cast<T>(-1 - static_cast<int64_t>(value)) : static_cast<T>(value);
    }
    float single_number();
    double number();
    std::string text();
    std::span<const std::byte> bytes(); // view of the input; valid as long as the input
    std::size_t list(); // number of values that follow; each takes at least one byte of the remaining input
    void list_of(std::size_t count); // requires a list of exactly `count` values
    bool flag();
    bool null(); // returns false and consumes nothing if another value follows
    void end();  // requires the end of the input

private:
    struct Head {
        unsigned kind = 0, info = 0;
        uint64_t value = 0;
    };
    struct Integer {
        uint64_t value = 0; // -1 - number for a negative number; at most the largest int64_t
        bool negative = false;
    };
    [[noreturn]] static void refuse(const char* why);
    Head head();
    Integer integer();
    std::span<const std::byte> next(uint64_t count);

    std::span<const std::byte> rest_;
    std::size_t values_ = 0;
};

} // namespace app
