#include "viz/analysis/values.h"

#include "recording/inputs.h"

namespace viz {

namespace {

constexpr std::size_t array_A = 0, array_B = 1, array_C = 2;

bool holds_inputs(const recording::Recording& recording, std::size_t array)
{
    if (array > array_C || array >= recording.arrays.size())
        return false;
    const recording::Array& matrix = recording.arrays[array];
    return matrix.space == recording::Space::global && matrix.element_bytes == sizeof(float) && matrix.layout.empty();
}

} // namespace

std::optional<float> value_of(const recording::Recording& recording, std::size_t array, const Cell& cell)
{
    if (!holds_inputs(recording, array))
        return {};
    const recording::Array& matrix = recording.arrays[array];
    if (cell.row >= matrix.rows || cell.col >= matrix.cols)
        return {};
    return recording::input_value(recording::input_seed, static_cast<uint32_t>(array),
                                  uint64_t{cell.row} * matrix.cols + cell.col);
}

std::optional<double> partial_sum(const recording::Recording& recording, const Cell& c, uint32_t first, uint32_t end)
{
    if (!holds_inputs(recording, array_A) || !holds_inputs(recording, array_B) ||
        recording.arrays[array_A].cols != recording.arrays[array_B].rows || end > recording.arrays[array_A].cols)
        return {};
    double sum = 0;
    for (uint32_t k = first; k < end; ++k) {
        const auto a = value_of(recording, array_A, {c.row, k}), b = value_of(recording, array_B, {k, c.col});
        if (!a || !b)
            return {};
        sum += double{*a} * double{*b};
    }
    return sum;
}

} // namespace viz
