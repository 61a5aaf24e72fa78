// The metrics of a launch: the GPU's counters, and its speed without counters. The tables of the window, `gemmscope
// counters`, `gemmscope bench`, lessons and claims look them up by id.
#pragma once

#include "app/data/counters.h"
#include "app/data/speeds.h"
#include "app/text/table.h"

#include "measure/counters.h"
#include "recording/measured.h"

#include <span>
#include <string_view>

namespace app {

// Facts of a launch of a stage or a library.
struct LaunchFacts {
    const kernels::Counters* counters = nullptr; // null: nothing was counted
    kernels::CounterFigures figures = {};        // figures of `counters`
    recording::Provenance counted_from = {};
    recording::Reason why_not_counted = {};
    const TimedRow* timed = nullptr; // null: it was not timed
    recording::Provenance timed_from = {};
    recording::Reason why_not_timed = {};
    recording::Measured<double> peak_gbps = {};    // bandwidth of the GPU's DRAM, from its clock and bus width
    recording::Measured<double> naive_gflops = {}; // speed of the stage naive at the same size
};

LaunchFacts facts_of(const kernels::Counters& counters); // the result refers to `counters`
// Return facts that refer to the row, which must outlive them.
LaunchFacts facts_of(const ShippedCounters& shipped, const CountedRow& row);
LaunchFacts facts_of(const ShippedCounters& shipped, const CountedLibrary& row);
LaunchFacts facts_of(const ShippedSpeeds& shipped, const TimedRow& row);

enum class Better : uint8_t { more, fewer, neither }; // neither: for example a share of the GPU's capability

struct Metric {
    std::string_view id;     // for example "dram_bytes"; names the column in JSON, in CSV and for --columns
    std::string_view title;  // heading of the column
    std::string_view format; // how its value is written, with its unit: see TableColumn::format
    Better better = Better::neither;
    recording::Measured<double> (*of)(const LaunchFacts& facts) = nullptr;
    std::string_view about;        // its meaning, as one sentence
    std::string_view counter = {}; // its name in the list "only_counted" of one launch; empty: not in the list
    // Rank among the six metrics of a memory profile. In a narrow table the highest ranks are omitted first. Negative:
    // not in the profile.
    int of_profile = -1;
    bool in_table = true; // it is in the table of the whole ladder
};

std::span<const Metric> metrics();         // metrics of the table come first, in the table's order
const Metric& metric(std::string_view id); // throws kernels::Error for an unknown id
TableColumn column_of(const Metric& metric);

} // namespace app
