// Statements of mbarriers, and bulk copies, which arrive at them.
#include "ptx/decode.h"

namespace ptx {

namespace {

constexpr const char* of_clusters = "shared memory of clusters is not in the PTX machine; run the kernel on a GPU";

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

void mbarrier(Decoder& decoder, const Frame& frame, const Statement& statement, const Words& words)
{
    const std::optional<Mbarring> operation = operation_of(words);
    if (!operation)
        decoder.unknown(statement);
    Instruction instruction{.kind = Kind::mbarrier};
    instruction.mbarring = *operation;
    if (*operation == Mbarring::pending) { // of a state, which a register holds
        instruction.r[1] = decoder.source(frame, statement, decoder.operand(statement, 1), Width::wide);
        instruction.to.push_back(decoder.any_target(frame, statement, decoder.operand(statement, 0)));
        decoder.emit(std::move(instruction));
        return;
    }
    if (words.has("shared::cluster") && *operation != Mbarring::complete)
        decoder.fail(statement, of_clusters);
    instruction.space = words.has("shared") || words.has("shared::cta") || words.has("shared::cluster")
                            ? Space::shared
                            : Space::generic;
    const bool arrives = *operation == Mbarring::arrive || *operation == Mbarring::drop;
    const bool waits = *operation == Mbarring::test || *operation == Mbarring::wait;
    const std::size_t at = arrives || waits ? 1 : 0; // of the address
    decoder.address(frame, statement, decoder.operand(statement, at), instruction);
    if (arrives) {
        instruction.to.push_back(decoder.any_target(frame, statement, decoder.operand(statement, 0)));
        instruction.truth = words.has("expect_tx"); // its last operand is bytes
        if (statement.operands.size() > 2)
            instruction.r[1] = decoder.source(frame, statement, decoder.operand(statement, 2), Width::word);
    } else if (waits) {
        instruction.r[3] = decoder.target(frame, statement, decoder.operand(statement, 0).name, Width::predicate);
        instruction.truth = words.has("parity");
        instruction.r[1] = decoder.source(frame, statement, decoder.operand(statement, 2),
                                          instruction.truth != 0 ? Width::word : Width::wide);
    } else if (*operation != Mbarring::forget) {
        instruction.r[1] = decoder.source(frame, statement, decoder.operand(statement, 1), Width::word);
    }
    decoder.emit(std::move(instruction));
}

// cp.async.mbarrier.arrive: once the copies of its thread are done.
void arrive_after_copies(Decoder& decoder, const Frame& frame, const Statement& statement, const Words& words)
{
    Instruction instruction{.kind = Kind::mbarrier};
    instruction.mbarring = Mbarring::after_copies;
    instruction.truth = words.has("noinc");
    instruction.space = words.has("shared") || words.has("shared::cta") ? Space::shared : Space::generic;
    decoder.address(frame, statement, decoder.operand(statement, 0), instruction);
    decoder.emit(std::move(instruction));
}

// in: the other address, what is added to it, the number of bytes, and the mbarrier's address with what is added to it.
void bulk_copy(Decoder& decoder, const Frame& frame, const Statement& statement, const Words& words)
{
    if (words.has("multicast::cluster"))
        decoder.fail(statement, of_clusters);
    const bool to_global = words.has("bulk_group");
    if (!to_global && !(words.has("global") && words.has("mbarrier::complete_tx::bytes")))
        decoder.fail(statement, of_clusters); // from one block to another
    Instruction instruction{.kind = Kind::bulk_copy};
    instruction.truth = to_global;
    const auto add_address = [&](std::size_t operand, Space space) {
        Instruction other;
        other.space = space;
        decoder.address(frame, statement, decoder.operand(statement, operand), other);
        instruction.in.push_back(other.r[0] | (other.to_signed ? is_wide : 0));
        instruction.in.push_back(static_cast<uint32_t>(other.added));
    };
    instruction.space = to_global ? Space::global : Space::shared;
    decoder.address(frame, statement, decoder.operand(statement, 0), instruction);
    add_address(1, to_global ? Space::shared : Space::global);
    instruction.in.push_back(decoder.any_source(frame, statement, decoder.operand(statement, 2), Type::b32));
    if (!to_global)
        add_address(3, Space::shared);
    decoder.emit(std::move(instruction));
}

} // namespace

bool decode_mbarrier(Decoder& decoder, const Frame& frame, const Statement& statement, const Words& words)
{
    if (words.first == "mbarrier") {
        mbarrier(decoder, frame, statement, words);
        return true;
    }
    const bool copies = words.first == "cp" && words.has("async");
    if (copies && words.has("mbarrier") && words.has("arrive")) {
        arrive_after_copies(decoder, frame, statement, words);
        return true;
    }
    if (!copies || !words.has("bulk"))
        return false;
    if (words.has("tensor"))
        decoder.fail(statement,
                     "copies by a tensor map, which a GPU's driver makes, are not in the PTX machine; run the "
                     "kernel on a GPU");
    const bool nothing = words.has("commit_group") || words.has("wait_group") || words.has("prefetch");
    if (nothing) // a bulk copy is done at once here
        decoder.emit({.kind = Kind::nothing});
    else
        bulk_copy(decoder, frame, statement, words);
    return true;
}

} // namespace ptx
