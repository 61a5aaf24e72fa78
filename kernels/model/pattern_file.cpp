#include "model/pattern_file.h"

#include "error.h"
#include "recording/disk.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace model {

namespace {

constexpr std::size_t first_lane_column = 5;
constexpr std::size_t all_columns = first_lane_column + lanes, copy_columns = all_columns + 1 + lanes;
constexpr std::string_view known_ops[] = {
    "ld.shared",         "st.shared",         "ld.global",    "st.global",    "cp.ca.global", "cp.ca.shared",
    "cp.cg.global",      "cp.cg.shared",      "stmatrix.x1",  "stmatrix.x2",  "stmatrix.x4",  "stmatrix.x1.trans",
    "stmatrix.x2.trans", "stmatrix.x4.trans", "atom.add.u32", "atom.cas.b32", "red.add.u32",  "red.add.f32",
};

constexpr uint64_t file_limit = 64u << 20; // in bytes; the files of an H200 have 100 KB

class RowReader {
public:
    RowReader(const std::filesystem::path& file, std::size_t line) : file_(file), line_(line) {}

    PatternRow read(std::string_view text) const
    {
        const std::vector<std::string_view> fields = split(text);
        if (fields.size() != all_columns && fields.size() != copy_columns)
            fail(fmt::format("has {} columns where {} are expected, or for copies {}", fields.size(), all_columns,
                             copy_columns));
        PatternRow row{.line = line_, .op = std::string(fields[0]), .pattern = {}, .measured = {}};
        if (std::find(std::begin(known_ops), std::end(known_ops), row.op) == std::end(known_ops))
            fail(fmt::format("has the unknown operation '{}'; known are {}", row.op, fmt::join(known_ops, ", ")));
        row.pattern.width = number<int>(fields[1], 10);
        if (row.pattern.width != 4 && row.pattern.width != 8 && row.pattern.width != 16)
            fail("has a width that is not 4, 8 or 16");
        row.pattern.mask = number<uint32_t>(fields[2], 16);
        if (!fields[3].empty() && !fields[4].empty())
            row.measured = {number<int>(fields[3], 10), number<int>(fields[4], 10)};
        for (int lane = 0; lane < lanes; ++lane)
            row.pattern.offset[lane] = offset(fields[first_lane_column + lane], row.pattern.width);
        const bool whole = fields.size() == copy_columns && !fields[all_columns].empty();
        if (whole)
            row.idle = number<uint32_t>(fields[all_columns], 16);
        for (uint64_t lane = 0; lane < lanes; ++lane)
            row.other[lane] = whole ? offset(fields[all_columns + 1 + lane], row.pattern.width)
                                    : lane * static_cast<uint64_t>(row.pattern.width);
        return row;
    }

private:
    [[noreturn]] void fail(const std::string& what) const
    {
        throw kernels::Error(fmt::format("Line {} of {} {}.", line_, file_.string(), what));
    }

    static std::vector<std::string_view> split(std::string_view text)
    {
        std::vector<std::string_view> fields;
        for (;;) {
            const std::size_t comma = text.find(',');
            fields.push_back(text.substr(0, comma));
            if (comma == std::string_view::npos)
                return fields;
            text.remove_prefix(comma + 1);
        }
    }

    template <class Number>
    Number number(std::string_view digits, int base) const
    {
        Number value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
        if (error != std::errc() || end != digits.data() + digits.size())
            fail(fmt::format("has '{}' where a number is expected", digits));
        return value;
    }

    uint64_t offset(std::string_view field, int width) const
    {
        const auto value = number<uint64_t>(field, 10);
        if (value % width != 0)
            fail(fmt::format("has the address {}, which is no multiple of the width {}", value, width));
        return value;
    }

    const std::filesystem::path& file_;
    std::size_t line_;
};

} // namespace

std::vector<PatternRow> read_patterns(const std::filesystem::path& csv)
{
    const std::string contents = recording::read_whole(csv, file_limit);
    std::vector<PatternRow> rows;
    std::size_t line = 0;
    for (std::string_view rest = contents; !rest.empty();) {
        std::string_view text = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(text.size() + 1, rest.size()));
        ++line;
        if (text.ends_with('\r'))
            text.remove_suffix(1);
        if (text.empty() || text.starts_with('#') || text.starts_with("op,"))
            continue;
        rows.push_back(RowReader(csv, line).read(text));
    }
    if (rows.empty())
        throw kernels::Error(fmt::format("{} holds no access pattern.", csv.string()));
    return rows;
}

std::string pattern_header()
{
    std::string header = "op,width,mask,a,b";
    for (int lane = 0; lane < lanes; ++lane)
        header += fmt::format(",lane{}", lane);
    header += ",idle";
    for (int lane = 0; lane < lanes; ++lane)
        header += fmt::format(",other{}", lane);
    return header;
}

std::string to_text(const PatternRow& row)
{
    std::string text = fmt::format("{},{},{:x},", row.op, row.pattern.width, row.pattern.mask);
    text += row.measured ? fmt::format("{},{}", row.measured->a, row.measured->b) : ",";
    text += fmt::format(",{}", fmt::join(row.pattern.offset, ","));
    if (is_copy(row))
        text += fmt::format(",{:x},{}", row.idle, fmt::join(row.other, ","));
    return text;
}

bool is_copy(const PatternRow& row)
{
    return row.op.starts_with("cp.");
}

bool is_global(const PatternRow& row)
{
    return row.op.ends_with(".global");
}

namespace {

CopyPattern copy_of(const PatternRow& row)
{
    const bool global = is_global(row);
    return {.width = row.pattern.width,
            .bypass = row.op.starts_with("cp.cg"),
            .mask = row.pattern.mask,
            .idle = row.idle,
            .from = global ? row.pattern.offset : row.other,
            .to = global ? row.other : row.pattern.offset};
}

SharedCost shared_cost(const PatternRow& row)
{
    if (row.op.starts_with("atom.") || row.op.starts_with("red.")) {
        Pattern atomic = row.pattern;
        atomic.atomic =
            row.op == "atom.cas.b32" ? recording::AtomicRule::compare_and_swap : recording::AtomicRule::lane_by_lane;
        const SharedCost cost = shared_atomic(atomic).value_or(SharedCost{});
        // A loop of compare-and-swaps, of which each of these patterns takes one turn for each lane of a bank.
        return row.op == "red.add.f32" ? SharedCost{2 * cost.wavefronts, 0} : cost;
    }
    if (row.op.starts_with("stmatrix.x")) {
        Pattern rows = row.pattern; // lane i supplies the address of a row; each matrix has 8 rows
        const int matrices = row.op.at(10) - '0';
        rows.mask = matrices == 4 ? ~0u : (1u << 8 * matrices) - 1;
        return shared_access(recording::Op::shared_store, rows);
    }
    return shared_access(row.op == "ld.shared" ? recording::Op::shared_load : recording::Op::shared_store, row.pattern);
}

} // namespace

TwoFigures evaluate(const PatternRow& row)
{
    if (is_global(row)) {
        const GlobalCost cost = is_copy(row) ? copy_read(copy_of(row)) : global_access(row.pattern);
        return {cost.sectors, cost.requests};
    }
    const SharedCost cost = is_copy(row) ? copy_write(copy_of(row)) : shared_cost(row);
    return {cost.wavefronts, cost.conflicts};
}

} // namespace model
