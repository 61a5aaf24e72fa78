// The metrics of a launch: what a GPU counted of it, and how fast it was without counters. One entry for each, which the tables of the
// window, `gemmscope counters`, `gemmscope bench`, lessons and claims read by its id.
#pragma once

#include "app/catalogue/counters.h"
#include "app/catalogue/speeds.h"
#include "app/text/table.h"

#include "measure/counters.h"
#include "recording/measured.h"

#include <span>
#include <string>
#include <string_view>

namespace app {

// What is known of a launch of a stage or a library.
struct LaunchFacts {
    const kernels::Counters* counters = nullptr; // null: nothing was counted
    kernels::CounterFigures figures = {};        // of these
    recording::Provenance counted_from = {};
    recording::Reason why_not_counted = {};
    const TimedRow* timed = nullptr; // null: it was not timed
    recording::Provenance timed_from = {};
    recording::Reason why_not_timed = {};
    recording::Measured<double> peak_gbps = {};    // of that GPU's DRAM, by its clock and width
    recording::Measured<double> naive_gflops = {}; // of the stage naive, timed at the same size
};

LaunchFacts facts_of(const kernels::Counters& counters); // which must outlive what is returned
// Of a row of the shipped counters, which must outlive what is returned as well.
LaunchFacts facts_of(const ShippedCounters& shipped, const CountedRow& row);
LaunchFacts facts_of(const ShippedCounters& shipped, const CountedLibrary& row);
LaunchFacts facts_of(const ShippedSpeeds& shipped, const TimedRow& row);

enum class Better : uint8_t { more, fewer, neither }; // neither: such as a share of what the GPU could do

struct Metric {
    std::string_view id;     // "dram_bytes": of the column in JSON and CSV, and of --columns
    std::string_view title;  // the column's heading
    std::string_view format; // how its value reads, with its unit: see TableColumn::format
    Better better = Better::neither;
    recording::Measured<double> (*of)(const LaunchFacts& facts) = nullptr;
    std::string_view about;        // a sentence
    std::string_view counter = {}; // its name in the list "only_counted" of one launch; empty: it is not there
    // Of the six of a memory profile: where they have no room for all, those of the highest numbers go first. Negative: of none.
    int of_profile = -1;
    bool in_table = true; // of the whole ladder
};

std::span<const Metric> metrics();         // those of the table first, in its order
const Metric& metric(std::string_view id); // throws kernels::Error where there is none
TableColumn column_of(const Metric& metric);

} // namespace app
