// What was counted of the whole ladder, as a table on the command line: `gemmscope counters --table`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace app {

struct CounterTableOptions {
    bool table = false, csv = false;
    std::string columns = "profile"; // or "all", or ids between commas
    std::string sort, filter;        // an id, descending with a minus before it; part of a name
};

void add_counter_table_options(CLI::App& counters, CounterTableOptions& options);

// `sizes`: as typed; none: 1024 and 4096, as far as they were counted. Throws kernels::Error.
int show_counter_table(const CounterTableOptions& options, const std::vector<std::string>& sizes, bool json);

} // namespace app
