#include "machine_code/cubin.h"

#include "machine_code/elf.h"
#include "machine_code/line_table.h"
#include "machine_code/opcodes.h"

#include <fmt/format.h>

#include <algorithm>

namespace cuda {

namespace {

using kernels::Instruction;

constexpr uint64_t instruction_bytes = 16;

struct Element {
    const char* suffix;
    int bytes;
};

Element element_of(uint64_t high)
{
    constexpr Element elements[] = {{".U8", 1}, {".S8", 1}, {".U16", 2},  {".S16", 2},
                                    {"", 4},    {".64", 8}, {".128", 16}, {".U.128", 16}};
    return elements[high >> 9 & 7];
}

// "@P0", "@!P3"; predicate 7 is always true, "@!PT" never.
std::string predicate_of(uint64_t low)
{
    const uint64_t number = low >> 12 & 7;
    const bool negated = (low >> 15 & 1) != 0;
    if (number == 7)
        return negated ? "@!PT" : "";
    return fmt::format("@{}P{}", negated ? "!" : "", number);
}

std::string_view code_of(std::string_view cubin, std::string_view kernel)
{
    const std::string name = fmt::format(".text.{}", kernel);
    const auto code = find_section(cubin, name);
    if (!code)
        throw kernels::Error(fmt::format("The compiled kernel has no section {}.", name));
    return *code;
}

} // namespace

Instruction decode_instruction(uint32_t address, uint64_t low, uint64_t high)
{
    Instruction result{.address = address, .predicate = predicate_of(low)};
    if (result.predicate == "@!PT") {
        result.name = "NOP"; // whatever it would do
        return result;
    }
    const Opcode* opcode = opcode_of(low);
    if (!opcode)
        return result;
    result.name = opcode->name;
    result.op = opcode->op;
    if (opcode->width == Width::elements) {
        const Element element = element_of(high);
        result.name += element.suffix;
        result.width = element.bytes;
    } else if (opcode->width == Width::matrices) {
        const int matrices = 1 << (high >> 8 & 3);
        result.name +=
            fmt::format(".16.{}88{}", high >> 14 & 1 ? "MT" : "M", matrices == 1 ? "" : fmt::format(".{}", matrices));
        result.width = 4 * matrices; // a lane gets four bytes of each
    }
    return result;
}

std::vector<Instruction> instructions(std::string_view cubin, std::string_view kernel)
{
    const std::string_view code = code_of(cubin, kernel);
    // Through the PTX: the table that leads from machine code straight to the source leaves out rows where only the caller
    // of an inlined function changes, and every access of a view is one.
    std::vector<SourceRow> rows = source_rows(cubin, kernel, ptx_table).rows;
    std::ranges::stable_sort(rows, {}, &SourceRow::address);
    std::vector<Instruction> result;
    for (uint64_t at = 0; at + instruction_bytes <= code.size(); at += instruction_bytes) {
        const auto low = read_at<uint64_t>(code, at), high = read_at<uint64_t>(code, at + 8);
        result.push_back(decode_instruction(static_cast<uint32_t>(at), low, high));
        result.back().ptx_line = line_at(rows, at);
    }
    return result;
}

// The distance in words of four bytes from the instruction behind the branch: its low eight bits, and those above them, apart.
std::vector<CodeLoop> loops(std::string_view cubin, std::string_view kernel)
{
    constexpr uint64_t branch = 0x147, kind = 0x1ff;
    const std::string_view code = code_of(cubin, kernel);
    std::vector<CodeLoop> result;
    for (uint64_t at = 0; at + instruction_bytes <= code.size(); at += instruction_bytes) {
        const auto low = read_at<uint64_t>(code, at), high = read_at<uint64_t>(code, at + 8);
        if ((low & kind) != branch)
            continue;
        const uint64_t upper = low >> 34 | (high & 0x3ffff) << 30; // 48 bits, signed
        const auto words = static_cast<int64_t>(upper << 16) >> 16 << 8 | static_cast<int64_t>(low >> 16 & 0xff);
        const int64_t target = static_cast<int64_t>(at + instruction_bytes) + 4 * words;
        if (target >= 0 && target < static_cast<int64_t>(at))
            result.push_back({static_cast<uint32_t>(target), static_cast<uint32_t>(at)});
    }
    return result;
}

// Attributes of the section .nv.info: two bytes of kind, two of length; those with a length of their own are followed by it.
std::optional<ThreadResources> thread_resources(std::string_view cubin, std::string_view kernel)
{
    constexpr uint8_t with_length = 4, frame_size = 0x11, register_count = 0x2f;
    const std::optional<std::string_view> info = find_section(cubin, ".nv.info");
    const std::optional<uint32_t> symbol = find_symbol(cubin, kernel);
    ThreadResources result;
    for (uint64_t at = 0; info && symbol && at + 4 <= info->size();) {
        const auto format = read_at<uint8_t>(*info, at), attribute = read_at<uint8_t>(*info, at + 1);
        const uint64_t length = format == with_length ? read_at<uint16_t>(*info, at + 2) : 0;
        if (length >= 8 && (attribute == register_count || attribute == frame_size) &&
            read_at<uint32_t>(*info, at + 4) == *symbol)
            (attribute == register_count ? result.registers : result.local_bytes) = read_at<uint32_t>(*info, at + 8);
        at += 4 + length;
    }
    return result.registers > 0 ? std::optional(result) : std::nullopt;
}

} // namespace cuda
