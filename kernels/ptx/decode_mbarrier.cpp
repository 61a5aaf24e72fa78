// Statements of mbarriers.
#include "ptx/decode.h"

namespace ptx {

namespace {

std::optional<Mbarring> operation_of(const Words& words)
{
    constexpr std::pair<std::string_view, Mbarring> names[] = {
        {"init", Mbarring::make},      {"inval", Mbarring::forget},     {"arrive_drop", Mbarring::drop},
        {"arrive", Mbarring::arrive},  {"expect_tx", Mbarring::expect}, {"complete_tx", Mbarring::complete},
        {"test_wait", Mbarring::test}, {"try_wait", Mbarring::wait},    {"pending_count", Mbarring::pending}};
    for (const auto& [name, operation] : names)
        if (words.has(name))
            return operation;
    return {};
}

void mbarrier(Decoder& decoder, const Words& words)
{
    const std::optional<Mbarring> operation = operation_of(words);
    if (!operation)
        decoder.unknown();
    Instruction instruction{.kind = Kind::mbarrier};
    instruction.mbarring = *operation;
    if (*operation == Mbarring::pending) { // of a state, which a register holds
        instruction.r[1] = decoder.source(1, Width::wide);
        instruction.to.push_back(decoder.any_target(0));
        decoder.emit(std::move(instruction));
        return;
    }
    instruction.space = space_in(words);
    const bool arrives = *operation == Mbarring::arrive || *operation == Mbarring::drop;
    const bool waits = *operation == Mbarring::test || *operation == Mbarring::wait;
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
    } else if (*operation != Mbarring::forget) {
        instruction.r[1] = decoder.source(1, Width::word);
    }
    decoder.emit(std::move(instruction));
}

// cp.async.mbarrier.arrive: once the copies of its thread are done.
void arrive_after_copies(Decoder& decoder, const Words& words)
{
    Instruction instruction{.kind = Kind::mbarrier};
    instruction.mbarring = Mbarring::after_copies;
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
