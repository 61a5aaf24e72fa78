// Compiled kernels on disk, under $XDG_CACHE_HOME/gemmscope or ~/.cache/gemmscope.
#pragma once

#include "cuda/nvrtc.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cuda {

class CubinCache {
public:
    CubinCache(); // where the user's cache is
    explicit CubinCache(std::filesystem::path folder);

    // Everything that the result depends on: all source text, the kernel's name, the options, the compiler.
    static std::string key(const Program& program, const std::string& expression,
                           const std::vector<std::string>& options, const std::string& compiler);

    // Absent when there is no entry, or when it is damaged or larger than a compiled kernel can be.
    std::optional<Compiled> find(const std::string& key) const;

    // Written whole or not at all. A cache that cannot be written is no error: the kernel is compiled again next time.
    void store(const std::string& key, const Compiled& compiled) const;

private:
    std::filesystem::path file_of(const std::string& key) const;

    std::filesystem::path folder_;
};

} // namespace cuda
