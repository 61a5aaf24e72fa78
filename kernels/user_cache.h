// What is kept because it takes long to make: the user's folder for it, and names of what lies there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace kernels {

// $XDG_CACHE_HOME/gemmscope or ~/.cache/gemmscope; empty where there is neither.
std::filesystem::path user_cache();

// The folder, made where it is missing. Throws Error where somebody else could put files into it: it belongs to another user, it
// is a link, or others than its owner may write there. What is loaded as code comes from such a folder alone.
std::filesystem::path private_folder(const std::filesystem::path& folder);

// FNV-1a: not against an attacker, who could write the user's files anyway, but against accidents.
class Hash {
public:
    explicit Hash(uint64_t basis = 0xcbf29ce484222325u) : value(basis) {}
    Hash& add(std::string_view text)
    {
        for (const char c : text)
            value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
        value = (value ^ 0xff) * 0x100000001b3u; // so that "ab" "c" and "a" "bc" differ
        return *this;
    }
    uint64_t value;
};

// A name made of all that decides what lies there.
class CacheKey {
public:
    void add(std::string_view text)
    {
        low_.add(text);
        high_.add(text);
    }
    std::string text() const;

private:
    Hash low_, high_{0x9e3779b97f4a7c15u};
};

} // namespace kernels
