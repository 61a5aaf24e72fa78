// Formats numbers and facts of a recording as text. Pure functions.
#pragma once

#include "recording/measured.h"
#include "recording/recording.h"

#include <string>
#include <string_view>
#include <vector>

namespace viz {

std::string thousands(uint64_t value); // 8192 -> "8,192"
std::string thousands(double value);   // with as many decimals as a measurement supports: "31,434", "49.9", "0.51"

std::string counted(uint64_t count, std::string_view noun); // "1 lane", "8 lanes"

std::vector<std::string> number_runs(const std::vector<uint32_t>& ascending); // "0-3", "8"
std::string warps_text(const std::vector<uint32_t>& warps);                   // "warps 0-3, 8"

std::string time_words(double ns);      // "690 ns", "31.2 µs", "1.23 s"
std::string bytes_words(double bytes);  // "228 KiB", "60 MiB"
std::string percent(double share);      // 0.618 -> "61.8%", 1 -> "100%", 0.0001 -> "<0.1%"
std::string change_words(double share); // "-40%", "+1.4%"; 0: "the same"

std::string size_words(const recording::Problem& problem); // "4096³", "4096 × 64 × 64", "1,048,576 elements"

// Returns why the recording lacks the values that a GPU's driver reports.
recording::Missing not_recorded_on_gpu(const recording::Recording& recording);

recording::Measured<double> registers(const recording::Recording& recording); // per thread

// Returns the sum of wavefronts and conflicts of shared loads and stores.
recording::SharedTotals shared_totals(const recording::Totals& totals);

std::string upper_case(std::string words); // "fp32" -> "FP32"

// Returns the text of a source line (1-based) without surrounding blanks; empty if there is no such line.
std::string source_line(const recording::Recording& recording, uint32_t line);

} // namespace viz
