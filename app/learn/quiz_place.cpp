#include "app/learn/quiz_place.h"

#include "app/learn/lessons.h"

#include "error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace app {

namespace {

void refuse_unknown(const char* word, const std::vector<std::string>& parts, bool (*is_known)(std::string_view))
{
    for (const std::string& one : parts)
        if (!is_known(one))
            throw kernels::Error(
                fmt::format("\"{}={}\" has \"{}\", which there is not.", word, fmt::join(parts, ","), one));
}

} // namespace

std::string text_of(const QuizPlace& place)
{
    std::vector<kernels::Word> words = kernels::words_of_fields(place);
    const std::vector<Course> courses = shipped_lessons().courses();
    const auto course = std::ranges::find_if(
        courses, [&](const Course& one) { return shipped_lessons().concepts_of(one.slug) == place.wanted.concepts; });
    if (course != courses.end() && !place.wanted.concepts.empty())
        *std::ranges::find(words, "concepts", &kernels::Word::name) = {"course", course->slug};
    return kernels::text_of(words);
}

QuizPlace parse_quiz_place(std::string_view text)
{
    std::vector<kernels::Word> words = kernels::words_of(text);
    for (kernels::Word& word : words)
        if (word.name == "course")
            word = {"concepts", fmt::format("{}", fmt::join(shipped_lessons().concepts_of(word.value), ","))};
    auto place = kernels::fields_of_words<QuizPlace>(words, "A quiz");
    refuse_unknown("concepts", place.wanted.concepts,
                   [](std::string_view slug) { return find_concept(slug) != nullptr; });
    refuse_unknown("kinds", place.wanted.kinds, is_question_kind);
    if (place.right > place.at + (place.chosen ? 1 : 0))
        throw kernels::Error("A quiz cannot have more right answers than questions that were answered.");
    return place;
}

} // namespace app
