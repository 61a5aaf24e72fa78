#include "measure/readings.h"

#include <fmt/format.h>

#include <algorithm>

namespace kernels {

namespace {

// Reads again while another reading may help. `compare` compares a reading with the derived figures.
template <class Reading, class Read, class Compare, class MayChange>
void read_until_equal(Reading& reading, const Read& again, const Compare& compare, const MayChange& may_change)
{
    compare();
    while (again && reading.readings < most_readings && may_change()) {
        reading.counters = again();
        ++reading.readings;
        compare();
    }
}

} // namespace

CounterReading settle(Counters first, const recording::Recording& recording,
                      const std::optional<recording::Totals>& executed, const std::function<Counters()>& again)
{
    CounterReading reading{.counters = std::move(first), .check = {}};
    read_until_equal(
        reading, again, [&] { reading.check = check(recording, executed, reading.counters); },
        [&] {
            return figures(reading.counters).async_copies.value_or(0) > 0 &&
                   std::ranges::any_of(reading.check.figures, [](const CheckedFigure& figure) {
                       return figure.agreement == Agreement::differs;
                   });
        });
    return reading;
}

InstructionReading settle(InstructionCounters first, const MachineCode& code, const Executed* executed,
                          const std::function<InstructionCounters()>& again)
{
    InstructionReading reading{.counters = std::move(first), .accesses = {}};
    read_until_equal(
        reading, again, [&] { reading.accesses = compare_instructions(code, executed, reading.counters); },
        [&] {
            return std::ranges::any_of(reading.accesses, [](const CountedAccesses& one) {
                return one.op == recording::Op::async_load && one.derived && !one.agrees();
            });
        });
    return reading;
}

std::string readings_words(int readings, bool equal)
{
    if (readings <= 1)
        return "";
    return fmt::format(
        "Read {} times: the counter of the sectors that asynchronous copies read is not the same in every "
        "reading. {}",
        readings, equal ? "Shown is the first one that agrees." : "No reading agrees; shown is the last.");
}

} // namespace kernels
