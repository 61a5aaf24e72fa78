// Statements of mbarriers.
#include "ptx/decode.h"

namespace ptx {

namespace {

std::optional<MbarrierOp> operation_of(const Words& words)
{
    constexpr std::pair<std::string_view, MbarrierOp> names[] = {
        {"init", MbarrierOp::make},      {"inval", MbarrierOp::forget},     {"arrive_drop", MbarrierOp::drop},
        {"arrive", MbarrierOp::arrive},  {"expect_tx", MbarrierOp::expect}, {"complete_tx", MbarrierOp::complete},
        {"test_wait", MbarrierOp::test}, {"try_wait", MbarrierOp::wait},    {"pending_count", MbarrierOp::pending}};
    for (const auto& [name, operation] : names)
        if (words.has(name))
            return operation;
    return {};
}

void mbarrier(Decoder& decoder, const Words& words)
{
    const std::optional<MbarrierOp> operation = operation_of(words);
    if (!operation)
        decoder.unknown();
    Instruction instruction{.kind = Kind::mbarrier};
    instruction.mbarrier_op = *operation;
    if (*operation == MbarrierOp::pending) { // of a state, which a register holds
        instruction.r[1] = decoder.source(1, Width::wide);
        instruction.to.push_back(decoder.any_target(0));
        decoder.emit(std::move(instruction));
        return;
    }
    instruction.space = space_in(words);
    const bool arrives = *operation == MbarrierOp::arrive || *operation == MbarrierOp::drop;
    const bool waits = *operation == MbarrierOp::test || *operation == MbarrierOp::wait;
    const std::size_t at = arrives || waits ? 1 : 0; // of the address
    decoder.address(at, instruction);
    if (arrives) {
        instruction.to.push_back(decoder.any_target(0));
        instruction.truth = words.has("expect_tx"); // its last operand is bytes
        if (decoder.operands() > 2)
            instruction.r[1] = decoder.source(2, Width::word);
    } else if (waits) {
        instruction.r[3] = decoder.target(0, Width::predicate);
        instruction.truth = words.has("parity");
        instruction.r[1] = decoder.source(2, instruction.truth != 0 ? Width::word : Width::wide);
    } else if (*operation != MbarrierOp::forget) {
        instruction.r[1] = decoder.source(1, Width::word);
    }
    decoder.emit(std::move(instruction));
}

// cp.async.mbarrier.arrive: once the copies of its thread are done.
void arrive_after_copies(Decoder& decoder, const Words& words)
{
    Instruction instruction{.kind = Kind::mbarrier};
    instruction.mbarrier_op = MbarrierOp::after_copies;
    instruction.truth = words.has("noinc");
    instruction.space = space_in(words);
    decoder.address(0, instruction);
    decoder.emit(std::move(instruction));
}

} // namespace

bool decode_mbarrier(Decoder& decoder, const Words& words)
{
    if (words.first == "mbarrier") {
        mbarrier(decoder, words);
        return true;
    }
    const bool copies = words.first == "cp" && words.has("async");
    if (copies && words.has("mbarrier") && words.has("arrive")) {
        arrive_after_copies(decoder, words);
        return true;
    }
    return false;
}

} // namespace ptx
