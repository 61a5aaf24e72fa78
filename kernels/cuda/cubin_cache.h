// Caches compiled kernels on disk, under $XDG_CACHE_HOME/gemmscope or ~/.cache/gemmscope.
#pragma once

#include "cuda/nvrtc.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cuda {

class CubinCache {
public:
    CubinCache(); // uses the user's cache folder
    explicit CubinCache(std::filesystem::path folder);

    // Returns a key made of everything that the result depends on: all source text, the kernel's name, the options, the
    // compiler.
    static std::string key(const Program& program, const std::string& expression,
                           const std::vector<std::string>& options, const std::string& compiler);

    // Returns nothing if there is no entry, or if the entry is damaged or larger than a compiled kernel can be.
    std::optional<Compiled> find(const std::string& key) const;

    // Writes the entry atomically. Failing to write is not an error: the kernel is compiled again next time.
    void store(const std::string& key, const Compiled& compiled) const;

private:
    std::filesystem::path file_of(const std::string& key) const;

    std::filesystem::path folder_;
};

} // namespace cuda
