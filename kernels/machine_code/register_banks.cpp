#include "machine_code/register_banks.h"

#include "machine_code/cubin.h"
#include "machine_code/elf.h"

#include <fmt/format.h>

#include <cstring>

namespace cuda {

namespace {

constexpr uint64_t instruction_bytes = 16;
constexpr uint64_t ffma_of_registers = 0x223; // the lowest 12 bits, sm_70 to sm_90
// Of the first 8 bytes where the registers of A and B stand, of the last 8 where that of C does, and which operands are to be
// kept for the next instruction: then they are not read again.
constexpr int a_at = 24, b_at = 32, c_at = 0, kept_at = 58;
constexpr uint64_t kept_mask = uint64_t{0xf} << kept_at;
constexpr uint64_t candidates = 8; // registers 0 to 7 are factors; every kernel that multiplies has so many

uint64_t with_field(uint64_t word, int at, uint64_t value)
{
    return (word & ~(uint64_t{0xff} << at)) | value << at;
}

// Two registers of the parity that are not the addend's own.
std::pair<uint64_t, uint64_t> factors(uint64_t addend, uint64_t parity)
{
    uint64_t found[2] = {};
    int count = 0;
    for (uint64_t number = parity; number < candidates && count < 2; number += 2)
        if (number != addend)
            found[count++] = number;
    return {found[0], found[1]};
}

} // namespace

int set_factor_banks(std::string& cubin, std::string_view kernel, bool bank_of_addend)
{
    const auto code = find_section(cubin, fmt::format(".text.{}", kernel));
    const auto resources = thread_resources(cubin, kernel);
    if (!code || !resources || resources->registers < candidates)
        throw kernels::Error("The registers of the compiled kernel are not known, so that none can be chosen by hand.");
    const auto start = static_cast<uint64_t>(code->data() - cubin.data());
    int changed = 0;
    for (uint64_t at = start; at + instruction_bytes <= start + code->size(); at += instruction_bytes) {
        auto low = read_at<uint64_t>(cubin, at), high = read_at<uint64_t>(cubin, at + 8);
        if ((low & 0xfff) != ffma_of_registers)
            continue;
        const uint64_t addend = high >> c_at & 0xff;
        const auto [a, b] = factors(addend, bank_of_addend ? addend % 2 : 1 - addend % 2);
        low = with_field(with_field(low, a_at, a), b_at, b);
        high &= ~kept_mask;
        std::memcpy(cubin.data() + at, &low, sizeof low);
        std::memcpy(cubin.data() + at + 8, &high, sizeof high);
        ++changed;
    }
    return changed;
}

} // namespace cuda
