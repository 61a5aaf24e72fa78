#include "viz/analysis/transfers.h"

#include "viz/analysis/bank_picture.h"
#include "viz/analysis/sectors.h"

#include "model/recorded_copy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <tuple>

namespace viz {

namespace {

using recording::Access;
using recording::Op;

Endpoint in_lane(uint32_t lane)
{
    return {.in_lane = true, .lane = lane};
}

Endpoint in_memory(uint8_t array, uint64_t offset)
{
    return {.array = array, .offset = offset};
}

// Adds one transfer for each word that shared memory serves. `other` returns the endpoint outside of shared memory.
template <class OtherEnd>
void add_words(StepWays& result, const std::vector<model::Word>& words, uint8_t array, bool store,
               const OtherEnd& other)
{
    std::map<int, int> first_of_group; // first wavefront of each group
    for (const model::Word& word : words) {
        const auto [place, added] = first_of_group.emplace(word.group, word.wavefront);
        if (!added)
            place->second = std::min<int>(place->second, word.wavefront);
    }
    std::map<std::pair<int, int>, uint32_t> wavefronts_of_bank; // mask, for each bank of a group
    for (const model::Word& word : words) {
        const int turn_in_group = word.wavefront - first_of_group[word.group];
        const Endpoint memory = in_memory(array, word.word * model::bank_bytes);
        Transfer transfer{
            .from = memory, .to = other(word), .lane = word.lane, .turn = word.wavefront, .waits = turn_in_group > 0};
        if (store)
            std::swap(transfer.from, transfer.to);
        result.transfers.push_back(transfer);
        if (static_cast<std::size_t>(word.wavefront) >= result.asked.size())
            result.asked.resize(static_cast<std::size_t>(word.wavefront) + 1);
        result.asked[static_cast<std::size_t>(word.wavefront)] |= 1u << word.lane;
        if (transfer.waits)
            result.waiting |= 1u << word.lane;
        wavefronts_of_bank[{word.group, word.bank}] |= 1u << turn_in_group;
    }
    std::map<int, int> busy; // number of busy banks by group
    for (const auto& [bank, turns] : wavefronts_of_bank) {
        const int answers = std::popcount(turns);
        result.busy_banks = std::max(result.busy_banks, answers > 1 ? ++busy[bank.first] : 0);
        result.answers = std::max(result.answers, answers);
    }
}

// Each lane provides the address of a row of eight 16-bit elements, and other lanes receive them. Lane 4 * row + word
// receives two adjacent elements of a row. If transposed, lane 4 * column + row / 2 receives one element of each of two
// rows. If this is unknown, no transfer is shown.
void send_to_fragments(StepWays& result, const Access& access)
{
    if (access.transposed == recording::Transposed::unknown)
        return result.transfers.clear();
    std::vector<Transfer> transfers;
    for (Transfer transfer : result.transfers) {
        const auto word = static_cast<uint32_t>(transfer.from.offset - access.offset[transfer.lane]) / 4;
        const uint32_t row = transfer.lane % 8;
        if (access.transposed == recording::Transposed::no) {
            transfer.to = in_lane(4 * row + word);
            transfers.push_back(transfer);
            continue;
        }
        for (const uint32_t column : {2 * word, 2 * word + 1}) {
            transfer.to = in_lane(4 * column + row / 2);
            transfers.push_back(transfer);
        }
    }
    result.transfers = std::move(transfers);
}

void add_shared(StepWays& result, const Access& access)
{
    result.bank = shared_cost(access);
    result.turns = result.bank->wavefronts;
    const std::vector<model::Word> words = model::schedule(access.op, pattern_of(access));
    result.group_lanes = lane_groups(words, access.width).lanes;
    add_words(result, words, access.array, is_store(access.op),
              [](const model::Word& word) { return in_lane(word.lane); });
    if (access.op == Op::matrix_load)
        send_to_fragments(result, access);
}

// Transfers between lanes and one line of global memory happen together.
template <class OtherEnd>
void add_global(StepWays& result, const Access& access, const OtherEnd& other)
{
    const std::vector<uint32_t> lines = lines_of(access);
    result.turns = static_cast<int>(lines.size());
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
        if (!takes_part(access, lane))
            continue;
        const auto line = std::ranges::lower_bound(lines, access.offset[lane] / line_bytes);
        Transfer transfer{.from = in_memory(access.array, access.offset[lane]),
                          .to = other(lane),
                          .lane = lane,
                          .bytes = access.width,
                          .turn = static_cast<int>(line - lines.begin())};
        if (is_store(access.op))
            std::swap(transfer.from, transfer.to);
        result.transfers.push_back(transfer);
    }
}

// Adds the transfers of a copy from global to shared memory. It reads line by line and writes wavefront by wavefront.
void add_copy(StepWays& result, const Access& read, const Access& write, bool writes)
{
    const model::CopyPattern copy = model::copy_of(read, write);
    if (!writes) {
        result.line = model::copy_read(copy);
        add_global(result, read, [&](uint32_t lane) { return in_memory(write.array, write.offset[lane]); });
        return;
    }
    const BankPicture picture = bank_picture(copy);
    result.bank = picture.cost;
    result.l1_waits = picture.l1_waits;
    result.turns = result.bank->wavefronts;
    const std::vector<model::Word> words = model::schedule(copy);
    result.group_lanes = lane_groups(words, copy.width).lanes;
    add_words(result, words, write.array, true, [&](const model::Word& word) {
        if (!takes_part(read, word.lane)) // outside the matrix the copy writes zeros
            return in_lane(word.lane);
        const uint64_t within = word.word * model::bank_bytes - write.offset[word.lane];
        return in_memory(read.array, read.offset[word.lane] + within);
    });
}

// All transfers move together, because the order in which lanes update the same address is unknown. If the cost in shared
// memory is known, the lanes that wait are as in the bank picture.
void add_atomic(StepWays& result, const Access& access)
{
    result.turns = 1;
    if (access.op == Op::shared_atomic && has_shared_cost(access)) {
        uint32_t first = 0; // lanes served in the first wavefront
        for (const model::Word& word : model::schedule(access.op, pattern_of(access)))
            (word.wavefront == 0 ? first : result.waiting) |= 1u << word.lane;
        result.waiting &= ~first;
    }
    std::map<uint64_t, int> lanes_at;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
        if (!takes_part(access, lane))
            continue;
        result.lanes_on_one = std::max(result.lanes_on_one, ++lanes_at[access.offset[lane]]);
        result.transfers.push_back({.from = in_lane(lane),
                                    .to = in_memory(access.array, access.offset[lane]),
                                    .lane = lane,
                                    .bytes = access.width,
                                    .waits = (result.waiting >> lane & 1u) != 0});
    }
}

void add_shuffle(StepWays& result, const Access& access)
{
    result.turns = 1;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        if (takes_part(access, lane))
            result.transfers.push_back(
                {.from = in_lane(access.offset[lane] % recording::warp_size), .to = in_lane(lane), .lane = lane});
}

// WMMA does not specify the receiving lanes, so each row goes to the lane that represents it.
void add_tile(StepWays& result, const Access& access)
{
    result.turns = 1;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
        if (!takes_part(access, lane))
            continue;
        Transfer transfer{.from = in_memory(access.array, access.offset[lane]),
                          .to = in_lane(lane),
                          .lane = lane,
                          .bytes = access.width};
        if (access.op == Op::tile_store)
            std::swap(transfer.from, transfer.to);
        result.transfers.push_back(transfer);
    }
}

} // namespace

StepWays ways_of_step(const recording::Recording& recording, const recording::WarpTrace& warp, std::size_t step,
                      const std::vector<BulkCopy>& bulk)
{
    StepWays result;
    const Access& access = warp.accesses[step];
    const auto copies = [&](std::size_t read) { // a file may have only half of a copy, or halves that do not match
        if (read + 1 >= warp.accesses.size())
            return false;
        const Access &from = warp.accesses[read], &to = warp.accesses[read + 1];
        return from.op == Op::async_load && to.op == Op::async_store && from.width == to.width;
    };
    if (copies(step)) {
        add_copy(result, access, warp.accesses[step + 1], false);
    } else if (step > 0 && copies(step - 1)) {
        add_copy(result, warp.accesses[step - 1], access, true);
    } else if (is_shared(access.op)) {
        add_shared(result, access);
    } else if (is_global(access.op)) {
        result.line = global_cost(access);
        add_global(result, access, in_lane);
    } else if (is_atomic(access.op)) {
        add_atomic(result, access);
    } else if (access.op == Op::shuffle) {
        add_shuffle(result, access);
    } else if (access.op == Op::tile_load || access.op == Op::tile_store) {
        add_tile(result, access);
    }
    for (const BulkCopy& copy : bulk)
        if (copy.step == step || copy.step == step + 1)
            result.box = copy;
    result.operands = group_operands(recording, warp, step);
    std::ranges::sort(result.transfers, {}, [](const Transfer& transfer) {
        return std::tuple(transfer.turn, transfer.lane, transfer.from.offset, transfer.to.offset);
    });
    return result;
}

} // namespace viz
