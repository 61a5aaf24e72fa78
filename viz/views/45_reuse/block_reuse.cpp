#include "viz/views/45_reuse/block_reuse.h"

#include <cmath>

namespace viz {

namespace {

constexpr std::size_t at_once = 6'000; // accesses that are followed within the frame

// A whole number where it is one.
Quantity times(double count)
{
    return with_decimals(count, std::abs(count - std::round(count)) < 0.005 ? 0 : 2);
}

} // namespace

void BlockReuse::update(const ShownStage& stage, const Focus& focus)
{
    if (recording != stage.recording || block != focus.block) {
        recording = stage.recording;
        block = focus.block;
        known = false;
        reuse.reset();
        work.start([kept = recording, which = block] { return reuse_of(*kept, *which); },
                   access_count(*block) <= at_once);
    }
    if (auto done = work.take()) {
        reuse = std::move(*done);
        known = true;
    }
}

Messages reuse_messages(const BlockReuse& block)
{
    const Reuse& reuse = *block.reuse;
    Messages messages;
    for (const OperandReuse& operand : reuse.operands) {
        const std::string& array = block.recording->arrays[operand.array].name;
        if (operand.shared_reads > 0)
            messages.push_back({"reuse.global_and_shared",
                                {{"array", array},
                                 {"times", times(operand.from_global())},
                                 {"shared", times(operand.from_shared())}}});
        else
            messages.push_back({"reuse.global", {{"array", array}, {"times", times(operand.from_global())}}});
    }
    if (reuse.derived)
        messages.push_back({"reuse.derived"});
    const recording::Problem& p = block.recording->problem;
    const CellRect& tile = reuse.block_tile;
    if (block.recording->launch.grid.volume() > 1 && tile.rows > 0 && tile.cols > 0 && p.K > 1)
        messages.push_back(
            {"reuse.across_blocks",
             {{"across", (p.N + tile.cols - 1) / tile.cols}, {"down", (p.M + tile.rows - 1) / tile.rows}}});
    if (reuse.surplus_reads > 0)
        messages.push_back({"reuse.surplus", {{"reads", reuse.surplus_reads}}});
    if (reuse.unknown_reads > 0)
        messages.push_back({"reuse.unknown", {{"reads", Value(reuse.unknown_reads).as(Meaning::conflict)}}});
    return messages;
}

} // namespace viz
