#include "app/learn/place.h"

#include "app/learn/words.h"

#include "error.h"
#include "gemm/size.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>

namespace app {

namespace {

// "3,4" or "3,4,5".
std::vector<uint32_t> numbers_of(const Word& word)
{
    std::vector<uint32_t> numbers;
    std::string_view rest = word.value;
    while (true) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        numbers.push_back(number_of(word, rest.substr(0, comma)));
        if (comma == rest.size())
            return numbers;
        rest.remove_prefix(comma + 1);
    }
}

double figure_of(const Word& word)
{
    double value = 0;
    const char* const end = word.value.data() + word.value.size();
    const auto read = std::from_chars(word.value.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end || !std::isfinite(value))
        throw kernels::Error(fmt::format("\"{}={}\" needs a number.", word.name, word.value));
    return value;
}

// "BK:16".
std::pair<std::string, std::string> named_value(const Word& word)
{
    const std::size_t colon = word.value.find(':');
    if (colon == std::string::npos)
        throw kernels::Error(fmt::format("\"{}={}\" needs a name and a value, such as BK:16.", word.name, word.value));
    return {word.value.substr(0, colon), word.value.substr(colon + 1)};
}

std::string one_of(const Word& word, std::initializer_list<std::string_view> valid)
{
    std::string names;
    for (const std::string_view name : valid) {
        if (name == word.value)
            return word.value;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
    }
    throw kernels::Error(fmt::format("\"{}={}\" needs one of {}.", word.name, word.value, names));
}

// What is chosen beside stages and size; false: it is no such word.
bool take_choice(Place& place, const Word& word)
{
    if (word.name == "file")
        place.file = word.value;
    else if (word.name == "second_file")
        place.second_file = word.value;
    else if (word.name == "timed")
        place.timed = word.value;
    else if (word.name == "alpha")
        place.alpha = static_cast<float>(figure_of(word));
    else if (word.name == "beta")
        place.beta = static_cast<float>(figure_of(word));
    else if (word.name == "inputs")
        place.inputs =
            one_of(word, {"random", "small"}) == "small" ? recording::Inputs::small : recording::Inputs::random;
    else if (word.name == "here")
        place.here = true;
    else if (word.name == "page")
        place.page = one_of(word, {"sources", "counters", "accuracy", "candidates"});
    else if (word.name == "time")
        place.time = std::max(0.0, figure_of(word));
    else if (word.name == "clock")
        place.clock = one_of(word, {"wavefronts", "sectors", "steps"});
    else if (word.name == "arranged")
        place.arranged = word.value;
    else if (word.name == "code")
        place.code = one_of(word, {"machine", "ptx", "counters"});
    else if (word.name == "line")
        place.line = number_of(word);
    else if (word.name == "second")
        place.second_parameters.push_back(named_value(word));
    else if (word.name == "of_third")
        place.third_parameters.push_back(named_value(word));
    else if (word.name == "parameter")
        place.parameters.push_back(named_value(word));
    else
        return false;
    return true;
}

void take_position(Place& place, const Word& word)
{
    if (word.name == "step") {
        place.step = number_of(word);
    } else if (word.name == "c") {
        const std::vector<uint32_t> numbers = numbers_of(word);
        if (numbers.size() != 2)
            throw kernels::Error(fmt::format("\"c={}\" needs a row and a column, such as c=3,4.", word.value));
        place.c = {numbers[0], numbers[1]};
    } else {
        std::vector<uint32_t> numbers = numbers_of(word);
        numbers.resize(3);
        place.block = {numbers[0], numbers[1], numbers[2]};
    }
}

} // namespace

Place parse_place(std::string_view text)
{
    Place place;
    for (const Word& word : words_of(text)) {
        if (word.name == "stage")
            place.stage = word.value;
        else if (word.name == "compare")
            place.compare = word.value;
        else if (word.name == "third")
            place.third = word.value;
        else if (word.name == "view")
            place.view = word.value;
        else if (word.name == "size")
            place.size = word.value;
        else if (word.name == "at")
            place.at = word.value;
        else if (word.name == "op")
            place.operation = word.value;
        else if (word.name == "tiny")
            place.tiny = true;
        else if (word.name == "warp")
            place.warp = number_of(word);
        else if (word.name == "lane")
            place.lane = number_of(word);
        else if (word.name == "skip")
            place.skip = number_of(word);
        else if (word.name == "step" || word.name == "c" || word.name == "block")
            take_position(place, word);
        else if (!word.name.empty() && word.name[0] >= 'A' && word.name[0] <= 'Z' && !word.value.empty())
            place.parameters.emplace_back(word.name, word.value);
        else if (!take_choice(place, word))
            throw kernels::Error(fmt::format(
                "A place has no \"{}\"; it has stage, compare, third, view, page, file, second_file, tiny, size, "
                "timed, alpha, beta, inputs, here, at, op, step, skip, time, clock, code, arranged, warp, lane, "
                "line, block, c, second, of_third and parameters such as BK=16.",
                word.name));
    }
    return place;
}

namespace {

std::string parameter_text(const std::string& name, const std::string& value)
{
    return name[0] >= 'A' && name[0] <= 'Z' ? name + "=" + value : fmt::format("parameter={}:{}", name, value);
}

} // namespace

std::string text_of(const Place& place)
{
    const Place standard;
    std::string text = "stage=" + place.stage;
    const auto add = [&](bool wanted, const std::string& word) { text += wanted ? " " + word : ""; };
    add(!place.compare.empty(), "compare=" + place.compare);
    add(!place.third.empty(), "third=" + place.third);
    add(true, "view=" + place.view);
    add(!place.page.empty(), "page=" + place.page);
    add(!place.file.empty(), quoted("file", place.file.string()));
    add(!place.second_file.empty(), quoted("second_file", place.second_file.string()));
    add(place.tiny, "tiny");
    add(!place.size.empty(), "size=" + place.size);
    add(!place.timed.empty(), "timed=" + place.timed);
    add(place.alpha != standard.alpha, fmt::format("alpha={}", place.alpha));
    add(place.beta != standard.beta, fmt::format("beta={}", place.beta));
    if (place.inputs)
        add(true, fmt::format("inputs={}", recording::name(*place.inputs)));
    add(place.here, "here");
    for (const auto& [name, value] : place.parameters)
        add(true, parameter_text(name, value));
    for (const auto& [name, value] : place.second_parameters)
        add(true, fmt::format("second={}:{}", name, value));
    for (const auto& [name, value] : place.third_parameters)
        add(true, fmt::format("of_third={}:{}", name, value));
    add(place.warp != 0, fmt::format("warp={}", place.warp));
    if (place.step)
        add(true, fmt::format("step={}", *place.step));
    add(!place.at.empty(), quoted("at", place.at));
    add(!place.operation.empty(), quoted("op", place.operation));
    add(place.skip != 0, fmt::format("skip={}", place.skip));
    if (place.time)
        add(true, fmt::format("time={}", *place.time));
    add(!place.clock.empty(), "clock=" + place.clock);
    add(!place.code.empty(), "code=" + place.code);
    add(place.lane != 0, fmt::format("lane={}", place.lane));
    add(place.line != 0, fmt::format("line={}", place.line));
    if (place.c)
        add(true, fmt::format("c={},{}", place.c->first, place.c->second));
    if (place.block != standard.block)
        add(true, fmt::format("block={},{},{}", place.block.x, place.block.y, place.block.z));
    add(!place.arranged.empty(), quoted("arranged", place.arranged));
    return text;
}

std::string command_of(const Place& place, std::string_view options)
{
    return fmt::format("gemmscope --show {}{}{}", for_shell(text_of(place)), options.empty() ? "" : " ", options);
}

kernels::Job job_of(const Place& place, const std::vector<kernels::Stage>& ladder, bool second)
{
    const kernels::Stage& stage = kernels::find_stage(ladder, second ? place.compare : place.stage);
    std::vector<std::string> assignments;
    for (const auto& [name, value] : second ? place.second_parameters : place.parameters)
        assignments.push_back(name + "=" + value);
    const bool tiny = place.tiny && stage.tiny;
    kernels::Job job{
        .stage = &stage,
        .parameters =
            kernels::parse_parameters(stage, assignments, tiny ? stage.tiny->parameters : stage.standard_parameters()),
        .inputs = place.inputs.value_or(place.tiny ? recording::Inputs::small : recording::Inputs::random)};
    const std::string size(kernels::facts(stage.operation).small_size);
    job.problem = kernels::parse_size(place.size.empty() ? size : place.size, stage.operation);
    if (tiny && place.size.empty())
        job.problem = stage.tiny->problem;
    job.problem.alpha = place.alpha;
    job.problem.beta = place.beta;
    job.problem = kernels::used_part(stage.operation, job.problem);
    return job;
}

std::size_t block_of(const Place& place, const recording::Recording& recording)
{
    const auto found = std::ranges::find(recording.blocks, place.block, &recording::BlockTrace::block);
    return found == recording.blocks.end() ? 0 : static_cast<std::size_t>(found - recording.blocks.begin());
}

std::optional<std::size_t> step_of(const Place& place, const recording::Recording& recording)
{
    if (recording.blocks.empty() || place.warp >= recording.blocks[block_of(place, recording)].warps.size())
        return {};
    const auto& accesses = recording.blocks[block_of(place, recording)].warps[place.warp].accesses;
    if (place.step)
        return *place.step < accesses.size() ? place.step : std::nullopt;
    if (place.at.empty() && place.operation.empty())
        return {};
    std::size_t before = 0;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        const recording::Access& access = accesses[i];
        const bool fits =
            (place.operation.empty() || recording::name(access.op) == place.operation) &&
            (place.at.empty() || viz::source_line(recording, access.line).find(place.at) != std::string::npos);
        if (fits && before++ == place.skip)
            return i;
    }
    return {};
}

} // namespace app
