#include "viz/analysis/instruction_mix.h"

#include "viz/text/templates.h"

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

// Without fma, which is its two halves together.
struct ShownPipe {
    std::string_view pipe;
    double quieter;
};
constexpr auto shown_pipes = std::to_array<ShownPipe>({
    {"tensor", 0},
    {"fmaheavy", 0},
    {"fmalite", 0.15},
    {"fp64", 0.1},
    {"lsu", 0.36},
    {"tma", 0.42},
    {"tex", 0.42},
    {"alu", 0.55},
    {"xu", 0.6},
    {"uniform", 0.68},
    {"cbu", 0.78},
    {"adu", 0.86},
});

// In their order.
std::string pipe_name(std::size_t index)
{
    const std::array<Message, shown_pipes.size()> names = {{
        {"faster.pipe_tensor"},
        {"faster.pipe_fmaheavy"},
        {"faster.pipe_fmalite"},
        {"faster.pipe_fp64"},
        {"faster.pipe_lsu"},
        {"faster.pipe_tma"},
        {"faster.pipe_tex"},
        {"faster.pipe_alu"},
        {"faster.pipe_xu"},
        {"faster.pipe_uniform"},
        {"faster.pipe_cbu"},
        {"faster.pipe_adu"},
    }};
    return plain(names[index]);
}

} // namespace

std::string class_name(InstructionClass one)
{
    const std::array<Message, class_count> names = {{
        {"faster.class_tensor"},
        {"faster.class_floating"},
        {"faster.class_shared"},
        {"faster.class_global"},
        {"faster.class_copies"},
        {"faster.class_integer"},
        {"faster.class_moves"},
        {"faster.class_control"},
        {"faster.class_barriers"},
        {"faster.class_other"},
    }};
    return plain(names[static_cast<std::size_t>(one)]);
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

uint64_t MixOfLaunch::total() const
{
    return std::accumulate(parts.begin(), parts.end(), uint64_t{0},
                           [](uint64_t sum, const MixPart& part) { return sum + part.executed; });
}

double MixOfLaunch::share(const MixPart& part) const
{
    const uint64_t all = total();
    return all == 0 ? 0 : static_cast<double>(part.executed) / static_cast<double>(all);
}

double MixOfLaunch::per_thousand(const MixPart& part) const
{
    return viz::per_thousand(part.executed, problem);
}

MixOfLaunch by_class(const CountedRun& run)
{
    constexpr std::array<double, class_count> quieter = {0, 0, 0.3, 0.42, 0.42, 0.55, 0.64, 0.72, 0.8, 0.88};
    const InstructionMix mix = mix_of(*run.run);
    MixOfLaunch result{.problem = run.problem, .from = run.from, .parts = {}};
    for (std::size_t i = 0; i < class_count; ++i)
        result.parts.push_back({class_name(static_cast<InstructionClass>(i)), quieter[i], mix.executed[i]});
    return result;
}

MixOfLaunch by_pipe(const HardwareFigures& figures)
{
    MixOfLaunch result{.problem = figures.problem, .from = figures.from, .parts = {}};
    for (std::size_t i = 0; i < shown_pipes.size(); ++i) {
        const ShownPipe& pipe = shown_pipes[i];
        const auto found = std::ranges::find(figures.pipes, pipe.pipe, &PipeCount::pipe);
        result.parts.push_back({pipe_name(i), pipe.quieter, found == figures.pipes.end() ? 0 : found->executed});
    }
    return result;
}

MixDifference largest_difference(const MixOfLaunch& first, const MixOfLaunch& second)
{
    MixDifference largest;
    for (std::size_t i = 0; i < std::min(first.parts.size(), second.parts.size()); ++i) {
        const MixDifference one{first.parts[i].name, first.per_thousand(first.parts[i]),
                                second.per_thousand(second.parts[i])};
        if (std::abs(one.first - one.second) > std::abs(largest.first - largest.second))
            largest = one;
    }
    return largest;
}

} // namespace viz
