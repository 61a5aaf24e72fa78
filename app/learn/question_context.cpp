#include "app/learn/question_context.h"

#include "viz/analysis/access.h"
#include "viz/analysis/bank_picture.h"
#include "viz/analysis/mapping.h"
#include "viz/text/figures.h"
#include "viz/text/templates.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

namespace app {

namespace {

constexpr std::size_t most_choices = 4;

// Returns the figure of a label that consists of one figure, otherwise null.
const int64_t* figure_in(const AnswerChoice& choice)
{
    if (choice.label.arguments.size() != 1 || choice.label.arguments[0].name != "figure")
        return nullptr;
    return std::get_if<int64_t>(&choice.label.arguments[0].value.content);
}

constexpr std::size_t few = 8;

// Returns the accessed offsets, each with the mask of its lanes.
std::map<uint32_t, uint32_t> by_offset(const recording::Access& access)
{
    std::map<uint32_t, uint32_t> masks;
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane)
        if (viz::takes_part(access, lane))
            masks[access.offset[lane]] |= 1u << lane;
    return masks;
}

} // namespace

Answers::Answers(viz::Message right, viz::Messages why)
{
    labels_.push_back(viz::plain(right));
    choices_.push_back({std::move(right), std::move(why)});
}

Answers& Answers::wrong(viz::Message label, viz::Message explains)
{
    std::string text = viz::plain(label);
    if (choices_.size() == most_choices || std::ranges::find(labels_, text) != labels_.end())
        return *this;
    labels_.push_back(std::move(text));
    choices_.push_back({std::move(label), {std::move(explains)}});
    return *this;
}

Answers& Answers::fill_beside(uint64_t right, uint64_t below)
{
    const viz::Messages why = choices_.front().explains;
    for (const uint64_t near : {right * 2, right / 2, right + 1, right * 4, right + 3, right + 5, right + 7})
        if (near > 0 && near < below)
            wrong(near, {"quiz.not_so", {{"why", why}}});
    return *this;
}

QuizQuestion Answers::into(QuizQuestion question, QuestionContext& context)
{
    const std::string right = labels_.front();
    if (std::ranges::all_of(choices_, [](const AnswerChoice& one) { return figure_in(one) != nullptr; }))
        std::ranges::sort(choices_, {}, [](const AnswerChoice& one) { return *figure_in(one); });
    else
        for (std::size_t i = choices_.size(); i > 1; --i)
            std::swap(choices_[i - 1], choices_[context.below(i)]);
    question.choices = std::move(choices_);
    for (std::size_t i = 0; i < question.choices.size(); ++i)
        if (viz::plain(question.choices[i].label) == right)
            question.answer = i;
    return question;
}

viz::Message ChosenAccess::line() const
{
    return {"quiz.line",
            {{"stage", recording->stage},
             {"line", viz::index(access->line)},
             {"code", viz::source_line(*recording, access->line)}}};
}

viz::Value ChosenAccess::element_of(uint32_t lane) const
{
    const std::vector<viz::Cell> cells = viz::cells_of_lane(*access, viz::Elements(*array), array->element_bytes, lane);
    return viz::element_name(array->name, cells.empty() ? cells : std::vector{cells.front()});
}

bool ChosenAccess::lists_all() const
{
    return by_offset(*access).size() <= few;
}

viz::Value ChosenAccess::lanes() const
{
    viz::Value::List list;
    const auto add = [&](uint32_t mask) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(mask));
        list.push_back(viz::Message{
            "quiz.lanes_at",
            {{"lanes", viz::lane_list(mask)}, {"element", element_of(lane)}, {"bytes", access->offset[lane]}}});
    };
    if (lists_all()) {
        for (const auto& [offset, mask] : by_offset(*access))
            add(mask);
        return list;
    }
    for (const uint32_t lane : {0u, 1u, 2u, 3u, 4u, 8u, 16u, 31u})
        if (viz::takes_part(*access, lane))
            add(1u << lane);
    return list;
}

std::optional<viz::Message> ChosenAccess::layout() const
{
    const auto mapping = viz::recorded_mapping(*array);
    if (!mapping)
        return {};
    return viz::Message{"quiz.lies_by",
                        {{"array", array->name}, {"formula", viz::formula_of(*mapping)}, {"cols", array->cols}}};
}

std::optional<ChosenAccess> choose_access(QuestionContext& context, const Patch& place, const AccessFilter& filter)
{
    ChosenAccess chosen{.recording = context.examples().of(place), .place = place};
    const recording::BlockTrace& block = chosen.recording->blocks.at(0);
    chosen.place.warp = context.below(block.warps.size());
    const auto& accesses = block.warps[chosen.place.warp].accesses;
    std::map<std::tuple<uint32_t, uint8_t, uint8_t>, std::vector<std::size_t>> steps;
    for (std::size_t i = 0; i < accesses.size(); ++i)
        if (accesses[i].mask != 0 && recording::has_addresses(accesses[i]) && filter(accesses[i]))
            steps[{accesses[i].line, accesses[i].array, accesses[i].width}].push_back(i);
    if (steps.empty())
        return {};
    chosen.place.step = context.one_of(std::next(steps.begin(), context.below(steps.size()))->second);
    chosen.access = &accesses[*chosen.place.step];
    chosen.array = &chosen.recording->arrays.at(chosen.access->array);
    return chosen;
}

uint32_t choose_lane(QuestionContext& context, uint32_t mask)
{
    uint32_t skip = context.below(static_cast<std::size_t>(std::popcount(mask)));
    while (skip-- > 0)
        mask &= mask - 1;
    return static_cast<uint32_t>(std::countr_zero(mask));
}

Patch placed(std::string_view stage, std::string_view view)
{
    Patch place;
    place.columns[0].stage = stage;
    place.view = view;
    return place;
}

QuizQuestion question_about(std::string topic, const Patch& place)
{
    return {.topic = std::move(topic), .asked = place, .shown = place};
}

} // namespace app
