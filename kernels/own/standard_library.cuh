// Replaces the parts of the standard library and of the program that stage descriptions use. NVRTC, which compiles
// them, has neither. One thread of the PTX machine runs the descriptions. Strings and vectors allocate from an arena
// that never frees memory, and each run gets a new arena. Functions that grow a container are not inlined, because
// inlining doubles NVRTC's time.
#pragma once

#include "device/gemm.h"
#include "device/tma_gemm.h"

namespace own {

inline char* arena = nullptr;

template <class T>
T* take(decltype(sizeof(0)) count)
{
    char* const at = arena;
    arena += (count * sizeof(T) + 15) / 16 * 16;
    return reinterpret_cast<T*>(at);
}

} // namespace own

namespace std {

using ::int64_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using size_t = decltype(sizeof(0));

template <class T>
constexpr const T& max(const T& a, const T& b)
{
    return a < b ? b : a;
}
template <class T>
constexpr const T& min(const T& a, const T& b)
{
    return b < a ? b : a;
}

using ::ceil;
using ::floor;
using ::hypot;
using ::sqrt;
inline long long lround(double value)
{
    return static_cast<long long>(::round(value));
}

template <class T>
struct numeric_limits {
    static T infinity() { return static_cast<T>(__longlong_as_double(0x7ff0000000000000LL)); }
};

template <class A, class B>
inline constexpr bool is_same_v = false;
template <class A>
inline constexpr bool is_same_v<A, A> = true;

class string_view {
public:
    constexpr string_view() = default;
    constexpr string_view(const char* text) : text_(text)
    {
        while (text[size_] != 0)
            ++size_;
    }
    constexpr string_view(const char* text, size_t size) : text_(text), size_(size) {}
    constexpr const char* data() const { return text_; }
    constexpr size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr char operator[](size_t i) const { return text_[i]; }

private:
    const char* text_ = "";
    size_t size_ = 0;
};

class string : public string_view {
public:
    string() = default;
    string(const char* text) : string_view(text) {}
    explicit string(string_view text) : string_view(text) {}
    string& operator+=(string_view more);
};

__noinline__ inline string joined(string_view a, string_view b)
{
    char* const text = own::take<char>(a.size() + b.size());
    for (size_t i = 0; i < a.size(); ++i)
        text[i] = a[i];
    for (size_t i = 0; i < b.size(); ++i)
        text[a.size() + i] = b[i];
    return string(string_view(text, a.size() + b.size()));
}
inline string operator+(const string& a, const string& b)
{
    return joined(a, b);
}
inline string operator+(const string& a, const char* b)
{
    return joined(a, b);
}
inline string operator+(const char* a, const string& b)
{
    return joined(a, b);
}
inline string& string::operator+=(string_view more)
{
    return *this = joined(*this, more);
}

__noinline__ inline string to_string(long long value)
{
    constexpr size_t most = 20; // in characters
    char* const text = own::take<char>(most);
    size_t at = most;
    const bool negative = value < 0;
    unsigned long long left = negative ? 0ULL - value : value;
    do {
        text[--at] = static_cast<char>('0' + left % 10);
        left /= 10;
    } while (left != 0);
    if (negative)
        text[--at] = '-';
    return string(string_view(text + at, most - at));
}

template <class T>
class vector {
public:
    vector() = default;
    vector(initializer_list<T> items)
    {
        for (const T& item : items)
            push_back(item);
    }
    T* begin() { return first_; }
    T* end() { return first_ + size_; }
    const T* begin() const { return first_; }
    const T* end() const { return first_ + size_; }
    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T& operator[](size_t i) { return first_[i]; }
    const T& operator[](size_t i) const { return first_[i]; }
    T& front() { return *first_; }
    T& back() { return first_[size_ - 1]; }
    void reserve(size_t room)
    {
        if (room > room_)
            grow(room);
    }
    void push_back(const T& item)
    {
        if (size_ == room_)
            grow(room_ == 0 ? 4 : 2 * room_);
        first_[size_++] = item;
    }
    void insert(T* before, initializer_list<T> items)
    {
        vector result;
        for (T* item = begin(); item != before; ++item)
            result.push_back(*item);
        for (const T& item : items)
            result.push_back(item);
        for (T* item = before; item != end(); ++item)
            result.push_back(*item);
        *this = result;
    }

private:
    void grow(size_t room)
    {
        first_ = copied(first_, size_, room);
        room_ = room;
    }
    // Does not take the vector itself. Everything that a called function can reach stays in memory, and so would the
    // pointers to functions of the description that contains the vector.
    __noinline__ static T* copied(const T* from, size_t size, size_t room)
    {
        T* const to = own::take<T>(room);
        for (size_t i = 0; i < size; ++i)
            to[i] = from[i];
        return to;
    }

    T* first_ = nullptr;
    size_t size_ = 0, room_ = 0;
};

template <class T>
class span {
public:
    constexpr span() = default;
    template <size_t count>
    constexpr span(T (&items)[count]) : first_(items), size_(count)
    {
    }
    constexpr T* begin() const { return first_; }
    constexpr T* end() const { return first_ + size_; }
    constexpr size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr T& front() const { return *first_; }

private:
    T* first_ = nullptr;
    size_t size_ = 0;
};

template <class T, size_t count>
struct array {
    T items[count];
    constexpr T& operator[](size_t i) { return items[i]; }
    constexpr const T& operator[](size_t i) const { return items[i]; }
    constexpr size_t size() const { return count; }
    constexpr const T* begin() const { return items; }
    constexpr const T* end() const { return items + count; }
};

template <class T>
class optional {
public:
    optional() = default;
    optional(const T& value) : value_(value), has_value_(true) {}
    explicit operator bool() const { return has_value_; }
    const T& operator*() const { return value_; }
    const T* operator->() const { return &value_; }

private:
    T value_{};
    bool has_value_ = false;
};

} // namespace std

// These mirror recording/recording.h, stage.h and cpu_kernel.h.
namespace recording {

enum class Space : unsigned char { global, shared };

struct Array {
    std::string name;
    Space space = Space::global;
    uint32_t rows = 0, cols = 0, element_bytes = 4;
    uint64_t bytes = 0;
    std::vector<uint32_t> layout;
    uint32_t pitch = 0;
};

struct Problem {
    uint32_t M = 1, N = 1, K = 1;
    float alpha = 1.0f, beta = 0.0f;
};

} // namespace recording

namespace cpu {
struct Kernel {};
} // namespace cpu

namespace kernels {

using recording::Problem;

struct LayoutSource {
    std::string_view array, name, file;
};

struct TensorBox {
    int rows = 0, cols = 0;
};

} // namespace kernels
