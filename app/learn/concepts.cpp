#include "app/learn/concepts.h"

#include "app/learn/lessons.h"
#include "app/learn/quiz.h"

#include "viz/analysis/comparison.h"
#include "viz/analysis/warp_times.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

using recording::Recording;

bool uses_shared(const Recording& shown)
{
    return std::ranges::any_of(shown.arrays, [](const recording::Array& array) {
        return array.space == recording::Space::shared && array.rows > 0;
    });
}

constexpr std::string_view of_parameter = "parameter ";

// Returns whether the stage has this parameter with more than one element, for example a thread tile or warp tile.
bool has_parameter(const Recording& shown, std::string_view name)
{
    return std::ranges::any_of(shown.parameters,
                               [&](const recording::Parameter& one) { return one.name == name && one.value > 1; });
}

bool watched(const Recording& shown, const viz::LadderFacts& ladder_facts)
{
    return ladder_facts.warps != nullptr && viz::few_and_many(*ladder_facts.warps, shown.stage).has_value();
}

// Returns whether a GPU counted the executed instructions of the stage and, with `sampled`, the stall reasons of its
// warps.
bool counted(const Recording& shown, const viz::LadderFacts& ladder_facts, bool sampled)
{
    const viz::CountedRun* run = ladder_facts.run_of(shown);
    return run != nullptr && (!sampled || run->run->samples);
}

// Returns the first step of that operation, in the first warp that has one.
std::optional<ConceptStep> step_of(const Recording& shown, std::size_t block, const std::string& operation)
{
    if (block >= shown.blocks.size())
        return {};
    const auto& warps = shown.blocks[block].warps;
    for (uint32_t warp = 0; warp < warps.size(); ++warp) {
        const auto& accesses = warps[warp].accesses;
        const auto found = std::ranges::find(
            accesses, operation, [](const recording::Access& access) { return recording::name(access.op); });
        if (found != accesses.end())
            return ConceptStep{warp, static_cast<std::size_t>(found - accesses.begin())};
    }
    return {};
}

std::string kinds_about(const std::string& slug)
{
    std::string kinds;
    for (const QuestionKind& kind : question_kinds())
        if (std::ranges::find(kind.concepts, slug) != kind.concepts.end())
            kinds += fmt::format("{}`{}`", kinds.empty() ? "" : ", ", kind.name);
    return kinds;
}

std::string lessons_about(const std::string& slug)
{
    std::string lessons;
    for (const Lesson& lesson : shipped_lessons().all())
        if (std::ranges::find(lesson.covers, slug) != lesson.covers.end())
            lessons +=
                fmt::format("{}[{}](../assets/lessons/{}.md)", lessons.empty() ? "" : ", ", lesson.title, lesson.slug);
    return lessons;
}

} // namespace

const Patch* own_place(const Concept& row)
{
    if (row.place)
        return &*row.place;
    const Lesson* lesson = shipped_lessons().of_concept(row.slug);
    if (lesson == nullptr)
        return nullptr;
    const auto step = std::ranges::find_if(
        lesson->steps, [&](const LessonStep& one) { return one.place && one.place->view == row.view; });
    return step == lesson->steps.end() ? nullptr : &*step->place;
}

ConceptPlace concept_place(const Concept& row, const Recording* shown, std::size_t block,
                           const viz::LadderFacts& ladder_facts)
{
    ConceptPlace result{.keeps = true, .step = {}, .own = own_place(row)};
    const std::string& needs = row.needs;
    if (needs == "any" || result.own == nullptr)
        return result;
    if (shown == nullptr || needs == "own")
        result.keeps = false;
    else if (needs == "products")
        result.keeps = viz::computes(*shown) == viz::Computes::products;
    else if (needs == "shared")
        result.keeps = uses_shared(*shown);
    else if (needs == "placed") // the ladder facts may have a launch of many blocks
        result.keeps = !shown->placements.empty() ||
                       (ladder_facts.of(*shown) != nullptr && ladder_facts.of(*shown)->launch != nullptr);
    else if (needs == "slices")
        result.keeps = shown->launch.grid.z > 1;
    else if (needs == "local")
        result.keeps = shown->resources && shown->resources->local_bytes_per_thread > 0;
    else if (needs.starts_with(of_parameter))
        result.keeps = has_parameter(*shown, std::string_view(needs).substr(of_parameter.size()));
    else if (needs == "counted" || needs == "sampled")
        result.keeps = counted(*shown, ladder_facts, needs == "sampled");
    else if (needs == "watched")
        result.keeps = watched(*shown, ladder_facts);
    else
        result.keeps = (result.step = step_of(*shown, block, needs)).has_value();
    return result;
}

std::string shown_there(const Patch& place)
{
    const std::string first = place.columns[0].file.empty() ? place.stage() : place.columns[0].file.filename().string();
    const std::string size = place.size.empty() ? "" : " at " + place.size;
    return first + (place.columns[1].stage.empty() ? "" : " beside " + place.columns[1].stage) + size;
}

std::string concept_table()
{
    std::string page =
        "# What a learner can see\n\nGenerated by `gemmscope lessons --concepts`; a test compares it. Each row has a "
        "lesson, a view that shows it, and kinds of\nquestions (`gemmscope quiz --kind KIND`).\n\n"
        "| concept | the question | lesson | view | questions |\n|---|---|---|---|---|\n";
    for (const Concept& row : all_concepts())
        page += fmt::format("| {} | {} | {} | {} | {} |\n", row.name, row.question, lessons_about(row.slug), row.view,
                            kinds_about(row.slug));
    return page;
}

} // namespace app
