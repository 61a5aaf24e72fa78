#include "ptx/types.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ptx {

namespace {

using Row = std::pair<std::string_view, Type>;
constexpr std::array rows = {
    Row{"pred", Type::pred}, Row{"b8", Type::b8},         Row{"b16", Type::b16},       Row{"b32", Type::b32},
    Row{"b64", Type::b64},   Row{"b128", Type::b128},     Row{"u8", Type::u8},         Row{"u16", Type::u16},
    Row{"u32", Type::u32},   Row{"u64", Type::u64},       Row{"s8", Type::s8},         Row{"s16", Type::s16},
    Row{"s32", Type::s32},   Row{"s64", Type::s64},       Row{"f16", Type::f16},       Row{"f16x2", Type::f16x2},
    Row{"bf16", Type::bf16}, Row{"bf16x2", Type::bf16x2}, Row{"tf32", Type::tf32},     Row{"f32", Type::f32},
    Row{"f64", Type::f64},   Row{"e4m3x2", Type::e4m3x2}, Row{"e5m2x2", Type::e5m2x2}, Row{"e4m3", Type::e4m3},
    Row{"e5m2", Type::e5m2},
};

} // namespace

std::optional<Type> type_of(std::string_view word)
{
    const auto found = std::ranges::find(rows, word, &Row::first);
    return found == rows.end() ? std::nullopt : std::optional(found->second);
}

int bits_of(Type type)
{
    switch (type) {
    case Type::none: return 0;
    case Type::pred: return 1;
    case Type::b8:
    case Type::u8:
    case Type::s8:
    case Type::e4m3:
    case Type::e5m2: return 8;
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::f16:
    case Type::bf16:
    case Type::e4m3x2:
    case Type::e5m2x2: return 16;
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64: return 64;
    case Type::b128: return 128;
    default: return 32;
    }
}

bool is_float(Type type)
{
    return type >= Type::f16;
}

bool is_signed(Type type)
{
    return type >= Type::s8 && type <= Type::s64;
}

Words::Words(std::string_view whole) : name(whole)
{
    std::size_t at = 0;
    while (at <= whole.size()) {
        const std::size_t end = std::min(whole.find('.', at), whole.size());
        const std::string_view word = whole.substr(at, end - at);
        if (at == 0)
            first = word;
        else
            rest.push_back(word);
        if (const std::optional<Type> type = type_of(word); type && at > 0)
            types.push_back(*type);
        at = end + 1;
    }
}

bool Words::has(std::string_view word) const
{
    return std::ranges::find(rest, word) != rest.end();
}

} // namespace ptx
