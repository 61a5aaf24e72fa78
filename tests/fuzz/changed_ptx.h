// PTX changed at random as someone hostile would change it: word by word, so that most of it still is PTX; and tensor
// maps whose fields are anything.
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
    std::string name, kernel; // of the file, and of its first entry
    std::vector<PtxWord> words;
    uint32_t threads = 64, cluster = 1, dynamic_shared = 0; // of a block; blocks; bytes
};

// Every *.ptx of a folder. Its first line may say how it is launched: "// threads 128, clusters of 2, dynamic shared
// memory 256".
std::vector<PtxSeed> ptx_seeds(const std::filesystem::path& folder);

std::string text_of(const std::vector<PtxWord>& words);

// Changes one thing or a few: a type, a suffix, an operand, the length of a list, a number, a whole statement.
std::vector<PtxWord> changed(const std::vector<PtxSeed>& seeds, const PtxSeed& seed, Random& random);

// A tensor map of the first region of global memory; in half of them some of the bytes are others.
std::array<std::byte, 128> changed_map(Random& random);

} // namespace fuzz
