// The memory of a kernel besides its registers: buffers in global memory, parameters, the block's shared memory, and
// each thread's local memory.
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

// A buffer of the launch, or a variable of the module. The address of the i-th one is global_address(i).
struct Region {
    std::string name;
    std::vector<std::byte> bytes;
    bool writable = true;
};

// A thread's coordinates, for sentences.
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

// An access to shared or global memory by one instruction of a warp.
struct WarpAccess {
    uint32_t mask = 0;
    uint32_t bytes = 0; // of each lane
    const LaneAddresses& address;
    uint32_t statement = 0; // in Program::statements
    const WarpName& warp;
};

// An invalid action of a kernel, with the line and the thread. CUDA has a specific error for some kinds.
class Fault : public kernels::Error {
public:
    enum class Kind { other, address, trap };
    // An access beyond the end of a region of global memory: the region's number, and the size that it would need.
    struct Missed {
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

// Returns the number of the region that an address of global memory belongs to. There may be no such region.
inline uint64_t region_number(uint64_t address)
{
    return address / window_bytes - first_window / window_bytes;
}

// Returns the bytes at an address of global memory, or null if the region does not contain that many there.
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

// Returns the region that the access belongs to, and the size it would need, or nothing if there is no such region.
std::optional<Fault::Missed> missed_at(const std::vector<Region>& regions, uint64_t address, uint64_t bytes);

// Returns what is wrong with the address, as the end of a sentence: "at byte 65540 of A, which has 65536".
std::string why_not_there(const std::vector<Region>& regions, uint64_t address);

} // namespace ptx
