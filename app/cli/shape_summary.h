// What a bench of many shapes comes to: per stage, over its shares of cuBLAS.
#pragma once

#include "app/catalogue/speeds.h"
#include "app/cli/output.h"

#include <nlohmann/json.hpp>

#include <span>

namespace app {

// An object for each stage that has a share: how many shapes, geometric means of the shares (1 is as fast as cuBLAS; 0: none was had),
// and its ten shapes with the least.
nlohmann::ordered_json shape_summaries(std::span<const TimedRow> rows);

void print(const nlohmann::ordered_json& summaries, Output& out);

} // namespace app
