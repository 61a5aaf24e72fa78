#include "machine_code/cubin.h"

#include "machine_code/elf.h"
#include "machine_code/line_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

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

// Returns the guard: "@P0", "@!P3". Predicate 7 is always true, so "@!PT" never runs.
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

// Returns what an atomic operation on shared memory does: "ADD", "POPC.INC" if it adds a constant 1 and its result is
// unused, "CAS", or "CAST.SPIN" if it is a part of a loop that the compiler made.
const char* atomic_of(bool swaps_if_equal, uint64_t high)
{
    constexpr const char* names[] = {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH", "", "", "POPC.INC"};
    const uint64_t operation = high >> 23 & 15;
    if (swaps_if_equal)
        return operation == 0 ? "CAS" : "CAST.SPIN";
    return operation < std::size(names) ? names[operation] : "";
}

} // namespace

Instruction decode_instruction(uint32_t address, uint64_t low, uint64_t high)
{
    Instruction result{.address = address, .predicate = predicate_of(low)};
    if (result.predicate == "@!PT") {
        result.name = "NOP"; // no lane runs it
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
    } else if (result.name.starts_with("ATOMS")) {
        const std::string operation = atomic_of(result.name == "ATOMS.CAS", high);
        result.name = operation.empty() ? "ATOMS" : "ATOMS." + operation;
    } else if (opcode->width == Width::matrices) {
        const int matrices = 1 << (high >> 8 & 3);
        result.name +=
            fmt::format(".16.{}88{}", high >> 14 & 1 ? "MT" : "M", matrices == 1 ? "" : fmt::format(".{}", matrices));
        result.width = 4 * matrices; // each lane gets four bytes of each matrix
    }
    return result;
}

std::vector<Instruction> instructions(std::string_view cubin, std::string_view kernel)
{
    const std::string_view code = code_of(cubin, kernel);
    // Finds source lines through the lines of the PTX. The table that leads from machine code directly to the source
    // omits rows where only the caller of an inlined function changes. Every access of a view is such a function.
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

// A branch contains its distance from the next instruction in units of four bytes. The low eight bits are apart.
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

// Each attribute of the section .nv.info has two bytes for its kind and two for a length or a value. An attribute with
// a length is followed by that many bytes.
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

namespace {

using recording::Op;

// The opcodes of accesses to memory, barriers and arithmetic were found by compiling PTX of each kind, as
// tests/kernels/machine_code/machine_code_test.cpp does. The other names are NVIDIA's for the encodings that ptxas 13.0
// produces for the ladder. tests/kernels/cuda/compiled_stages_test.cpp checks that none of them is unknown.
constexpr auto opcodes = std::to_array<Opcode>({
    // Memory.
    {0x181, "LDG", Width::elements, Op::global_load},
    {0x186, "STG", Width::elements, Op::global_store},
    {0x184, "LDS", Width::elements, Op::shared_load},
    {0x188, "STS", Width::elements, Op::shared_store},
    {0x183, "LDL", Width::elements},
    {0x187, "STL", Width::elements},
    {0x180, "LD", Width::elements},
    {0x185, "ST", Width::elements},
    {0x1ae, "LDGSTS", Width::elements, Op::async_load},
    {0x03b, "LDSM", Width::matrices, Op::matrix_load},
    {0x044, "STSM", Width::matrices},
    {0x18c, "ATOMS"},
    {0x18d, "ATOMS.CAS"},
    {0x18a, "ATOM"},
    {0x1a8, "ATOMG"},
    {0x1a9, "ATOMG.CAS"},
    {0x18e, "RED"},
    {0x1a6, "REDG"},
    {0x1b4, "UTMALDG"},
    {0x1b5, "UTMASTG"},
    {0x1ba, "UBLKCP"},
    {0x18f, "CCTL"},
    {0x1b9, "UTMACCTL"},
    // Waiting for other threads and for asynchronous operations.
    {0x1af, "LDGDEPBAR"},
    {0x11a, "DEPBAR"},
    {0x11d, "BAR"},
    {0x1a7, "SYNCS"},
    {0x1b2, "SYNCS"},
    {0x1b0, "ARRIVES"},
    {0x1c5, "WARPGROUP"},
    {0x192, "MEMBAR"},
    {0x1c6, "FENCE"},
    {0x1ab, "ERRBAR"},
    {0x1b7, "UTMACMDFLUSH"},
    {0x1c7, "UCGABAR"},
    {0x02d, "PREEXIT"},
    {0x02e, "ACQBULK"},
    {0x15d, "NANOSLEEP"},
    // Tensor cores.
    {0x03c, "HMMA"},
    {0x037, "IMMA"},
    {0x03f, "DMMA"},
    {0x1f0, "HGMMA"},
    {0x1f1, "IGMMA"},
    {0x1f3, "QGMMA"},
    // Floating point.
    {0x023, "FFMA"},
    {0x020, "FMUL"},
    {0x021, "FADD"},
    {0x008, "FSEL"},
    {0x009, "FMNMX"},
    {0x00a, "FSET"},
    {0x00b, "FSETP"},
    {0x102, "FCHK"},
    {0x108, "MUFU"},
    {0x030, "HADD2"},
    {0x031, "HFMA2"},
    {0x035, "HFMA2"},
    {0x032, "HMUL2"},
    {0x033, "HSET2"},
    {0x034, "HSETP2"},
    {0x040, "HMNMX2"},
    {0x029, "DADD"},
    {0x02b, "DFMA"},
    {0x028, "DMUL"},
    {0x02a, "DSETP"},
    // Integers, bits and predicates.
    {0x024, "IMAD"},
    {0x025, "IMAD.WIDE"},
    {0x027, "IMAD.HI"},
    {0x010, "IADD3"},
    {0x036, "VIADD"},
    {0x011, "LEA"},
    {0x012, "LOP3"},
    {0x019, "SHF"},
    {0x00c, "ISETP"},
    {0x01c, "PLOP3"},
    {0x013, "IABS"},
    {0x014, "VABSDIFF"},
    {0x017, "IMNMX"},
    {0x048, "VIMNMX"},
    {0x046, "VIADDMNMX"},
    {0x026, "IDP"},
    {0x01a, "SGXT"},
    {0x01b, "BMSK"},
    {0x100, "FLO"},
    {0x101, "BREV"},
    {0x109, "POPC"},
    {0x1c4, "REDUX"},
    {0x0a4, "UIMAD"},
    {0x0a5, "UIMAD.WIDE"},
    {0x090, "UIADD3"},
    {0x091, "ULEA"},
    {0x092, "ULOP3"},
    {0x099, "USHF"},
    {0x08c, "UISETP"},
    {0x09c, "UPLOP3"},
    {0x09a, "USGXT"},
    {0x0bd, "UFLO"},
    {0x0bf, "UPOPC"},
    // Moves and conversions.
    {0x002, "MOV"},
    {0x016, "PRMT"},
    {0x007, "SEL"},
    {0x189, "SHFL"},
    {0x03a, "MOVM"},
    {0x003, "P2R"},
    {0x004, "R2P"},
    {0x119, "S2R"},
    {0x005, "CS2R"},
    {0x1c3, "S2UR"},
    {0x0ca, "R2UR"},
    {0x1c2, "R2UR"},
    {0x182, "LDC"},
    {0x0b9, "ULDC"},
    {0x082, "UMOV"},
    {0x087, "USEL"},
    {0x096, "UPRMT"},
    {0x104, "F2F"},
    {0x110, "F2F"},
    {0x105, "F2I"},
    {0x111, "F2I"},
    {0x106, "I2F"},
    {0x112, "I2F"},
    {0x107, "FRND"},
    {0x113, "FRND"},
    {0x045, "I2FP"},
    {0x03e, "F2FP"},
    // Control.
    {0x147, "BRA"},
    {0x149, "BRX"},
    {0x145, "BSSY"},
    {0x141, "BSYNC"},
    {0x142, "BREAK"},
    {0x155, "BMOV"},
    {0x156, "BMOV"},
    {0x157, "BMOV"},
    {0x143, "CALL"},
    {0x144, "CALL"},
    {0x150, "RET"},
    {0x14d, "EXIT"},
    {0x15c, "BPT"},
    {0x118, "NOP"},
    {0x146, "YIELD"},
    {0x148, "WARPSYNC"},
    {0x11b, "ENDCOLLECTIVE"},
    {0x02f, "ELECT"},
    {0x006, "VOTE"},
    {0x086, "VOTEU"},
    {0x1a1, "MATCH"},
    {0x1c8, "USETMAXREG"},
});

} // namespace

std::span<const Opcode> known_opcodes()
{
    return opcodes;
}

const Opcode* opcode_of(uint64_t low)
{
    constexpr uint64_t telling = 0x1ff;
    const auto found = std::ranges::find(opcodes, low & telling, &Opcode::bits);
    return found == opcodes.end() ? nullptr : &*found;
}

// Parses lines such as "        /*0090*/              @!P0 LDS.128 R4, [R2+0x10] ;".
std::map<uint32_t, std::string> parse_disassembly(std::string_view text)
{
    std::map<uint32_t, std::string> result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        at = end + 1;
        const std::size_t open = line.find("/*"), close = line.find("*/");
        const std::size_t last = line.find(';');
        if (open == std::string_view::npos || close == std::string_view::npos || last == std::string_view::npos ||
            last < close)
            continue;
        uint32_t address = 0;
        const auto [stop, error] = std::from_chars(line.data() + open + 2, line.data() + close, address, 16);
        if (error != std::errc() || stop != line.data() + close)
            continue;
        std::string_view words = line.substr(close + 2, last - close - 2);
        words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
        words = words.substr(0, words.find_last_not_of(" \t") + 1);
        result.emplace(address, words);
    }
    return result;
}

} // namespace cuda
