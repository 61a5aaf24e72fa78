// Random changes to PTX as an attacker might make them, word by word, and tensor maps with arbitrary fields.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace fuzz {

using Random = std::mt19937_64;

struct PtxWord {
    std::string text;
    uint32_t line = 0;
};

struct PtxSeed {
    std::string name, kernel; // name of the file, and of its first kernel
    std::vector<PtxWord> words;
    uint32_t threads = 64, cluster = 1, dynamic_shared = 0; // per block; blocks; bytes
};

// Returns all *.ptx files of a folder. The first line may be "// threads 128, clusters of 2, dynamic shared memory
// 256".
std::vector<PtxSeed> ptx_seeds(const std::filesystem::path& folder);

std::string text_of(const std::vector<PtxWord>& words);

// Changes one thing or a few: a type, a suffix, an operand, the length of a list, a number, a whole statement.
std::vector<PtxWord> changed(const std::vector<PtxSeed>& seeds, const PtxSeed& seed, Random& random);

// Returns a tensor map of the first region of global memory. In half of the maps some bytes are changed.
std::array<std::byte, 128> changed_map(Random& random);

} // namespace fuzz
