// What a kernel can reach beside its registers: buffers in global memory, its parameters, its block's shared memory,
// each thread's own.
#pragma once

#include "error.h"
#include "ptx/program.h"
#include "recording/recording.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ptx {

// A buffer of the launch, or a variable of the module. The first one's address is global_address(0), and so on.
struct Region {
    std::string name;
    std::vector<std::byte> bytes;
    bool writable = true;
};

// A thread, as it is named in sentences.
struct ThreadName {
    uint32_t x = 0, y = 0, z = 0;
    uint32_t block_x = 0, block_y = 0, block_z = 0;
    std::string text() const; // "thread (3,0,0) of block (1,0,0)"
};

// The warp that runs an instruction, for sentences about its threads.
struct WarpName {
    const recording::Launch& launch;
    const recording::Index3& block;
    uint32_t number = 0;
    ThreadName thread(int lane) const;
};

using LaneAddresses = std::array<uint64_t, recording::warp_size>;

// What one instruction of a warp accesses in shared or in global memory.
struct WarpAccess {
    uint32_t mask = 0;
    uint32_t bytes = 0; // of each lane
    const LaneAddresses& address;
    uint32_t statement = 0; // in Program::statements
    const WarpName& warp;
};

// What a kernel may not do, with the line and the thread that did it. CUDA has an error of its own for some kinds.
class Fault : public kernels::Error {
public:
    enum class Kind { other, address, trap };
    struct Missed { // bytes behind the end of a region of global memory: it would need so many
        uint64_t region = 0, bytes = 0;
    };
    Fault(const std::string& words, Kind of, std::optional<Missed> of_region = {})
        : kernels::Error(words), kind(of), missed(of_region)
    {
    }
    Kind kind;
    std::optional<Missed> missed;
};
[[noreturn]] void fault(const Statement& statement, const std::string& what, Fault::Kind kind = Fault::Kind::other,
                        std::optional<Fault::Missed> missed = {});
std::string place_of(const Statement& statement); // "Line 12 (ld.global.f32 %f1, [%rd5])"

// Of the region that an address of global memory is meant for; there may be none with that number.
inline uint64_t region_number(uint64_t address)
{
    return address / window_bytes - first_window / window_bytes;
}

// The bytes that lie at an address of global memory; null where it has not that many there.
inline std::byte* find_global(std::vector<Region>& regions, uint64_t address, uint64_t bytes)
{
    const uint64_t number = region_number(address);
    if (number >= regions.size())
        return nullptr;
    const uint64_t offset = address - global_address(number), size = regions[number].bytes.size();
    if (offset > size || bytes > size - offset)
        return nullptr;
    return regions[number].bytes.data() + offset;
}

// Where an access behind the end of a region would end in it; none: the address is meant for no region.
std::optional<Fault::Missed> missed_at(const std::vector<Region>& regions, uint64_t address, uint64_t bytes);

// What is wrong with that address, as the end of a sentence: "at byte 65540 of A, which has 65536".
std::string why_not_there(const std::vector<Region>& regions, uint64_t address);

} // namespace ptx
