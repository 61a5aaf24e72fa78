// Makes the PTX machine read and run randomly changed PTX with randomly changed tensor maps. Each text runs or is
// refused with a sentence. Nothing may crash, access memory out of bounds (preset `sanitizers`), or take more than 60
// s.
//
//   fuzz_ptx [--texts 1000000] [--first 0] [--seed 1] [--from FOLDER] [--show]
//   fuzz_ptx --write-stages FOLDER      # writes the PTX of the ladder's smaller stages, for --from
//
// Each text depends only on the seed and on its number: --first NUMBER --texts 1 --show shows one of them.
#include "tests/fuzz/changed_ptx.h"
#include "tests/fuzz/cpu_seconds.h"
#include "tests/paths.h"

#include "error.h"
#include "machine_code/machine_code.h"
#include "ptx/address_interpreter.h"
#include "ptx/machine.h"
#include "ptx/trace.h"
#include "recording/format.h"
#include "stage.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <string_view>

#include <unistd.h>

extern "C" void __sanitizer_set_death_callback(void (*)()) __attribute__((weak));

namespace {

constexpr double longest = 60;                   // seconds of CPU time for one text; beyond that it hangs
constexpr uint64_t most_steps = 3000;            // per warp
constexpr uint64_t largest_variables = 1u << 20; // bytes; larger ones are not run, because filling them takes long
constexpr std::size_t region_bytes = 16384, map_size = 128;

volatile std::sig_atomic_t number_now = 0; // number of the current text, for tell_number()

void tell_number()
{
    char text[80];
    const int length = std::snprintf(text, sizeof text, "\ntext %d crashed\n", static_cast<int>(number_now));
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, static_cast<std::size_t>(length));
}

extern "C" void tell_signal(int signal)
{
    tell_number();
    std::_Exit(128 + signal);
}

struct Options {
    uint64_t texts = 1000000, first = 0, seed = 1;
    std::string from = test::data("ptx"), write_stages;
    bool show = false;
};

struct Input {
    std::string text, kernel;
    std::array<std::byte, map_size> map{};
    uint32_t threads = 64, cluster = 1;
    uint64_t dynamic_shared = 0;
};

// Returns arguments: buffers for 8-byte parameters, a tensor map for parameters of its size, otherwise the number 32.
std::vector<std::byte> arguments_of(const ptx::Program& program, const Input& input)
{
    std::vector<std::byte> bytes(program.parameter_bytes);
    std::size_t region = 0;
    for (const ptx::Parameter& parameter : program.parameters) {
        const uint64_t address = ptx::global_address(region), count = 32;
        std::byte* const to = bytes.data() + parameter.first;
        if (parameter.bytes == map_size)
            std::memcpy(to, input.map.data(), map_size);
        else if (parameter.bytes == sizeof address)
            std::memcpy(to, &address, sizeof address), region = 1 - region;
        else
            std::memcpy(to, &count, std::min<uint64_t>(parameter.bytes, sizeof count));
    }
    return bytes;
}

class NoSink final : public ptx::AccessSink {
public:
    void access(const ptx::Instruction&, uint32_t, const ptx::LaneValues&) override {}
    void copy(const ptx::Instruction&, uint32_t, uint32_t, const ptx::LaneValues&, const ptx::LaneValues&) override {}
    void other(const ptx::Instruction&) override {}
    void barrier() override {}
};

// Runs the text to its end. Throws kernels::Error if it is refused.
void run_machine(const Input& input)
{
    const ptx::Module module = ptx::parse(input.text, {});
    const ptx::Program program = ptx::make_program(module, input.kernel, 2);
    uint64_t bytes = program.local_bytes * input.threads;
    for (const ptx::Variable& variable : program.variables)
        bytes += variable.bytes;
    if (bytes > largest_variables)
        throw kernels::Error("Larger than what is run here.");
    std::vector<ptx::Region> regions = {{"a", std::vector<std::byte>(region_bytes)},
                                        {"b", std::vector<std::byte>(region_bytes)}};
    for (std::size_t i = 0; i < region_bytes; ++i)
        regions[0].bytes[i] = static_cast<std::byte>(i * 37 >> 3);
    for (ptx::Region& region : ptx::variable_regions(program))
        regions.push_back(std::move(region));
    ptx::MachineLaunch launch{.extent = {.grid = {input.cluster, 1, 1}, .block = {input.threads, 1, 1}},
                              .dynamic_shared_bytes = input.dynamic_shared,
                              .arguments = arguments_of(program, input),
                              .most_steps = most_steps,
                              .cluster = {}};
    if (input.cluster > 1 && !program.cluster)
        launch.cluster = recording::Index3{input.cluster, 1, 1};
    ptx::run(program, launch, regions, [](uint64_t, uint32_t, const traced::Step&) {});
}

void follow(const Input& input)
{
    const ptx::Program program = ptx::make_program(ptx::parse(input.text, {}), input.kernel, 4);
    const std::vector<std::byte> arguments = arguments_of(program, input);
    NoSink told;
    ptx::AddressInterpreter interpreter(program, arguments, told);
    uint64_t steps = most_steps;
    interpreter.run({{.grid = {1, 1, 1}, .block = {input.threads, 1, 1}}, {0, 0, 0}, 0}, steps);
}

// Does the same as `gemmscope trace`. The result must be a valid recording.
void trace(const Input& input)
{
    static const std::string text =
        "__global__ void kernel(float* a, float* b, const __grid_constant__ CUtensorMap map, int n)\n"
        "{ __shared__ float tile[64][32]; }\n";
    traced::Request request;
    request.file = "kernel.cu";
    request.kernel = "kernel";
    request.grid = std::to_string(input.cluster);
    request.block = std::to_string(input.threads);
    request.cluster = input.cluster > 1 ? request.grid : "";
    request.shared = std::to_string(input.dynamic_shared);
    request.arguments = {"a", "b", "map(a:float,8,8,32)", "32"};
    request.buffers = {fmt::format("a={}:iota", region_bytes), fmt::format("b={}", region_bytes)};
    request.most_steps = most_steps;
    const traced::UserKernel kernel{
        .file = request.file, .text = text, .kernel = "kernel", .include_folders = {}, .defines = {}};
    const traced::CompiledKernel compiled{.ptx = input.text,
                                          .lowered_name = input.kernel,
                                          .cubin = {},
                                          .signature = "kernel(float*, float*, CUtensorMap, int)",
                                          .source_lines = {},
                                          .compiler = "none"};
    const ptx::Traced traced = ptx::trace(request, kernel, compiled, {});
    try {
        recording::check(traced.recording);
    } catch (const kernels::Error& wrong) {
        throw std::logic_error(fmt::format("a recording that is none: {}", wrong.what()));
    }
}

Input input_of(const std::vector<fuzz::PtxSeed>& seeds, fuzz::Random& random)
{
    const fuzz::PtxSeed& seed = seeds[random() % seeds.size()];
    return {.text = fuzz::text_of(fuzz::changed(seeds, seed, random)),
            .kernel = seed.kernel,
            .map = fuzz::changed_map(random),
            .threads = random() % 16 == 0 ? static_cast<uint32_t>(1 + random() % 130) : seed.threads,
            .cluster = seed.cluster,
            .dynamic_shared = random() % 8 == 0 ? random() % 5000 : seed.dynamic_shared};
}

struct Findings {
    uint64_t ran = 0, refused = 0, bad = 0;
    double slowest = 0;
    uint64_t slowest_number = 0;
    std::map<std::string, uint64_t> sentences; // number of refusals by sentence without numbers and names

    void complain(uint64_t number, const std::string& what)
    {
        ++bad;
        fmt::print(stderr, "text {}: {}\n", number, what);
    }
};

void take(const Input& input, uint64_t number, uint64_t way, Findings& findings)
{
    const double begin = fuzz::cpu_seconds();
    alarm(600);
    try {
        way == 0 ? trace(input) : way == 1 ? follow(input) : run_machine(input);
        ++findings.ran;
    } catch (const kernels::Error& error) {
        ++findings.refused;
        const std::string_view said = error.what();
        if (said.empty())
            findings.complain(number, "an empty sentence");
        const std::size_t colon = said.rfind(": ");
        std::string kind(said.substr(colon == std::string_view::npos ? 0 : colon + 2, 40));
        std::erase_if(kind, [](char c) { return c >= '0' && c <= '9'; });
        ++findings.sentences[kind];
    } catch (const std::exception& error) {
        findings.complain(number, fmt::format("throws {}", error.what()));
    }
    alarm(0);
    const double took = fuzz::cpu_seconds() - begin;
    if (took > findings.slowest)
        findings.slowest = took, findings.slowest_number = number;
    if (took > longest)
        findings.complain(number, fmt::format("takes {:.1f} s", took));
}

void write_stages(const std::filesystem::path& folder)
{
    constexpr std::size_t most_lines = 1500; // of PTX; longer texts take too long to read
    for (const kernels::Stage& stage : kernels::make_ladder()) {
        const kernels::ParameterValues parameters = stage.standard_parameters();
        const kernels::MachineCode code = machine_code(stage, parameters, 90);
        for (std::size_t i = 0; i < code.kernels.size(); ++i) {
            if (code.kernels[i].ptx.size() > most_lines)
                continue;
            std::ofstream file(folder / fmt::format("{}_{}.ptx", stage.slug, i));
            const uint32_t threads = stage.launch(parameters, {.M = 256, .N = 256, .K = 256}).threads_per_block();
            fmt::print(file, "// threads {}, clusters of 1, dynamic shared memory {}\n", threads,
                       stage.dynamic_shared(parameters));
            for (const std::string& line : code.kernels[i].ptx)
                file << line << '\n';
        }
    }
}

Options options_of(int count, char** words)
{
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string_view name = words[i];
        const auto value = [&] {
            if (++i == count)
                throw kernels::Error(fmt::format("{} needs a value.", name));
            return std::string_view(words[i]);
        };
        const auto number = [&](uint64_t& to) {
            const std::string_view digits = value();
            std::from_chars(digits.data(), digits.data() + digits.size(), to);
        };
        if (name == "--texts")
            number(options.texts);
        else if (name == "--first")
            number(options.first);
        else if (name == "--seed")
            number(options.seed);
        else if (name == "--from")
            options.from = value();
        else if (name == "--write-stages")
            options.write_stages = value();
        else if (name == "--show")
            options.show = true;
        else
            throw kernels::Error(fmt::format("{} is no option.", name));
    }
    return options;
}

int run(const Options& options)
{
    const std::vector<fuzz::PtxSeed> seeds = fuzz::ptx_seeds(options.from);
    Findings findings;
    for (const fuzz::PtxSeed& seed : seeds) { // the unchanged seeds must run
        fuzz::Random random(1);
        Input input{.text = fuzz::text_of(seed.words),
                    .kernel = seed.kernel,
                    .threads = seed.threads,
                    .cluster = seed.cluster,
                    .dynamic_shared = seed.dynamic_shared};
        do
            input.map = fuzz::changed_map(random);
        while (!refusal(*ptx::tensor_map_of(std::span<const std::byte, map_size>(input.map))).empty());
        try {
            run_machine(input);
        } catch (const kernels::Error& error) {
            fmt::print(stderr, "{} does not run: {}\n", seed.name, error.what());
            findings.bad += options.from == test::data("ptx") ? 1 : 0;
        }
    }
    for (uint64_t number = options.first; number < options.first + options.texts; ++number) {
        fuzz::Random random(options.seed << 40 ^ number);
        number_now = static_cast<std::sig_atomic_t>(number);
        const Input input = input_of(seeds, random);
        const uint64_t way = random() % 8;
        if (options.show)
            fmt::print("{}\n// way {}, {} threads\n", input.text, way, input.threads);
        take(input, number, way, findings);
    }
    fmt::print("{} texts: {} ran, {} refused with {} sentences, {} complaints; the slowest took {:.2f} s, text {}\n",
               options.texts, findings.ran, findings.refused, findings.sentences.size(), findings.bad, findings.slowest,
               findings.slowest_number);
    if (options.show)
        for (const auto& [sentence, count] : findings.sentences)
            fmt::print("{:8} {}\n", count, sentence);
    return findings.bad == 0 ? 0 : 1;
}

} // namespace

int main(int count, char** words)
{
    if (__sanitizer_set_death_callback != nullptr)
        __sanitizer_set_death_callback(tell_number);
    else
        for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
            std::signal(signal, tell_signal);
    std::signal(SIGALRM, tell_signal);
    try {
        const Options options = options_of(count, words);
        if (!options.write_stages.empty())
            return write_stages(options.write_stages), 0;
        return run(options);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
}
