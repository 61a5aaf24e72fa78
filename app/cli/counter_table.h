// gemmscope counters --table: what was counted of the whole ladder, as it is shipped.
#pragma once

#include "app/cli/output.h"

#include <string>
#include <vector>

namespace app {

struct CounterTableOptions {
    bool table = false;
    std::string columns = "profile"; // or "all", or ids of metrics between commas
    std::string sort, filter;        // an id, descending with a minus before it; part of a name
};
void add_counter_table_options(CLI::App& counters, CounterTableOptions& options);

// `sizes`: as typed; none: 1024 and 4096, as far as they were counted.
int show_counter_table(const CounterTableOptions& options, const std::vector<std::string>& sizes, Form form);

} // namespace app
