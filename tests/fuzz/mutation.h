// Random changes to recordings as an attacker might make them: checksums, headers and frames remain correct.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace fuzz {

using Random = std::mt19937_64;

struct Seed {
    std::string name;
    recording::Recording recording;
    std::string content; // uncompressed content of its file
};

// Returns small recordings. Some are of stages with different kinds of content, made on the CPU. The others are those
// in `folder`, made by a GPU or the PTX machine.
std::vector<Seed> seeds(const std::string& folder);

struct Mutated {
    std::string file;       // bytes of the file
    uint64_t announced = 0; // bytes of content according to the header; 0 if the header is invalid
};

// Changes a few bytes of the file, a few bytes or numbers of its content, or a few fields of the recording.
Mutated mutate(const Seed& seed, Random& random);

} // namespace fuzz
