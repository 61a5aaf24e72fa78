#include "app/learn/facts.h"

#include "error.h"
#include "viz/text/rich.h"

#include <fmt/format.h>

namespace app {

namespace {

constexpr std::string_view of_second = "_2";

const std::map<std::string, Fact, std::less<>>& all_facts()
{
    static const auto all = [] {
        Facts facts;
        add_access_facts(facts);
        add_launch_facts(facts);
        add_speed_facts(facts);
        auto both = facts.by_name;
        for (const auto& [name, fact] : facts.by_name)
            both.emplace(name + std::string(of_second), fact);
        return both;
    }();
    return all;
}

FactContext shown_of(const Patch& place, ExampleRecordings& examples, bool second)
{
    if (second && !place.compares())
        throw kernels::Error("this step compares with nothing");
    const std::size_t column = second ? 1 : 0;
    FactContext shown{examples, place, place.columns[column].stage, examples.of(place, column), {}};
    if (!place.columns[column].file.empty())
        shown.slug = shown.recording->stage;
    shown.step = step_of(place, *shown.recording);
    return shown;
}

} // namespace

const recording::Access& FactContext::access() const
{
    if (!step)
        throw kernels::Error(fmt::format("the place \"{}\" is no step of {}", text_of(place), slug));
    return warp().accesses.at(*step);
}

const recording::Array& FactContext::array() const
{
    if (!recording::has_addresses(access()))
        throw kernels::Error(fmt::format("the step \"{}\" touches no memory", text_of(place)));
    return recording->arrays.at(access().array);
}

std::vector<FactName> fact_names()
{
    std::vector<FactName> names;
    for (const auto& [name, fact] : all_facts())
        if (!name.ends_with(of_second))
            names.push_back({name, fact.meaning});
    return names;
}

std::vector<viz::Argument> facts_of(const LessonStep& step, const Lessons& lessons, ExampleRecordings& examples)
{
    std::vector<viz::Argument> arguments;
    for (const std::string& name : lessons.templates().arguments(step.id)) {
        const auto found = all_facts().find(name);
        if (found == all_facts().end())
            throw kernels::Error(fmt::format("{} has {{{}}}, which the program does not compute", step.id, name));
        try {
            arguments.push_back(
                {found->first, found->second.value(shown_of(step.of, examples, name.ends_with(of_second)))});
        } catch (const std::exception& error) {
            throw kernels::Error(fmt::format("{}: there is no {}: {}", step.id, name, error.what()));
        }
    }
    return arguments;
}

std::vector<viz::Run> words_of(const LessonStep& step, const Lessons& lessons, ExampleRecordings& examples)
try {
    return lessons.templates().compose({step.id, facts_of(step, lessons, examples)});
} catch (const std::exception& error) {
    return viz::rich(
        "This step has a figure that is not known here. It needs what is shipped with gemmscope, or a GPU.\n"
        "> {}",
        error.what());
}

} // namespace app
