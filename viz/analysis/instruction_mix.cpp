#include "viz/analysis/instruction_mix.h"

#include "viz/analysis/counted.h"
#include "viz/text/templates.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace viz {

namespace {

using enum InstructionClass;

struct Opcodes {
    InstructionClass of;
    std::string_view names; // separated by blanks
};

// The names are those of kernels/machine_code/cubin.cpp; a test compares the two lists.
constexpr auto opcodes = std::to_array<Opcodes>({
    {tensor, "HMMA IMMA DMMA HGMMA IGMMA QGMMA"},
    {floating, "FFMA FMUL FADD FSEL FMNMX FSET FSETP FCHK MUFU HADD2 HFMA2 HMUL2 HSET2 HSETP2 HMNMX2 DADD "
               "DFMA DMUL DSETP"},
    {shared, "LDS STS LDSM STSM ATOMS"},
    {global, "LDG STG LDL STL LD ST ATOM ATOMG RED REDG CCTL"},
    {copies, "LDGSTS UTMALDG UTMASTG UBLKCP UTMACCTL"},
    {integer, "IMAD IADD3 VIADD LEA LOP3 SHF ISETP PLOP3 IABS VABSDIFF IMNMX VIMNMX VIADDMNMX IDP SGXT BMSK "
              "FLO BREV POPC REDUX UIMAD UIADD3 ULEA ULOP3 USHF UISETP UPLOP3 USGXT UFLO UPOPC"},
    {moves, "MOV PRMT SEL SHFL MOVM P2R R2P S2R CS2R S2UR R2UR LDC ULDC UMOV USEL UPRMT F2F F2I I2F FRND "
            "I2FP F2FP"},
    {control, "BRA BRX BSSY BSYNC BREAK BMOV CALL RET EXIT BPT NOP YIELD WARPSYNC ENDCOLLECTIVE ELECT VOTE "
              "VOTEU MATCH USETMAXREG"},
    {barriers, "BAR DEPBAR LDGDEPBAR SYNCS ARRIVES WARPGROUP MEMBAR FENCE ERRBAR UTMACMDFLUSH UCGABAR "
               "PREEXIT ACQBULK NANOSLEEP"},
});

// Returns whether the word is in a list of words separated by blanks.
bool is_among(std::string_view word, std::string_view words)
{
    for (std::size_t begin = 0; begin < words.size();) {
        const std::size_t end = std::min(words.find(' ', begin), words.size());
        if (words.substr(begin, end - begin) == word)
            return true;
        begin = end + 1;
    }
    return false;
}

// `fma` is not in the list, because it is the sum of its two halves.
struct ShownPipe {
    std::string_view pipe;
    double quieter;
    std::string_view name;
};
constexpr auto shown_pipes = std::to_array<ShownPipe>({
    {"tensor", 0, "tensor cores"},
    {"fmaheavy", 0, "FMA heavy"},
    {"fmalite", 0.15, "FMA lite"},
    {"fp64", 0.1, "FP64"},
    {"lsu", 0.36, "loads and stores"},
    {"tma", 0.42, "TMA"},
    {"tex", 0.42, "texture"},
    {"alu", 0.55, "ALU"},
    {"xu", 0.6, "XU"},
    {"uniform", 0.68, "uniform"},
    {"cbu", 0.78, "branches"},
    {"adu", 0.86, "barriers and divergence"},
});

struct ShownClass {
    double quieter;
    std::string_view name;
};
constexpr std::array<ShownClass, class_count> shown_classes = {{
    {0, "tensor cores"},
    {0, "FP arithmetic"},
    {0.3, "shared memory"},
    {0.42, "global memory"},
    {0.42, "async copies"},
    {0.55, "integer"},
    {0.64, "moves"},
    {0.72, "control"},
    {0.8, "barriers"},
    {0.88, "others"},
}};

} // namespace

std::string class_name(InstructionClass one)
{
    return std::string(shown_classes[static_cast<std::size_t>(one)].name);
}

InstructionClass class_of(std::string_view name)
{
    const std::string_view opcode = name.substr(0, name.find('.'));
    const auto found = std::ranges::find_if(opcodes, [&](const Opcodes& one) { return is_among(opcode, one.names); });
    return found == opcodes.end() ? other : found->of;
}

uint64_t InstructionMix::total() const
{
    return std::accumulate(executed.begin(), executed.end(), uint64_t{0});
}

double InstructionMix::share(InstructionClass one) const
{
    return ratio_or_zero((*this)[one], total());
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
    return ratio_or_zero(part.executed, total());
}

double MixOfLaunch::per_thousand(const MixPart& part) const
{
    return viz::per_thousand(part.executed, problem);
}

MixOfLaunch by_class(const CountedRun& run)
{
    const InstructionMix mix = mix_of(*run.run);
    MixOfLaunch result{.problem = run.problem, .from = run.from, .parts = {}};
    for (std::size_t i = 0; i < class_count; ++i)
        result.parts.push_back(
            {class_name(static_cast<InstructionClass>(i)), shown_classes[i].quieter, mix.executed[i]});
    return result;
}

MixOfLaunch by_pipe(const HardwareFigures& figures)
{
    MixOfLaunch result{.problem = figures.problem, .from = figures.from, .parts = {}};
    for (const ShownPipe& pipe : shown_pipes) {
        const auto found = std::ranges::find(figures.pipes, pipe.pipe, &PipeCount::pipe);
        result.parts.push_back(
            {std::string(pipe.name), pipe.quieter, found == figures.pipes.end() ? 0 : found->executed});
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
