#include "recording/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string_view>
#include <tuple>

namespace recording {

namespace {

// Keeps the first sentences and counts the rest.
class Report {
public:
    explicit Report(size_t most) : limit(most) {}

    // Sentence: a function, called only when its result is kept.
    template <class Sentence>
    void add(Sentence sentence)
    {
        if (sentences.size() < limit)
            sentences.push_back(sentence());
        else
            ++left_out;
    }

    template <class T>
    void compare(const T& a, const T& b, std::string_view what)
    {
        if (!(a == b))
            add([&] { return fmt::format("{}: {} vs {}", what, a, b); });
    }

    std::vector<std::string> finish()
    {
        if (left_out > 0)
            sentences.push_back(fmt::format("... and {} more", left_out));
        return std::move(sentences);
    }

private:
    size_t limit;
    size_t left_out = 0;
    std::vector<std::string> sentences;
};

std::string text(const Index3& index)
{
    return index.z == 0 ? fmt::format("({},{})", index.x, index.y)
                        : fmt::format("({},{},{})", index.x, index.y, index.z);
}

std::string extent(const Index3& index)
{
    return fmt::format("({},{},{})", index.x, index.y, index.z);
}

std::string_view name(Space space)
{
    return space == Space::shared ? "shared" : "global";
}

std::string array_name(const Recording& recording, size_t index)
{
    return index < recording.arrays.size() ? recording.arrays[index].name : fmt::format("number {}", index);
}

// "only in the first": for what one of the two lacks.
std::string only_in(bool first, std::string_view what)
{
    return fmt::format("{}: only in the {} recording", what, first ? "first" : "second");
}

void compare_parameters(Report& report, const Recording& a, const Recording& b)
{
    using Parameters = std::vector<Parameter>;
    const auto find = [](const Parameters& in, const Parameter& parameter) {
        return std::find_if(in.begin(), in.end(), [&](const Parameter& p) { return p.name == parameter.name; });
    };
    for (const Parameter& parameter : a.parameters) {
        const auto other = find(b.parameters, parameter);
        if (other == b.parameters.end())
            report.add([&] { return only_in(true, "parameter " + parameter.name); });
        else
            report.compare(parameter.value, other->value, "parameter " + parameter.name);
    }
    for (const Parameter& parameter : b.parameters)
        if (find(a.parameters, parameter) == a.parameters.end())
            report.add([&] { return only_in(false, "parameter " + parameter.name); });
}

void compare_launch(Report& report, const Recording& a, const Recording& b)
{
    const Problem &p = a.problem, &q = b.problem;
    const auto size = [](const Problem& x) { return fmt::format("{} x {} x {}", x.M, x.N, x.K); };
    report.compare(size(p), size(q), "problem (M x N x K)");
    // As bits: NaN equals itself, 0 does not equal -0.
    if (std::bit_cast<uint32_t>(p.alpha) != std::bit_cast<uint32_t>(q.alpha))
        report.add([&] { return fmt::format("alpha: {} vs {}", p.alpha, q.alpha); });
    if (std::bit_cast<uint32_t>(p.beta) != std::bit_cast<uint32_t>(q.beta))
        report.add([&] { return fmt::format("beta: {} vs {}", p.beta, q.beta); });
    report.compare(extent(a.launch.grid), extent(b.launch.grid), "grid");
    report.compare(extent(a.launch.block), extent(b.launch.block), "block size");
}

void compare_array(Report& report, const Array& a, const Array& b, size_t index)
{
    const std::string what = "array " + (a.name == b.name ? a.name : fmt::format("number {}", index));
    report.compare(a.name, b.name, what + " name");
    report.compare(name(a.space), name(b.space), what + " space");
    report.compare(fmt::format("{} x {}", a.rows, a.cols), fmt::format("{} x {}", b.rows, b.cols), what + " extent");
    report.compare(a.element_bytes, b.element_bytes, what + " bytes per element");
    report.compare(a.bytes, b.bytes, what + " bytes");
    if (a.layout.empty() && b.layout.empty() && a.cols == b.cols && a.element_bytes == b.element_bytes)
        report.compare(a.row_bytes(), b.row_bytes(), what + " bytes from row to row");
    if (a.layout.empty() != b.layout.empty()) {
        report.add([&] { return only_in(b.layout.empty(), what + " layout"); });
        return;
    }
    // Another extent or size was reported above; where elements lie is comparable only within the same extent.
    if (a.cols != b.cols || a.layout.size() != b.layout.size())
        return;
    const auto at = std::mismatch(a.layout.begin(), a.layout.end(), b.layout.begin());
    if (at.first == a.layout.end())
        return;
    report.add([&] {
        const auto element = static_cast<size_t>(at.first - a.layout.begin());
        return fmt::format("{} layout: element ({},{}) at byte {} vs {}", what, element / a.cols, element % a.cols,
                           *at.first, *at.second);
    });
}

void compare_arrays(Report& report, const Recording& a, const Recording& b)
{
    const size_t both = std::min(a.arrays.size(), b.arrays.size());
    for (size_t i = 0; i < both; ++i)
        compare_array(report, a.arrays[i], b.arrays[i], i);
    for (const Recording* one : {&a, &b})
        for (size_t i = both; i < one->arrays.size(); ++i)
            report.add([&] { return only_in(one == &a, "array " + one->arrays[i].name); });
}

void compare_totals(Report& report, const Totals& a, const Totals& b, uint32_t line)
{
    const auto shared = [&](const SharedTotals& x, const SharedTotals& y, std::string_view what) {
        report.compare(x.instructions, y.instructions, fmt::format("line {} {} instructions", line, what));
        report.compare(x.wavefronts, y.wavefronts, fmt::format("line {} {} wavefronts", line, what));
        report.compare(x.conflicts, y.conflicts, fmt::format("line {} {} conflicts", line, what));
    };
    const auto global = [&](const GlobalTotals& x, const GlobalTotals& y, std::string_view what) {
        report.compare(x.requests, y.requests, fmt::format("line {} {} requests", line, what));
        report.compare(x.sectors, y.sectors, fmt::format("line {} {} sectors", line, what));
    };
    shared(a.shared_load, b.shared_load, "shared load");
    shared(a.shared_store, b.shared_store, "shared store");
    global(a.global_load, b.global_load, "global load");
    global(a.global_store, b.global_store, "global store");
}

void compare_lines(Report& report, const Recording& a, const Recording& b)
{
    auto left = a.lines.begin(), right = b.lines.begin();
    while (left != a.lines.end() || right != b.lines.end()) {
        const uint64_t l = left == a.lines.end() ? UINT64_MAX : left->line;
        const uint64_t r = right == b.lines.end() ? UINT64_MAX : right->line;
        if (l == r)
            compare_totals(report, (left++)->totals, (right++)->totals, static_cast<uint32_t>(l));
        else
            report.add([&] { return only_in(l < r, fmt::format("totals of line {}", std::min(l, r))); });
        if (l < r)
            ++left;
        if (r < l)
            ++right;
    }
}

std::string owner_name(const Recording& recording, uint32_t owner)
{
    if (owner == no_owner)
        return "nobody";
    const uint32_t threads = std::max(recording.launch.threads_per_block(), 1u);
    return fmt::format("thread {} of block {}", owner % threads, owner / threads);
}

void compare_owner(Report& report, const Recording& a, const Recording& b)
{
    if (a.owner.size() != b.owner.size()) {
        report.add([&] { return fmt::format("owners: of {} elements vs {}", a.owner.size(), b.owner.size()); });
        return;
    }
    const auto at = std::mismatch(a.owner.begin(), a.owner.end(), b.owner.begin());
    if (at.first == a.owner.end())
        return;
    report.add([&] {
        size_t count = 0;
        for (size_t i = 0; i < a.owner.size(); ++i)
            count += a.owner[i] != b.owner[i];
        const auto element = static_cast<size_t>(at.first - a.owner.begin());
        const uint32_t cols = std::max(a.problem.N, 1u);
        return fmt::format("owners: {} of {} elements differ, the first is C({},{}): {} vs {}", count, a.owner.size(),
                           element / cols, element % cols, owner_name(a, *at.first), owner_name(b, *at.second));
    });
}

// The two sides of one access, and where it stands.
struct AccessPair {
    const Recording& in_a;
    const Recording& in_b;
    const Access& a;
    const Access& b;
};

// What the offsets of an access count.
std::string_view offset_name(const Access& access)
{
    if (has_addresses(access))
        return "byte";
    return access.op == Op::shuffle ? "lane" : "barrier";
}

std::string_view transposition(const Access& access)
{
    return access.transposed == Transposed::yes ? "transposed" : "not transposed";
}

// Two accesses of which one does not know whether it was transposed do not contradict each other in that.
bool differ_in_transposition(const Access& a, const Access& b)
{
    return a.transposed != b.transposed && a.transposed != Transposed::unknown && b.transposed != Transposed::unknown;
}

bool same(const Access& a, Access b)
{
    if (!differ_in_transposition(a, b))
        b.transposed = a.transposed;
    return a == b;
}

std::string describe(const AccessPair& pair, const std::string& place)
{
    const auto& [in_a, in_b, a, b] = pair;
    std::string sentence = place;
    if (a.line == b.line)
        sentence += fmt::format(" (line {}):", a.line);
    else
        sentence += fmt::format(": line {} vs {},", a.line, b.line);
    if (a.op != b.op)
        sentence += fmt::format(" {} vs {},", name(a.op), name(b.op));
    else
        sentence += fmt::format(" {},", name(a.op));
    if (a.array != b.array)
        sentence += fmt::format(" array {} vs {},", array_name(in_a, a.array), array_name(in_b, b.array));
    else if (has_addresses(a))
        sentence += fmt::format(" array {},", array_name(in_a, a.array));
    if (a.width != b.width && has_addresses(a))
        sentence += fmt::format(" {} vs {} bytes per lane,", a.width, b.width);
    else if (a.width != b.width)
        sentence += fmt::format(" {} vs {} groups,", a.width, b.width); // only async_wait has a width of its own
    if (differ_in_transposition(a, b))
        sentence += fmt::format(" {} vs {},", transposition(a), transposition(b));
    if (a.mask != b.mask)
        sentence += fmt::format(" mask {:08x} vs {:08x},", a.mask, b.mask);
    const auto [first, other] = std::mismatch(a.offset.begin(), a.offset.end(), b.offset.begin());
    if (first != a.offset.end())
        sentence += fmt::format(" lane {} at {} {} vs {},", first - a.offset.begin(), offset_name(a), *first, *other);
    sentence.pop_back();
    return sentence;
}

void compare_trace(Report& report, const Recording& a, const Recording& b, const BlockTrace& left,
                   const BlockTrace& right)
{
    const std::string block = "block " + text(left.block);
    report.compare(left.warps.size(), right.warps.size(), block + " warps");
    for (size_t warp = 0; warp < std::min(left.warps.size(), right.warps.size()); ++warp) {
        const std::vector<Access>& x = left.warps[warp].accesses;
        const std::vector<Access>& y = right.warps[warp].accesses;
        report.compare(x.size(), y.size(), fmt::format("{} warp {} accesses", block, warp));
        for (size_t i = 0; i < std::min(x.size(), y.size()); ++i)
            if (!same(x[i], y[i]))
                report.add([&] {
                    return describe({a, b, x[i], y[i]}, fmt::format("{} warp {} access {}", block, warp, i));
                });
    }
}

void compare_blocks(Report& report, const Recording& a, const Recording& b)
{
    // Which blocks were chosen matters, in which order does not.
    const auto sorted = [](const Recording& recording) {
        std::map<std::tuple<uint32_t, uint32_t, uint32_t>, const BlockTrace*> blocks;
        for (const BlockTrace& trace : recording.blocks)
            blocks[{trace.block.z, trace.block.y, trace.block.x}] = &trace;
        return blocks;
    };
    const auto left = sorted(a), right = sorted(b);
    for (const auto& block : left) {
        const auto other = right.find(block.first);
        if (other == right.end())
            report.add([&] { return only_in(true, "trace of block " + text(block.second->block)); });
        else
            compare_trace(report, a, b, *block.second, *other->second);
    }
    for (const auto& block : right)
        if (!left.contains(block.first))
            report.add([&] { return only_in(false, "trace of block " + text(block.second->block)); });
}

} // namespace

std::vector<std::string> differences(const Recording& a, const Recording& b, size_t limit)
{
    Report report(limit);
    report.compare(a.stage, b.stage, "stage");
    compare_parameters(report, a, b);
    compare_launch(report, a, b);
    compare_arrays(report, a, b);
    compare_lines(report, a, b);
    compare_owner(report, a, b);
    compare_blocks(report, a, b);
    return report.finish();
}

} // namespace recording
