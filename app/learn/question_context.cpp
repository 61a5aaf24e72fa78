#include "app/learn/question_context.h"

#include "viz/text/templates.h"

#include <algorithm>
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

} // namespace app
