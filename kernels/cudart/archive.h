// Structs as bytes: each number takes 8 of them, a text or a list its length first. A struct names its members once, in
// `static void parts(auto& archive, auto& self)`. Without other libraries: half of it runs in other programs.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace cudart {

class Writer {
public:
    void operator()(const auto&... values) { (put(values), ...); }
    const std::string& bytes() const { return bytes_; }

private:
    void put(std::integral auto value)
    {
        const auto wide = static_cast<uint64_t>(value);
        bytes_.append(reinterpret_cast<const char*>(&wide), sizeof wide);
    }
    void put(const std::string& text)
    {
        put(text.size());
        bytes_ += text;
    }
    template <class T>
    void put(const std::vector<T>& list)
    {
        put(list.size());
        for (const T& one : list)
            put(one);
    }
    template <class T>
    requires std::is_class_v<T>
    void put(const T& value) { T::parts(*this, value); }

    std::string bytes_;
};

// Throws std::runtime_error where the bytes end too early.
class Reader {
public:
    explicit Reader(const std::string& bytes) : bytes_(bytes) {}
    void operator()(auto&... values) { (get(values), ...); }

private:
    const char* take(uint64_t count)
    {
        if (count > bytes_.size() - at_)
            throw std::runtime_error("A message ends too early.");
        at_ += count;
        return bytes_.data() + at_ - count;
    }
    template <std::integral T>
    void get(T& value)
    {
        uint64_t wide = 0;
        std::memcpy(&wide, take(sizeof wide), sizeof wide);
        value = static_cast<T>(wide);
    }
    void get(std::string& text)
    {
        uint64_t size = 0;
        get(size);
        const char* const from = take(size);
        text.assign(from, size);
    }
    template <class T>
    void get(std::vector<T>& list)
    {
        uint64_t size = 0;
        get(size);
        list.clear();
        for (uint64_t i = 0; i < size; ++i)
            get(list.emplace_back());
    }
    template <class T>
    requires std::is_class_v<T>
    void get(T& value) { T::parts(*this, value); }

    const std::string& bytes_;
    std::size_t at_ = 0;
};

template <class T>
std::string packed(const T& value)
{
    Writer writer;
    T::parts(writer, value);
    return writer.bytes();
}

template <class T>
T unpacked(const std::string& bytes)
{
    T value;
    Reader reader(bytes);
    T::parts(reader, value);
    return value;
}

} // namespace cudart
