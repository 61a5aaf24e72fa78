#include "viz/analysis/instruction_mix.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace viz {

namespace {

using enum InstructionClass;

struct Named {
    std::string_view name;
    InstructionClass one;
};

// kernels/machine_code/opcodes.cpp names them; a test holds the two against each other.
constexpr auto classes = std::to_array<Named>({
    {"HMMA", tensor},
    {"IMMA", tensor},
    {"DMMA", tensor},
    {"HGMMA", tensor},
    {"IGMMA", tensor},
    {"QGMMA", tensor},
    {"FFMA", floating},
    {"FMUL", floating},
    {"FADD", floating},
    {"FSEL", floating},
    {"FMNMX", floating},
    {"FSET", floating},
    {"FSETP", floating},
    {"FCHK", floating},
    {"MUFU", floating},
    {"HADD2", floating},
    {"HFMA2", floating},
    {"HMUL2", floating},
    {"HSET2", floating},
    {"HSETP2", floating},
    {"HMNMX2", floating},
    {"DADD", floating},
    {"DFMA", floating},
    {"DMUL", floating},
    {"DSETP", floating},
    {"LDS", shared},
    {"STS", shared},
    {"LDSM", shared},
    {"STSM", shared},
    {"ATOMS", shared},
    {"LDG", global},
    {"STG", global},
    {"LDL", global},
    {"STL", global},
    {"LD", global},
    {"ST", global},
    {"ATOM", global},
    {"ATOMG", global},
    {"RED", global},
    {"REDG", global},
    {"CCTL", global},
    {"LDGSTS", copies},
    {"UTMALDG", copies},
    {"UTMASTG", copies},
    {"UBLKCP", copies},
    {"UTMACCTL", copies},
    {"IMAD", integer},
    {"IADD3", integer},
    {"VIADD", integer},
    {"LEA", integer},
    {"LOP3", integer},
    {"SHF", integer},
    {"ISETP", integer},
    {"PLOP3", integer},
    {"IABS", integer},
    {"VABSDIFF", integer},
    {"IMNMX", integer},
    {"VIMNMX", integer},
    {"VIADDMNMX", integer},
    {"IDP", integer},
    {"SGXT", integer},
    {"BMSK", integer},
    {"FLO", integer},
    {"BREV", integer},
    {"POPC", integer},
    {"REDUX", integer},
    {"UIMAD", integer},
    {"UIADD3", integer},
    {"ULEA", integer},
    {"ULOP3", integer},
    {"USHF", integer},
    {"UISETP", integer},
    {"UPLOP3", integer},
    {"USGXT", integer},
    {"UFLO", integer},
    {"UPOPC", integer},
    {"MOV", moves},
    {"PRMT", moves},
    {"SEL", moves},
    {"SHFL", moves},
    {"MOVM", moves},
    {"P2R", moves},
    {"R2P", moves},
    {"S2R", moves},
    {"CS2R", moves},
    {"S2UR", moves},
    {"R2UR", moves},
    {"LDC", moves},
    {"ULDC", moves},
    {"UMOV", moves},
    {"USEL", moves},
    {"UPRMT", moves},
    {"F2F", moves},
    {"F2I", moves},
    {"I2F", moves},
    {"FRND", moves},
    {"I2FP", moves},
    {"F2FP", moves},
    {"BRA", control},
    {"BRX", control},
    {"BSSY", control},
    {"BSYNC", control},
    {"BREAK", control},
    {"BMOV", control},
    {"CALL", control},
    {"RET", control},
    {"EXIT", control},
    {"BPT", control},
    {"NOP", control},
    {"YIELD", control},
    {"WARPSYNC", control},
    {"ENDCOLLECTIVE", control},
    {"ELECT", control},
    {"VOTE", control},
    {"VOTEU", control},
    {"MATCH", control},
    {"USETMAXREG", control},
    {"BAR", barriers},
    {"DEPBAR", barriers},
    {"LDGDEPBAR", barriers},
    {"SYNCS", barriers},
    {"ARRIVES", barriers},
    {"WARPGROUP", barriers},
    {"MEMBAR", barriers},
    {"FENCE", barriers},
    {"ERRBAR", barriers},
    {"UTMACMDFLUSH", barriers},
    {"UCGABAR", barriers},
    {"PREEXIT", barriers},
    {"ACQBULK", barriers},
    {"NANOSLEEP", barriers},
});

} // namespace

std::string_view class_name(InstructionClass one)
{
    constexpr std::array<std::string_view, class_count> names = {
        "tensor cores", "FP arithmetic", "shared memory", "global memory", "async copies",
        "integer",      "moves",         "control",       "barriers",      "others"};
    return names[static_cast<std::size_t>(one)];
}

InstructionClass class_of(std::string_view name)
{
    const auto found = std::ranges::find(classes, name.substr(0, name.find('.')), &Named::name);
    return found == classes.end() ? other : found->one;
}

uint64_t InstructionMix::total() const
{
    return std::accumulate(executed.begin(), executed.end(), uint64_t{0});
}

double InstructionMix::share(InstructionClass one) const
{
    const uint64_t all = total();
    return all == 0 ? 0 : static_cast<double>((*this)[one]) / static_cast<double>(all);
}

InstructionMix mix_of(const recording::RunProfile& run)
{
    InstructionMix mix;
    for (const recording::RunInstruction& one : run.instructions)
        mix.executed[static_cast<std::size_t>(class_of(one.name))] += one.executed;
    return mix;
}

double per_thousand(uint64_t executed, const recording::Problem& problem)
{
    const double products = double{1} * problem.M * problem.N * problem.K;
    return products > 0 ? 1000 * static_cast<double>(executed) / products : 0;
}

MixDifference largest_difference(const InstructionMix& first, const recording::Problem& of_first,
                                 const InstructionMix& second, const recording::Problem& of_second)
{
    MixDifference largest;
    for (std::size_t i = 0; i < class_count; ++i) {
        const MixDifference one{static_cast<InstructionClass>(i), per_thousand(first.executed[i], of_first),
                                per_thousand(second.executed[i], of_second)};
        if (std::abs(one.first - one.second) > std::abs(largest.first - largest.second))
            largest = one;
    }
    return largest;
}

} // namespace viz
