#include "app/panels/source/words_of_steps.h"

#include "app/shell/format.h"

#include <fmt/format.h>

#include <bit>

namespace app {

using recording::Access;
using recording::Op;

namespace {

// The barrier that the lowest lane of the step means.
uint32_t barrier_of(const Access& access)
{
    return access.mask == 0 ? 0 : access.offset[static_cast<std::size_t>(std::countr_zero(access.mask))];
}

std::string groups(uint32_t count)
{
    return viz::counted(uint64_t{count}, "group");
}

} // namespace

std::string lane_text_without_address(const Access& access, uint32_t lane)
{
    if (access.op == Op::barrier)
        return "all warps of the block wait for each other here";
    if (!viz::takes_part(access, lane))
        return fmt::format("lane {} takes no part in this step", lane);
    switch (access.op) {
    case Op::shuffle: return fmt::format("lane {} gets the value of lane {}", lane, access.offset[lane]);
    case Op::async_commit: return fmt::format("lane {} makes a group of the copies that it has started", lane);
    case Op::async_wait: return fmt::format("lane {} waits for its oldest copies", lane);
    case Op::matrix_multiply: return fmt::format("lane {} gives its part of the fragments", lane);
    case Op::arrive: return fmt::format("lane {} arrives at barrier {}", lane, access.offset[lane]);
    default: return fmt::format("lane {} waits at barrier {}", lane, access.offset[lane]);
    }
}

Explanation explain_without_address(const Access& access)
{
    Explanation text;
    const auto say = [&](const std::string& what, const std::string& meaning) {
        text.heading = fmt::format("Line {} {}", access.line, what);
        text.what = meaning;
    };
    switch (access.op) {
    case Op::barrier:
        say("waits for the whole block",
            "A barrier: no warp goes on before every warp of the block has come here. What was stored to shared "
            "memory before it can be read by all after it.");
        break;
    case Op::shuffle:
        say("passes values between lanes",
            "Each lane gets the value that another lane of the warp holds in a register. No memory is touched; all "
            "lanes must come here together.");
        break;
    case Op::async_commit:
        say("closes a group of copies",
            "The asynchronous copies that each thread has started since its last group become a group, so that they "
            "can be waited for. Nobody waits here.");
        break;
    case Op::async_wait:
        say("waits for copies",
            access.width == 0
                ? std::string("Each thread waits until all its groups of copies have arrived in shared memory. For the "
                              "copies of other threads a barrier must follow.")
                : fmt::format(
                      "Each thread waits until at most {} of its copies, the newest, are still under way: the "
                      "older ones have arrived in shared memory. For the copies of other threads a barrier must "
                      "follow.",
                      groups(access.width)));
        break;
    case Op::matrix_multiply:
        say("multiplies on the tensor cores",
            "The warp multiplies two small matrices and adds the product to a third. Each lane holds a part of all "
            "three in its registers; no memory is touched.");
        break;
    case Op::arrive:
        say(fmt::format("arrives at barrier {}", barrier_of(access)),
            "An mbarrier in shared memory counts arrivals; who arrives does not wait.");
        break;
    default:
        say(fmt::format("waits at barrier {}", barrier_of(access)),
            "Until the mbarrier in shared memory has counted all arrivals of its phase, and, for TMA copies, all their "
            "bytes.");
    }
    return text;
}

std::string purpose_of(Op op)
{
    switch (op) {
    case Op::matrix_load:
        return "ldmatrix: each 8 lanes offer the rows of one 8 x 8 matrix, and every lane receives two elements of "
               "each "
               "matrix.";
    case Op::async_load: return "The read of an asynchronous copy: no register is used, and nobody waits for it here.";
    case Op::async_store:
        return "The write of an asynchronous copy: it happens at some time before the wait for its group ends. What it "
               "costs depends on what it reads, too: the view of shared memory shows it. The hardware counts it apart "
               "from stores.";
    case Op::matrix_multiply:
        return "The tensor cores read this tile themselves. Derived from a descriptor: no lane issues these addresses.";
    case Op::tile_load:
    case Op::tile_store:
        return "WMMA moves a tile for the whole warp and does not say which lane moves what. It is recorded as one "
               "step, "
               "lane i standing for row i, and its cost is not known.";
    case Op::bulk_load:
    case Op::bulk_store:
        return "A TMA copy of a whole box, started by one lane. Derived from its descriptor: no lane issues these "
               "addresses.";
    default: return {};
    }
}

} // namespace app
