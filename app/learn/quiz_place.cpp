#include "app/learn/quiz_place.h"

#include "app/learn/lessons.h"
#include "app/learn/quiz_count.h"
#include "app/learn/words.h"

#include "error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace app {

namespace {

std::vector<std::string> known_parts(const Word& word, bool (*is_known)(std::string_view))
{
    std::vector<std::string> parts = parts_of(word);
    for (const std::string& one : parts)
        if (!is_known(one))
            throw kernels::Error(fmt::format("\"{}={}\" has \"{}\", which there is not.", word.name, word.value, one));
    return parts;
}

bool take(QuizWanted& wanted, const Word& word)
{
    if (word.name == "course")
        wanted.concepts = shipped_lessons().concepts_of(word.value);
    else if (word.name == "concepts")
        wanted.concepts = known_parts(word, [](std::string_view slug) { return find_concept(slug) != nullptr; });
    else if (word.name == "kinds")
        wanted.kinds = known_parts(word, is_question_kind);
    else if (word.name == "stage")
        wanted.stage = word.value;
    else if (word.name == "count")
        wanted.count = checked_question_count(number_of(word));
    else if (word.name == "seed")
        wanted.seed = number_of(word);
    else
        return false;
    return true;
}

// The course that is about these concepts and no others, else the concepts.
std::string text_of_concepts(const std::vector<std::string>& concepts)
{
    for (const Course& course : shipped_lessons().courses())
        if (shipped_lessons().concepts_of(course.slug) == concepts)
            return "course=" + course.slug;
    return fmt::format("concepts={}", fmt::join(concepts, ","));
}

} // namespace

std::string text_of(const QuizPlace& place)
{
    std::string text = fmt::format("seed={} count={}", place.wanted.seed, place.wanted.count);
    const auto add = [&](bool wanted, const std::string& word) { text += wanted ? " " + word : ""; };
    if (!place.wanted.concepts.empty())
        add(true, text_of_concepts(place.wanted.concepts));
    add(!place.wanted.stage.empty(), "stage=" + place.wanted.stage);
    add(!place.wanted.kinds.empty(), fmt::format("kinds={}", fmt::join(place.wanted.kinds, ",")));
    add(place.at != 0, fmt::format("at={}", place.at));
    add(place.right != 0, fmt::format("right={}", place.right));
    if (place.chosen)
        add(true, fmt::format("chosen={}", *place.chosen));
    add(!place.title.empty(), quoted("title", place.title));
    return text;
}

QuizPlace parse_quiz_place(std::string_view text)
{
    QuizPlace place;
    for (const Word& word : words_of(text)) {
        if (word.name == "at")
            place.at = number_of(word);
        else if (word.name == "right")
            place.right = number_of(word);
        else if (word.name == "chosen")
            place.chosen = number_of(word);
        else if (word.name == "title")
            place.title = word.value;
        else if (!take(place.wanted, word))
            throw kernels::Error(
                fmt::format("A quiz has no \"{}\"; it has seed, count, course, concepts, stage, kinds, "
                            "at, right, chosen and title.",
                            word.name));
    }
    if (place.at > most_questions) // there, the quiz is over
        throw kernels::Error(
            fmt::format("A quiz has at most {} questions, and none is at {}.", most_questions, place.at));
    if (place.right > place.at + (place.chosen ? 1 : 0))
        throw kernels::Error("A quiz cannot have more right answers than questions that were answered.");
    return place;
}

} // namespace app
