#include "viz/analysis/mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace viz {

namespace {

constexpr int64_t largest_place = 1 << 20; // far larger than a block's shared memory
constexpr uint64_t largest_tile = 227 * 1024;

struct Operator {
    std::string_view sign;
    int level = 0; // higher levels bind tighter, as in C
};
constexpr std::array<Operator, 10> operators = {
    {{"|", 1}, {"^", 2}, {"&", 3}, {"<<", 4}, {">>", 4}, {"+", 5}, {"-", 5}, {"*", 6}, {"/", 6}, {"%", 6}}};

// Parses and evaluates in one pass. Stops at the first problem.
class Evaluation {
public:
    Evaluation(std::string_view formula, std::span<const NamedNumber> known) : text(formula), names(known) {}

    FormulaValue run()
    {
        const int64_t value = expression(1);
        skip_blanks();
        if (!problem && at < text.size())
            fail({"layout.not_expected", {{"text", text.substr(at)}}});
        if (problem)
            return {{}, problem};
        return {value, {}};
    }

private:
    void skip_blanks()
    {
        while (at < text.size() && text[at] == ' ')
            ++at;
    }

    int64_t fail(Message why)
    {
        if (!problem)
            problem = std::move(why);
        at = text.size();
        return 0;
    }

    const Operator* next_operator()
    {
        skip_blanks();
        for (const Operator& candidate : operators)
            if (text.substr(at, candidate.sign.size()) == candidate.sign)
                return &candidate;
        return nullptr;
    }

    int64_t expression(int level)
    {
        if (++depth > 64)
            return fail({"layout.too_deep"});
        int64_t value = operand();
        for (const Operator* op = next_operator(); op && op->level >= level; op = next_operator()) {
            at += op->sign.size();
            value = apply(op->sign, value, expression(op->level + 1));
        }
        --depth;
        return value;
    }

    int64_t apply(std::string_view sign, int64_t left, int64_t right)
    {
        if ((sign == "/" || sign == "%") && right == 0)
            return fail({"layout.by_zero"});
        if (sign == "<<" || sign == ">>") {
            if (right < 0 || right > 20)
                return fail({"layout.shift"});
            return sign == "<<" ? bounded(left * (int64_t{1} << right)) : left >> right;
        }
        switch (sign[0]) {
        case '|': return left | right;
        case '^': return left ^ right;
        case '&': return left & right;
        case '+': return bounded(left + right);
        case '-': return bounded(left - right);
        case '*': return bounded(left * right);
        case '/': return left / right;
        default: return left % right;
        }
    }

    // Limits the value so that the next operation cannot overflow.
    int64_t bounded(int64_t value)
    {
        return value > largest_place || value < -largest_place ? fail({"layout.too_large"}) : value;
    }

    int64_t operand()
    {
        skip_blanks();
        if (at >= text.size())
            return fail({"layout.unfinished"});
        const char first = text[at];
        if (first == '(') {
            ++at;
            const int64_t value = expression(1);
            skip_blanks();
            if (at >= text.size() || text[at] != ')')
                return fail({"layout.unclosed"});
            ++at;
            return value;
        }
        if (first == '-' || first == '~') {
            ++at;
            if (++depth > 64)
                return fail({"layout.too_deep"});
            const int64_t value = operand();
            --depth;
            return first == '-' ? -value : ~value;
        }
        if (std::isdigit(static_cast<unsigned char>(first)))
            return number();
        return name();
    }

    int64_t number()
    {
        int64_t value = 0;
        while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])))
            value = bounded(value * 10 + (text[at++] - '0'));
        return value;
    }

    // A name may be that of a member or of a function without arguments, as in source code: "P.BM", "P.threads()".
    int64_t name()
    {
        const auto is_first = [&](std::size_t i) {
            return i < text.size() && (std::isalpha(static_cast<unsigned char>(text[i])) || text[i] == '_');
        };
        std::size_t end = at;
        while (is_first(end) ||
               (end > at && end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ||
               (end > at && text.substr(end, 1) == "." && is_first(end + 1)))
            ++end;
        if (end > at && text.substr(end, 2) == "()")
            end += 2;
        const std::string_view word = text.substr(at, end - at);
        const auto found = std::ranges::find(names, word, &NamedNumber::name);
        if (found != names.end()) {
            at = end;
            return found->value;
        }
        Value::List known;
        for (const NamedNumber& one : names)
            known.emplace_back(one.name);
        return fail({"layout.unknown_name", {{"name", word.empty() ? text.substr(at, 1) : word}, {"known", known}}});
    }

    std::string_view text;
    std::span<const NamedNumber> names;
    std::size_t at = 0;
    int depth = 0;
    std::optional<Message> problem;
};

FormulaValue place_by(const recording::Array& tile, const Mapping& mapping, uint32_t row, uint32_t col)
{
    const auto r = static_cast<int64_t>(row), c = static_cast<int64_t>(col), cols = static_cast<int64_t>(tile.cols);
    switch (mapping.kind) {
    case Mapping::Kind::recorded: return {static_cast<int64_t>(tile.offset_of(row, col) / tile.element_bytes), {}};
    case Mapping::Kind::row_major: return {r * cols + c, {}};
    case Mapping::Kind::padded: return {r * (cols + mapping.padding) + c, {}};
    case Mapping::Kind::xored: {
        const int64_t source = mapping.bits == Mapping::Bits::of_row ? r : c;
        const int64_t flipped = (source >> mapping.from) & ((int64_t{1} << mapping.count) - 1);
        return {r * cols + (c ^ (flipped << mapping.to)), {}};
    }
    case Mapping::Kind::typed: break;
    }
    const NamedNumber names[] = {{"row", r}, {"col", c}, {"rows", static_cast<int64_t>(tile.rows)}, {"cols", cols}};
    return evaluate(mapping.formula, names);
}

} // namespace

std::vector<Mapping> all_xors()
{
    std::vector<Mapping> all;
    Mapping one{.kind = Mapping::Kind::xored};
    for (one.count = 1; one.count <= most_bits; ++one.count)
        for (const Mapping::Bits bits : {Mapping::Bits::of_row, Mapping::Bits::of_col})
            for (one.from = 0; one.from <= most_bit; ++one.from)
                for (one.to = 0; one.to <= most_bit; ++one.to) {
                    one.bits = bits;
                    all.push_back(one);
                }
    return all;
}

FormulaValue evaluate(std::string_view formula, std::span<const NamedNumber> names)
{
    return Evaluation(formula, names).run();
}

std::string formula_of(const Mapping& mapping)
{
    switch (mapping.kind) {
    case Mapping::Kind::padded: return fmt::format("row*(cols + {}) + col", mapping.padding);
    case Mapping::Kind::xored: { // without shifts by 0: "row*cols + (col ^ (row & 7))"
        const char* const source = mapping.bits == Mapping::Bits::of_row ? "row" : "col";
        const std::string shifted = mapping.from == 0 ? source : fmt::format("{} >> {}", source, mapping.from);
        const std::string kept = fmt::format("({} & {})", shifted, (1 << mapping.count) - 1);
        return fmt::format("row*cols + (col ^ {})",
                           mapping.to == 0 ? kept : fmt::format("({} << {})", kept, mapping.to));
    }
    case Mapping::Kind::typed: return mapping.formula;
    default: return "row*cols + col";
    }
}

std::string flip_steps(const Mapping& mapping, uint32_t row, uint32_t col)
{
    if (mapping.kind != Mapping::Kind::xored)
        return {};
    const uint32_t from = mapping.bits == Mapping::Bits::of_row ? row : col, all = (1u << mapping.count) - 1;
    const uint32_t shifted = from >> mapping.from, kept = shifted & all;
    return (mapping.from == 0 ? "" : fmt::format("{} >> {} = {}, ", from, mapping.from, shifted)) +
           fmt::format("{} & {} = {}", shifted, all, kept) +
           (mapping.to == 0 ? "" : fmt::format(", {} << {} = {}", kept, mapping.to, kept << mapping.to));
}

std::optional<Mapping> recorded_mapping(const recording::Array& tile)
{
    const auto is_that = [&](const Mapping& mapping) {
        for (uint32_t row = 0; row < tile.rows; ++row)
            for (uint32_t col = 0; col < tile.cols; ++col)
                if (uint64_t(*place_by(tile, mapping, row, col).value) * tile.element_bytes != tile.offset_of(row, col))
                    return false;
        return true;
    };
    if (tile.element_bytes == 0)
        return {};
    Mapping mapping{.kind = Mapping::Kind::row_major};
    if (is_that(mapping))
        return mapping;
    mapping.kind = Mapping::Kind::padded;
    for (mapping.padding = 1; mapping.padding <= most_padding; ++mapping.padding)
        if (is_that(mapping))
            return mapping;
    const std::vector<Mapping> xors = all_xors();
    const auto found = std::ranges::find_if(xors, is_that);
    return found == xors.end() ? std::nullopt : std::optional(*found);
}

FlippedBits flipped_bits(const Mapping& mapping, uint32_t row, uint32_t col)
{
    if (mapping.kind != Mapping::Kind::xored)
        return {};
    const uint32_t mask = ((1u << mapping.count) - 1) << mapping.from;
    const uint32_t source = (mapping.bits == Mapping::Bits::of_row ? row : col) & mask;
    return {mask, source >> mapping.from << mapping.to, mapping.to - mapping.from};
}

Places places_of(const recording::Array& tile, const Mapping& mapping)
{
    Places places;
    places.place.reserve(std::size_t{tile.rows} * tile.cols);
    std::vector<std::pair<uint32_t, uint32_t>> taken; // position, index of the element
    uint64_t size = 0;
    for (uint32_t row = 0; row < tile.rows; ++row)
        for (uint32_t col = 0; col < tile.cols; ++col) {
            const FormulaValue value = place_by(tile, mapping, row, col);
            if (!value.value) {
                places.refusal = Message{"layout.unreadable", {{"why", *value.refusal}}};
                return places;
            }
            if (*value.value < 0) {
                places.refusal = Message{"layout.before_tile",
                                         {{"row", index(row)}, {"col", index(col)}, {"place", index(*value.value)}}};
                return places;
            }
            const auto place = static_cast<uint32_t>(*value.value);
            taken.emplace_back(place, static_cast<uint32_t>(places.place.size()));
            places.place.push_back(place);
            size = std::max(size, uint64_t{place} + 1);
        }
    places.bytes = size * tile.element_bytes;
    if (mapping.kind == Mapping::Kind::recorded)
        places.bytes = tile.bytes;
    std::sort(taken.begin(), taken.end());
    const auto twice =
        std::adjacent_find(taken.begin(), taken.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
    if (twice != taken.end())
        places.refusal = Message{"layout.twice",
                                 {{"row", index(twice->second / tile.cols)},
                                  {"col", index(twice->second % tile.cols)},
                                  {"other_row", index((twice + 1)->second / tile.cols)},
                                  {"other_col", index((twice + 1)->second % tile.cols)},
                                  {"place", index(twice->first)}}};
    else if (places.bytes > largest_tile)
        places.refusal = Message{"layout.tile_too_large", {{"bytes", places.bytes}, {"most", largest_tile}}};
    return places;
}

} // namespace viz
