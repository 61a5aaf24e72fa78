#include "recording/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <ranges>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace recording {

namespace {

// Names of a struct's members in sentences, in member order. Members without a name, and those after the last name, are
// compared elsewhere or not at all.
using Names = std::vector<const char*>;
Names names_of(const Parameter&)
{
    return {"name", "value"};
}
Names names_of(const Problem&)
{
    return {"M", "N", "K", "alpha", "beta"};
}
Names names_of(const Launch&)
{
    return {"grid", "block"};
}
Names names_of(const Array&)
{
    return {"name", "space", "rows", "columns", "bytes per element", "bytes"};
}
Names names_of(const Totals&)
{
    return {"shared load",   "shared store",           "global load",           "global store",
            "shared atomic", "global atomic",          "constant load",         "bulk load",
            "bulk store",    "cost of shared atomics", "cost of global atomics"};
}
Names names_of(const AtomicTotals&)
{
    return {"instructions", "lanes", "lanes one after another"};
}
Names names_of(const ConstantTotals&)
{
    return {"instructions", "passes"};
}
Names names_of(const BulkTotals&)
{
    return {"copies", "bytes"};
}
Names names_of(const SharedTotals&)
{
    return {"instructions", "wavefronts", "conflicts"};
}
Names names_of(const GlobalTotals&)
{
    return {"requests", "sectors"};
}
Names names_of(const Access& access)
{
    const char* width = has_addresses(access) ? "bytes per lane" : "groups"; // groups are for waits for copies
    return {"operation", nullptr, width, "transposed", "line", nullptr, nullptr, "machine instruction"};
}

template <class T>
inline constexpr bool is_numbers = // indexed by element or lane, so they have no names
    std::ranges::range<T> && !std::is_convertible_v<T, std::string_view>;

// Returns the key that identifies an entry in a list whose order has no meaning.
std::string key_of(const Parameter& parameter)
{
    return parameter.name;
}
uint32_t key_of(const LineTotals& line)
{
    return line.line;
}
auto key_of(const BlockTrace& trace)
{
    return std::tuple(trace.block.z, trace.block.y, trace.block.x);
}

template <class T>
std::string words(const T& value)
{
    if constexpr (std::is_same_v<T, Index3>)
        return fmt::format("({},{},{})", value.x, value.y, value.z);
    else if constexpr (std::is_same_v<T, Space>)
        return value == Space::shared ? "shared" : "global";
    else if constexpr (std::is_same_v<T, Transposed>)
        return value == Transposed::yes ? "yes" : "no";
    else if constexpr (std::is_same_v<T, AtomicRule>)
        return {}; // follows from the instruction
    else if constexpr (std::is_same_v<T, Op>)
        return std::string(name(value));
    else if constexpr (std::is_same_v<T, Parameter>)
        return "parameter " + value.name;
    else if constexpr (std::is_same_v<T, LineTotals>)
        return fmt::format("line {}", value.line);
    else if constexpr (std::is_same_v<T, BlockTrace>)
        return "block " + words(value.block);
    else
        return fmt::format("{}", value);
}

bool same(const auto& a, const auto& b)
{
    return a == b;
}
bool same(float a, float b) // compares bits: NaN equals itself, 0 differs from -0
{
    return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}
bool same(Transposed a, Transposed b) // unknown equals everything
{
    return a == b || a == Transposed::unknown || b == Transposed::unknown;
}

// Returns the meaning of an access's offsets.
std::string_view offset_name(const Access& access)
{
    return has_addresses(access) ? "byte" : access.op == Op::shuffle ? "lane" : "barrier";
}

class Comparison {
public:
    Comparison(const Recording& first, const Recording& second, size_t most) : in_a(first), in_b(second), limit(most) {}

    std::vector<std::string> run()
    {
        compare("stage", in_a.stage, in_b.stage);
        compare_by_key(in_a.parameters, in_b.parameters);
        compare("problem", in_a.problem, in_b.problem);
        compare("launch", in_a.launch, in_b.launch);
        compare_arrays();
        compare_by_key(in_a.lines, in_b.lines);
        compare_elements("owners", in_a.owner, in_b.owner, in_a.problem.N, [](const Recording& in, uint32_t owner) {
            const uint32_t threads = std::max(in.launch.threads_per_block(), 1u);
            return owner == no_owner ? "nobody"
                                     : fmt::format("thread {} of block {}", owner % threads, owner / threads);
        });
        compare_by_key(in_a.blocks, in_b.blocks);
        if (left_out > 0)
            sentences.push_back(fmt::format("... and {} more", left_out));
        return std::move(sentences);
    }

private:
    // Keeps the first sentences and only counts the others.
    template <class... Values>
    void add(const std::string& place, fmt::format_string<Values...> what, const Values&... values)
    {
        if (sentences.size() == limit)
            ++left_out;
        else
            sentences.push_back(place + ": " + fmt::vformat(what, fmt::make_format_args(values...)));
    }

    // Compares structs member by member: "line 4, global load, sectors: 48 vs 49".
    template <class T>
    void compare(const std::string& place, const T& a, const T& b)
    {
        if constexpr (requires { names_of(a); }) {
            const auto all_of_a = kernels::members(a), all_of_b = kernels::members(b);
            const Names names = names_of(a);
            const auto compare_one = [&](size_t i, const auto& x, const auto& y) {
                if constexpr (!is_numbers<decltype(x)>)
                    if (i < names.size() && names[i] != nullptr)
                        compare(fmt::format("{}, {}", place, names[i]), x, y);
            };
            const auto compare_all = [&]<size_t... i>(std::index_sequence<i...>)
            {
                (compare_one(i, std::get<i>(all_of_a), std::get<i>(all_of_b)), ...);
            };
            compare_all(std::make_index_sequence<std::tuple_size_v<decltype(all_of_a)>>());
        } else if constexpr (std::is_same_v<T, LineTotals>) {
            compare(place, a.totals, b.totals);
        } else if (!same(a, b)) {
            add(place, "{} vs {}", words(a), words(b));
        }
    }

    template <class T>
    void compare_by_key(const std::vector<T>& a, const std::vector<T>& b)
    {
        std::map<decltype(key_of(a[0])), std::pair<const T*, const T*>> all;
        for (const T& one : a)
            all[key_of(one)].first = &one;
        for (const T& one : b)
            all[key_of(one)].second = &one;
        for (const auto& [key, both] : all)
            if (both.first == nullptr || both.second == nullptr)
                add_only_in(both.second == nullptr, words(both.first == nullptr ? *both.second : *both.first));
            else
                compare(words(*both.first), *both.first, *both.second);
    }

    void add_only_in(bool first, const std::string& place)
    {
        add(place, "only in the {} recording", first ? "first" : "second");
    }

    // Compares numbers that belong to the elements of a matrix.
    template <class Words>
    void compare_elements(const std::string& place, const std::vector<uint32_t>& a, const std::vector<uint32_t>& b,
                          uint32_t cols, Words number_words)
    {
        if (a.size() != b.size())
            return add(place, "of {} elements vs {}", a.size(), b.size());
        const auto [x, y] = std::ranges::mismatch(a, b);
        if (x == a.end())
            return;
        size_t count = 0;
        for (size_t i = 0; i < a.size(); ++i)
            count += a[i] != b[i];
        const auto element = static_cast<size_t>(x - a.begin());
        add(place, "{} of {} elements differ, the first is ({},{}): {} vs {}", count, a.size(),
            element / std::max(cols, 1u), element % std::max(cols, 1u), number_words(in_a, *x), number_words(in_b, *y));
    }

    void compare_arrays()
    {
        const std::vector<Array>&a = in_a.arrays, &b = in_b.arrays;
        for (size_t i = 0; i < std::max(a.size(), b.size()); ++i)
            if (i >= a.size() || i >= b.size())
                add_only_in(i < a.size(), "array " + (i < a.size() ? a : b)[i].name);
            else
                compare_array(a[i].name == b[i].name ? "array " + a[i].name : fmt::format("array number {}", i), a[i],
                              b[i]);
    }

    void compare_array(const std::string& place, const Array& a, const Array& b)
    {
        compare<Array>(place, a, b);
        if (a.cols != b.cols || a.element_bytes != b.element_bytes)
            return; // positions of elements are comparable only if the extents are equal
        if (a.layout.empty() != b.layout.empty())
            add_only_in(b.layout.empty(), place + ", layout");
        else if (a.layout.empty())
            compare(place + ", bytes from row to row", a.row_bytes(), b.row_bytes());
        else
            compare_elements(place + ", layout", a.layout, b.layout, a.cols,
                             [](const Recording&, uint32_t offset) { return fmt::format("byte {}", offset); });
    }

    void compare(const std::string& place, const BlockTrace& a, const BlockTrace& b)
    {
        compare(place + ", warps", a.warps.size(), b.warps.size());
        for (size_t warp = 0; warp < std::min(a.warps.size(), b.warps.size()); ++warp) {
            const std::vector<Access>&x = a.warps[warp].accesses, &y = b.warps[warp].accesses;
            const std::string of_warp = fmt::format("{}, warp {}", place, warp);
            compare(of_warp + ", accesses", x.size(), y.size());
            for (size_t i = 0; i < std::min(x.size(), y.size()); ++i)
                if (x[i] != y[i])
                    compare_access(fmt::format("{}, access {}", of_warp, i), x[i], y[i]);
        }
    }

    // "block (1,2,0), warp 0, access 1 (shared store in line 5, array As), lane 3: byte 60 vs 64"
    void compare_access(std::string place, const Access& a, const Access& b)
    {
        place += fmt::format(" ({} in line {}", name(a.op), a.line);
        place += has_addresses(a) ? fmt::format(", array {})", array_name(in_a, a.array)) : ")";
        compare<Access>(place, a, b);
        if (a.array != b.array)
            add(place + ", array", "{} vs {}", array_name(in_a, a.array), array_name(in_b, b.array));
        if (a.mask != b.mask)
            add(place + ", mask", "{:08x} vs {:08x}", a.mask, b.mask);
        if (const auto [x, y] = std::ranges::mismatch(a.offset, b.offset); x != a.offset.end())
            add(fmt::format("{}, lane {}", place, x - a.offset.begin()), "{} {} vs {}", offset_name(a), *x, *y);
    }

    static std::string array_name(const Recording& in, size_t index)
    {
        return index < in.arrays.size() ? in.arrays[index].name : fmt::format("number {}", index);
    }

    const Recording& in_a;
    const Recording& in_b;
    size_t limit, left_out = 0;
    std::vector<std::string> sentences;
};

} // namespace

std::vector<std::string> differences(const Recording& a, const Recording& b, size_t limit)
{
    return Comparison(a, b, limit).run();
}

} // namespace recording
