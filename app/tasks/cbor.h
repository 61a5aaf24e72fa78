// The part of CBOR (RFC 8949) that tasks are written in: whole numbers, floats, texts, bytes, lists, true, false and null.
//
// What is read goes straight to where it belongs, and who reads says which kind of value must follow. So no tree of values is
// built of what another process sent, and values are nested no deeper than the types that they are read into: a list that
// stands where a number should is refused at its first byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

// Values in one message. The most that a task makes are the steps of an SM's warps: 3.2 million values. A value takes one byte
// in a message and up to a hundred in memory, so this limits memory too.
inline constexpr std::size_t most_values = std::size_t{1} << 22;

// Throws kernels::Error for more than most_values.
class CborWriter {
public:
    void whole(uint64_t value);
    void whole(int64_t value);
    void number(float value);
    void number(double value);
    void text(std::string_view value);
    void bytes(std::span<const std::byte> value);
    void list(std::size_t count); // that many values follow
    void flag(bool value);
    void null();

    std::vector<std::byte> take() { return std::exchange(written_, {}); }

private:
    void head(unsigned kind, unsigned info, uint64_t value);
    void add(std::span<const std::byte> bytes) { written_.insert(written_.end(), bytes.begin(), bytes.end()); }

    std::vector<std::byte> written_;
    std::size_t values_ = 0;
};

// Each function takes the next value and throws kernels::Error, half a sentence, where that is another one.
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
    std::span<const std::byte> bytes(); // of what is read, for as long as that is there
    std::size_t list();                 // how many values follow; each takes at least a byte of what is left
    void list_of(std::size_t count);    // exactly that many
    bool flag();
    bool null(); // false: something else follows, which stays
    void end();  // nothing follows

private:
    struct Head {
        unsigned kind = 0, info = 0;
        uint64_t value = 0;
    };
    struct Integer {
        uint64_t value = 0; // of a negative one: -1 minus it, at most the largest int64_t
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
