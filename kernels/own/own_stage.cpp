#include "own/own_stage.h"

#include "arguments.h"
#include "describe.h"
#include "description_sources.h"
#include "error.h"
#include "kernel_sources.h"
#include "machine_code/line_table.h"
#include "machine_code/machine_code.h"
#include "own/copy.h"
#include "ptx/machine.h"
#include "recording/disk.h"
#include "traced/struct_text.h"
#include "traced/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <tuple>

namespace own {

namespace {

using kernels::ParameterValues;
using recording::Problem;

// The questions that describe_kernel.cu answers.
enum What : int { facts, launch, tiles, suited };

// The kernels' arguments, in the order of describe_kernel.cu's numbers.
using Kinds = std::tuple<Gemm, GemmColumns, Vectors, Coordinates, SplitGemm, TensorGemm, TmaGemm>;

// Reads the answer of describe_kernel.cu sequentially.
class Answer {
public:
    explicit Answer(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

    int64_t number()
    {
        int64_t value = 0;
        std::memcpy(&value, taken(sizeof(value)), sizeof(value));
        return value;
    }
    int integer() { return static_cast<int>(number()); }
    uint32_t word() { return static_cast<uint32_t>(number()); }
    std::string text()
    {
        const std::size_t size = count(1);
        return {reinterpret_cast<const char*>(taken((size + 7) / 8 * 8)), size};
    }
    std::vector<uint32_t> words()
    {
        std::vector<uint32_t> values(count(sizeof(uint32_t)));
        const std::byte* from = taken((values.size() + 1) / 2 * 8);
        std::memcpy(values.data(), from, values.size() * sizeof(uint32_t));
        return values;
    }
    ParameterValues values(std::size_t count)
    {
        ParameterValues result(count);
        for (int& value : result)
            value = integer();
        return result;
    }
    recording::Launch extent()
    {
        recording::Launch result;
        for (uint32_t* side : {&result.grid.x, &result.grid.y, &result.grid.z, &result.block.x, &result.block.y})
            *side = word();
        return result;
    }
    recording::Array array()
    {
        recording::Array result{.name = text()};
        result.space = number() != 0 ? recording::Space::shared : recording::Space::global;
        result.rows = word();
        result.cols = word();
        result.element_bytes = word();
        if (result.element_bytes == 0 || result.element_bytes > 16)
            make_no_sense();
        result.bytes = static_cast<uint64_t>(number());
        result.layout = words();
        return result;
    }
    // Reads a count of items of at least this many bytes each.
    std::size_t count(std::size_t least_bytes)
    {
        const auto size = static_cast<uint64_t>(number());
        if (size > (bytes_.size() - at_) / least_bytes)
            make_no_sense();
        return size;
    }
    [[noreturn]] static void make_no_sense() { throw kernels::Error("The stage's description does not make sense."); }

private:
    const std::byte* taken(std::size_t size)
    {
        if (size > bytes_.size() - at_)
            make_no_sense();
        at_ += size;
        return bytes_.data() + at_ - size;
    }

    std::vector<std::byte> bytes_;
    std::size_t at_ = 0;
};

constexpr std::string_view for_host = "#ifndef __CUDACC__";

// Returns the text without its #ifdefs for the host, comments and device bodies, whose edits need no new compilation.
std::string as_description(std::string_view text)
{
    std::string result = traced::compiled_words(without_device_bodies(text));
    for (std::size_t at = result.find(for_host); at != std::string::npos; at = result.find(for_host, at))
        result.replace(at, for_host.size(), "#if 1");
    return result;
}

// Adds the file, and all files of the program that it includes.
void collect(const std::string& name, std::string_view text, std::vector<kernels::SourceText>& to)
{
    if (text.empty() || std::ranges::find(to, name, &kernels::SourceText::name) != to.end())
        return;
    const bool is_stage = to.empty() || name.starts_with("stages/");
    to.push_back({name, is_stage ? as_description(text) : std::string(text)});
    constexpr std::string_view directive = "#include \"";
    for (std::size_t at = text.find(directive); at != std::string_view::npos; at = text.find(directive, at)) {
        at += directive.size();
        const std::string included(text.substr(at, text.find('"', at) - at));
        const std::string_view described = description_sources::file(included);
        collect(included, described.empty() ? kernel_sources::file(included) : described, to);
    }
}

std::string ptx_of_description(const std::string& name, const std::string& text)
{
    std::vector<kernels::SourceText> headers;
    collect(name + ".cu", text, headers);
    constexpr std::string_view kernel = "own/describe_kernel.cu", library = "own/standard_library.cuh";
    collect("describe.h", description_sources::file("describe.h"), headers);
    collect(std::string(kernel), description_sources::file(kernel), headers);
    for (const char* standard : {"algorithm", "array", "cmath", "cstdint", "limits", "optional", "span", "string",
                                 "string_view", "utility", "vector", "recording/recording.h"})
        headers.push_back({standard, fmt::format("#pragma once\n#include \"{}\"\n", library)});
    return kernels::ptx_of(
        fmt::format("#pragma nv_diag_suppress 445\n" // about the kernels' names, which are never called here
                    "#define GEMMSCOPE_DESCRIPTION\n#define DESCRIBED {0}\n#include \"describe.h\"\n"
                    "#include \"{0}.cu\"\n#include \"{1}\"\n",
                    name, kernel),
        headers);
}

// Facts for one set of values at one problem size. If the values are refused, only `refusal` is set.
struct LaunchFacts {
    std::string refusal;
    recording::Launch launch;
    uint32_t dynamic_shared = 0;
    Type type = type_fp32, type_of_c = type_fp32;
    bool worth_trying = true;
    std::array<kernels::TensorBox, 2> boxes{};
    recording::Launch second;
    recording::Array workspace;
};

// A compiled description and its cached answers. Thread-safe.
class Description {
public:
    Description(const std::string& name, const std::string& text)
    {
        const std::string ptx = ptx_of_description(name, text);
        program_ = ptx::make_program(ptx::parse(ptx, cuda::source_lines(cuda::lines_of(ptx), name + ".cu")), "describe",
                                     region_count);
    }

    Answer ask(What what, const ParameterValues& values = {}, const Problem& problem = {}, int sm_count = 0) const
    {
        // Room for an answer with layouts of tiles, and for the memory that growing vectors abandon.
        const std::size_t room = what == tiles ? std::size_t{8} << 20 : std::size_t{1} << 18;
        std::vector<ptx::Region> regions(region_count);
        regions[region_answer] = {.name = "the answer", .bytes = std::vector<std::byte>(room)};
        regions[region_arena] = {.name = "the room for strings and vectors", .bytes = std::vector<std::byte>(room)};
        regions[region_values] = {.name = "the values", .bytes = std::vector<std::byte>(sizeof(int) * values.size())};
        std::memcpy(regions[region_values].bytes.data(), values.data(), regions[region_values].bytes.size());
        for (ptx::Region& region : ptx::variable_regions(program_))
            regions.push_back(std::move(region));
        struct {
            uint64_t answer = ptx::global_address(region_answer), arena = ptx::global_address(region_arena),
                     values = ptx::global_address(region_values);
            uint32_t M, N, K;
            float alpha, beta;
            int what, sm_count;
        } const arguments{.M = problem.M,
                          .N = problem.N,
                          .K = problem.K,
                          .alpha = problem.alpha,
                          .beta = problem.beta,
                          .what = what,
                          .sm_count = sm_count};
        ptx::MachineLaunch launch{.extent = {.grid = {1, 1, 1}, .block = {1, 1, 1}}};
        launch.arguments.resize(std::max<std::size_t>(program_.parameter_bytes, sizeof(arguments)));
        std::memcpy(launch.arguments.data(), &arguments, sizeof(arguments));
        ptx::run(program_, launch, regions, {});
        return Answer(std::move(regions[region_answer].bytes));
    }

    LaunchFacts at(const ParameterValues& values, const Problem& problem) const
    {
        return known(launches_, std::tuple(values, problem.M, problem.N, problem.K),
                     [&] { return read_launch(ask(launch, values, problem)); });
    }

    std::vector<recording::Array> tiles_of(const ParameterValues& values) const
    {
        return known(tiles_, values, [&] {
            Answer answer = ask(tiles, values);
            std::vector<recording::Array> result(answer.count(sizeof(int64_t)));
            for (recording::Array& one : result)
                one = answer.array();
            return result;
        });
    }

    // Stores a text for the stage's names. It lives while any copy of the stage has a function that refers to this
    // object.
    std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

    bool has_second = false, has_boxes = false;

private:
    enum : std::size_t { region_answer, region_arena, region_values, region_count };

    LaunchFacts read_launch(Answer answer) const
    {
        LaunchFacts result{.refusal = answer.text()};
        if (!result.refusal.empty())
            return result;
        result.launch = answer.extent();
        result.dynamic_shared = answer.word();
        result.type = static_cast<Type>(answer.number());
        result.type_of_c = static_cast<Type>(answer.number());
        result.worth_trying = answer.number() != 0;
        if (has_boxes)
            for (kernels::TensorBox& box : result.boxes)
                box = {answer.integer(), answer.integer()};
        if (has_second) {
            result.second = answer.extent();
            result.workspace = answer.array();
        }
        return result;
    }

    template <class Key, class Value, class Make>
    Value known(std::map<Key, Value>& all, const Key& key, Make make) const
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = all.find(key); found != all.end())
            return found->second;
        return all[key] = make();
    }

    ptx::Program program_;
    std::deque<std::string> texts_;
    mutable std::mutex mutex_;
    mutable std::map<std::tuple<ParameterValues, uint32_t, uint32_t, uint32_t>, LaunchFacts> launches_;
    mutable std::map<ParameterValues, std::vector<recording::Array>> tiles_;
};

template <std::size_t... i>
auto arguments_of(std::size_t kind, const std::function<Type(const ParameterValues&)>& type, std::index_sequence<i...>)
{
    using Bytes = decltype(kernels::Stage::arguments);
    const std::array<Bytes, sizeof...(i)> all = {kernels::argument_bytes<std::tuple_element_t<i, Kinds>>(type)...};
    const std::array<kernels::Operation, sizeof...(i)> operations = {
        kernels::operation(static_cast<std::tuple_element_t<i, Kinds>*>(nullptr))...};
    return std::pair(operations.at(kind), all.at(kind));
}

void take_functions(kernels::Stage& stage, const std::shared_ptr<Description>& description)
{
    using Values = const ParameterValues&;
    stage.refusal = [description](Values values) { return description->at(values, {}).refusal; };
    stage.launch = [description](Values values, const Problem& problem) {
        return description->at(values, problem).launch;
    };
    stage.tiles = [description](Values values) { return description->tiles_of(values); };
    stage.dynamic_shared = [description](Values values) { return description->at(values, {}).dynamic_shared; };
    stage.type = [description](Values values) { return description->at(values, {}).type; };
    stage.type_of_c = [description](Values values) { return description->at(values, {}).type_of_c; };
    stage.cpu_kernel = [](Values) { return nullptr; };
    if (description->has_boxes)
        stage.boxes = [description](Values values) { return description->at(values, {}).boxes; };
}

void take_second(kernels::Stage& stage, Answer& answer, const std::shared_ptr<Description>& description)
{
    using Values = const ParameterValues&;
    stage.second = kernels::SecondLaunch{
        .kernel = description->keep(answer.text()),
        .launch = [description](Values values,
                                const Problem& problem) { return description->at(values, problem).second; },
        .cpu_kernel = [](Values) { return nullptr; },
        .workspace = [description](Values values,
                                   const Problem& problem) { return description->at(values, problem).workspace; }};
}

// Reads the parameters, with the values that they have in the variants.
std::vector<ParameterValues> take_parameters(kernels::Stage& stage, Answer& answer)
{
    for (std::size_t left = answer.count(2 * sizeof(int64_t)); left > 0; --left) {
        kernels::ParameterSpec& spec = stage.parameters.emplace_back();
        spec.name = answer.text();
        spec.meaning = answer.text();
    }
    std::vector<ParameterValues> variants(answer.count(1));
    for (ParameterValues& values : variants)
        values = answer.values(stage.parameters.size());
    if (variants.empty())
        throw kernels::Error("Its info() must name at least one set of parameters in .variants.");
    for (std::size_t i = 0; i < stage.parameters.size(); ++i) {
        kernels::ParameterSpec& spec = stage.parameters[i];
        spec.standard = variants[0][i];
        for (const ParameterValues& values : variants)
            spec.choices.push_back(values[i]);
        std::ranges::sort(spec.choices);
        spec.choices.erase(std::ranges::unique(spec.choices).begin(), spec.choices.end());
    }
    return variants;
}

} // namespace

kernels::Stage described_stage(const std::string& name, const std::string& text)
{
    const auto description = std::make_shared<Description>(name, text);
    Answer answer = description->ask(facts);
    kernels::Stage stage;
    stage.slug = stage.kernel = description->keep(answer.text());
    stage.idea = description->keep(answer.text());
    stage.builds_on = description->keep(answer.text());
    stage.file = description->keep(name + ".cu");
    const std::string body = answer.text();
    stage.body_file = body.empty() ? stage.file : description->keep(body);
    const std::size_t kind = answer.count(1);
    if (kind >= std::tuple_size_v<Kinds>)
        answer.make_no_sense();
    if (answer.number() == 0)
        throw kernels::Error(fmt::format("{}.cu must give .refusal and .launch in its info().", name));
    stage.cpu_variants = {take_parameters(stage, answer).front()};
    for (std::size_t left = answer.count(3 * sizeof(int64_t)); left > 0; --left) {
        kernels::LayoutSource& layout = stage.layouts.emplace_back();
        for (std::string_view* words : {&layout.array, &layout.name, &layout.file})
            *words = description->keep(answer.text());
    }
    description->has_second = answer.number() != 0;
    if (description->has_second)
        take_second(stage, answer, description);
    if (answer.number() != 0)
        for (std::size_t i = 0; i < stage.parameters.size(); ++i)
            stage.candidates.push_back(answer.values(answer.count(sizeof(int64_t))));
    if (answer.number() != 0)
        stage.worth_trying = [description](const ParameterValues& values) {
            return description->at(values, {}).worth_trying;
        };
    const std::size_t parameters = stage.parameters.size();
    if (answer.number() != 0)
        stage.suited = [description, parameters](const Problem& problem, uint32_t sm_count) {
            return description->ask(suited, {}, problem, static_cast<int>(sm_count)).values(parameters);
        };
    description->has_boxes = answer.number() != 0;
    stage.only_compute_capability = answer.integer();
    if (answer.number() != 0) {
        kernels::TinyForm tiny{.parameters = answer.values(parameters)};
        for (uint32_t* side : {&tiny.problem.M, &tiny.problem.N, &tiny.problem.K})
            *side = answer.word();
        tiny.limit = description->keep(answer.text());
        stage.tiny = tiny;
    }
    take_functions(stage, description);
    std::tie(stage.operation, stage.arguments) =
        arguments_of(kind, stage.type, std::make_index_sequence<std::tuple_size_v<Kinds>>());
    stage.text = std::make_shared<const std::string>(text);
    return stage;
}

} // namespace own

namespace kernels {

namespace {

namespace fs = std::filesystem;

void require_consistent(const Stage& stage, const std::string& name)
{
    if (stage.slug != name)
        throw Error(fmt::format("{0}.cu describes a stage '{1}'; .slug must be \"{0}\", as the file is called.", name,
                                stage.slug));
    if (const std::string why = stage.refusal(stage.standard_parameters()); !why.empty())
        throw Error(
            fmt::format("{}.cu refuses its own standard parameters, the first of its variants: {}.", name, why));
}

// Rejects names with unusual characters. The name becomes part of the compiled text, so it could otherwise inject code.
void require_name(const std::string& name)
{
    const bool begins = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
    if (!begins || !std::ranges::all_of(name, traced::is_word))
        throw Error(
            fmt::format("A stage is called as its file, and '{}' is no name in C++: rename the file to letters, "
                        "digits and underscores, such as my_tile.cu.",
                        name));
}

} // namespace

bool is_stage_file(std::string_view text)
{
    return text.find("StageInfo<") != std::string_view::npos;
}

Stage load_own_stage(const std::string& name, const std::string& text)
{
    require_name(name);
    Stage stage = own::described_stage(name, text);
    require_consistent(stage, name);
    return stage;
}

std::vector<fs::path> own_stage_files(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->path().extension() == ".cu" && at->path().filename().string().front() != '.')
            files.push_back(at->path());
    std::ranges::sort(files);
    return files;
}

std::vector<Stage> ladder_with_own(const fs::path& folder, std::vector<std::string>& problems)
{
    std::vector<Stage> ladder = make_ladder();
    for (const fs::path& file : own_stage_files(folder)) {
        const std::string name = file.stem().string();
        try {
            const std::string text = recording::read_whole(file, recording::largest_source);
            if (!is_stage_file(text)) // another kernel, which is traced instead
                continue;
            if (std::ranges::find(ladder, name, &Stage::slug) != ladder.end())
                throw Error(fmt::format("The ladder has a stage {} already; give the file another name.", name));
            ladder.push_back(load_own_stage(name, text));
        } catch (const Error& error) {
            problems.push_back(fmt::format("{} is left out. {}", file.string(), error.what()));
        }
    }
    return ladder;
}

} // namespace kernels
