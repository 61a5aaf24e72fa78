// Recordings changed at random as someone hostile would change them: behind the checksums, with right headers and
// frames.
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
    std::string content; // of its file, not compressed
};

// Small recordings of rungs that differ in what they hold, made on the CPU, and those that a GPU or PTX made from
// `folder`.
std::vector<Seed> seeds(const std::string& folder);

struct Mutated {
    std::string file;       // its bytes
    uint64_t announced = 0; // bytes of content, as its header says; 0: the header is not right
};

// One of: a few bytes of the file; a few bytes or numbers of its content; a few fields of the recording.
Mutated mutate(const Seed& seed, Random& random);

} // namespace fuzz
