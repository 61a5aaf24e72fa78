#include "viz/analysis/values.h"

#include "viz/analysis/parameters.h"

#include "recording/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

using recording::Inputs;
using recording::Recording;

// The values of the recorded parameter TYPE for the two 2-byte types.
constexpr int type_fp16 = 2, type_bf16 = 3;

std::optional<int> type_of(const Recording& recording)
{
    return parameter_of(recording.parameters, "TYPE");
}

bool rounds(const Recording& recording, const recording::Array& matrix)
{
    return matrix.element_bytes == 2 && recording.inputs == Inputs::random;
}

// Rounds to the nearest value, and halfway cases to even.
double rounded_to_type(double value, int type)
{
    if (value == 0)
        return 0;
    const int digits = type == type_fp16 ? 10 : 7; // digits of the fraction
    int exponent = std::ilogb(value) - digits;
    if (type == type_fp16)
        exponent = std::max(exponent, -24);
    return std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
}

// Returns whether the array's values are known. Random numbers are rounded to the matrix's type before the kernel gets
// them. Small whole numbers are exact in every type.
bool holds_inputs(const Recording& recording, std::size_t array, std::optional<int> type)
{
    if (array > array_C || array >= recording.arrays.size() || recording.inputs == Inputs::unknown)
        return false;
    const recording::Array& matrix = recording.arrays[array];
    return matrix.space == recording::Space::global &&
           (matrix.element_bytes == sizeof(float) || recording.inputs == Inputs::small ||
            (rounds(recording, matrix) && (type == type_fp16 || type == type_bf16)));
}

// Returns the index of an element in the order of storage, without gaps between rows.
uint64_t index_of(const recording::Array& matrix, const Cell& cell)
{
    const uint64_t row_major = uint64_t{cell.row} * matrix.cols + cell.col;
    return matrix.layout.empty() ? row_major : matrix.layout[row_major] / matrix.element_bytes;
}

bool has_products(const Recording& recording, const Cell& c, uint32_t end)
{
    const std::optional<int> type = type_of(recording);
    if (!holds_inputs(recording, array_A, type) || !holds_inputs(recording, array_B, type))
        return false;
    const recording::Array &a = recording.arrays[array_A], &b = recording.arrays[array_B];
    return a.cols == b.rows && end <= a.cols && c.row < a.rows && c.col < b.cols;
}

double element(const Recording& recording, std::size_t array, const Cell& cell, std::optional<int> type)
{
    const recording::Array& matrix = recording.arrays[array];
    const double value{recording::input_value(recording.inputs, recording::input_seed, static_cast<uint32_t>(array),
                                              index_of(matrix, cell))};
    return rounds(recording, matrix) ? rounded_to_type(value, *type) : value;
}

std::optional<float> value_as(const Recording& recording, std::size_t array, const Cell& cell, std::optional<int> type)
{
    if (!holds_inputs(recording, array, type) || cell.row >= recording.arrays[array].rows ||
        cell.col >= recording.arrays[array].cols)
        return {};
    return static_cast<float>(element(recording, array, cell, type));
}

double add_products(const Recording& recording, const Cell& c, uint32_t first, uint32_t end, double sum)
{
    const std::optional<int> type = type_of(recording);
    for (uint32_t k = first; k < end; ++k)
        sum += element(recording, array_A, {c.row, k}, type) * element(recording, array_B, {k, c.col}, type);
    return sum;
}

} // namespace

std::optional<double> recorded_value(const Recording& recording, std::size_t array, const Cell& cell,
                                     recording::Moment moment)
{
    const recording::Values* const values = recording::values_of(recording, array);
    const recording::Array& shape = recording.arrays[array];
    if (values == nullptr || cell.row >= shape.rows || cell.col >= shape.cols)
        return {};
    return recording::value_at(recording, *values, moment, shape.offset_of(cell.row, cell.col));
}

std::string value_text(double value)
{
    return fmt::format("{:.{}g}", value, value == std::trunc(value) && std::abs(value) < 1e9 ? 9 : 4);
}

std::optional<float> value_of(const Recording& recording, std::size_t array, const Cell& cell)
{
    if (const auto* const values = recording::values_of(recording, array);
        values != nullptr && values->after.empty() && recording.inputs == Inputs::unknown)
        if (const auto value = recorded_value(recording, array, cell, recording::Moment::before))
            return static_cast<float>(*value);
    return value_as(recording, array, cell, type_of(recording));
}

std::optional<float> rounded_value_of(const Recording& recording, std::size_t array, const Cell& cell,
                                      std::string_view type)
{
    if (const auto known = value_of(recording, array, cell))
        return known;
    return value_as(recording, array, cell,
                    type == "fp16"   ? std::optional(type_fp16)
                    : type == "bf16" ? std::optional(type_bf16)
                                     : std::nullopt);
}

std::optional<double> partial_sum(const Recording& recording, const Cell& c, uint32_t first, uint32_t end)
{
    return has_products(recording, c, end) ? std::optional(add_products(recording, c, first, end, 0)) : std::nullopt;
}

bool adds_whole_k(const Recording& recording, const recording::BlockTrace& block)
{
    const recording::Array& a = recording.arrays[array_A];
    const Elements elements(a);
    uint32_t least = a.cols, end = 0;
    for (const recording::WarpTrace& warp : block.warps)
        for (const recording::Access& access : warp.accesses)
            for (uint32_t lane = 0;
                 access.array == array_A && recording::has_addresses(access) && lane < recording::warp_size; ++lane)
                if (const auto cell = takes_part(access, lane) ? elements.at(access.offset[lane]) : std::nullopt) {
                    least = std::min(least, cell->col);
                    end = std::max(end, cell->col + access.width / a.element_bytes);
                }
    return least == 0 && end >= a.cols;
}

std::optional<double> RunningSums::up_to(const Cell& c, uint32_t end)
{
    if (!has_products(recording_, c, end))
        return {};
    std::vector<double>& before = before_[c];
    if (before.empty())
        before.push_back(0);
    while (before.size() <= end / apart) {
        const auto from = static_cast<uint32_t>(before.size() - 1) * apart;
        before.push_back(add_products(recording_, c, from, from + apart, before.back()));
    }
    return add_products(recording_, c, end / apart * apart, end, before[end / apart]);
}

} // namespace viz
