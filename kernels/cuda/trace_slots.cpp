#include "cuda/trace_slots.h"

#include "device/probe_state.h"

namespace cuda {

namespace {

using recording::Access;
using recording::Op;
using recording::Transposed;

constexpr uint32_t never_came = ~0u;

// Uses two loops without a branch per lane, because a recording has millions of lanes.
void decode(const uint32_t* slot, Access& access)
{
    const uint32_t what = slot[0];
    access.op = static_cast<Op>(what & 0xff);
    if (access.op != Op::barrier) {
        access.array = static_cast<uint8_t>(what >> 8);
        access.width = static_cast<uint8_t>(what >> 16);
    }
    if (access.op == Op::matrix_load)
        access.transposed = (what >> slot_transposed_bit & 1) != 0 ? Transposed::yes : Transposed::no;
    access.line = slot[1];
    const uint32_t* offsets = slot + slot_header_words;
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        mask |= uint32_t{offsets[lane] != not_active} << lane;
    access.mask = mask;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        access.offset[lane] = offsets[lane] == not_active ? 0 : offsets[lane];
}

} // namespace

bool append_steps(std::span<const uint32_t> slots, std::vector<Access>& accesses)
{
    for (; !slots.empty(); slots = slots.subspan(slot_words)) {
        if (slots[0] == never_came)
            return false;
        decode(slots.data(), accesses.emplace_back());
    }
    return true;
}

} // namespace cuda
