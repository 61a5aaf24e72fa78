#include "app/learn/lessons.h"

#include "base/field_words.h"
#include "error.h"
#include "lesson_files.h"
#include "traced/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>

namespace app {

namespace {

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    while (true) {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.push_back(traced::trimmed(text.substr(0, end)));
        if (end == text.size())
            return parts;
        text.remove_prefix(end + 1);
    }
}

// Visits the facts in the heading of a lesson that are one text or number.
void fields_of_heading(auto& visit, Lesson& lesson)
{
    visit("title", lesson.title);
    visit("level", lesson.level);
    visit("minutes", lesson.minutes, kernels::between(1, 90));
    visit("next", lesson.next);
}

class Reader {
public:
    Reader(const std::string& name, const std::string& text) : name_(name)
    {
        lesson_.slug = name_.substr(0, name_.rfind('.'));
        try {
            for (const std::string& line : split(text, '\n')) {
                ++line_;
                take(line);
            }
            end_step();
            if (lesson_.title.empty() || lesson_.steps.empty())
                throw kernels::Error("a lesson has a title and at least one step");
        } catch (const kernels::Error& error) {
            throw kernels::Error(fmt::format("assets/lessons/{}, line {}: {}", name_, line_, error.what()));
        }
    }

    Lesson take_lesson() { return std::move(lesson_); }
    const std::string& markdown() const { return markdown_; }

private:
    void take(const std::string& line)
    {
        if (line == "---")
            ++rules_;
        else if (rules_ < 2)
            take_fact(line);
        else if (line.starts_with("## "))
            begin_step(line.substr(3));
        else if (heading_ && take_setting(line))
            return;
        else if (!line.empty() || !heading_)
            heading_ = heading_ && line.empty(), body_ += line + '\n';
    }

    void take_fact(const std::string& line)
    {
        if (line.empty())
            return;
        const std::size_t colon = line.find(':');
        const std::string name = line.substr(0, colon),
                          value = colon == std::string::npos ? "" : traced::trimmed(line.substr(colon + 1));
        const kernels::Word word{name, value};
        kernels::WordReader heading(word);
        fields_of_heading(heading, lesson_);
        if (heading.taken)
            return;
        if (name == "covers")
            lesson_.covers = split(value, ',');
        else if (name == "needs")
            lesson_.needs = split(value, ',');
        else if (name == "course")
            for (const std::string& one : split(value, ','))
                take_course(one);
        else
            throw kernels::Error(fmt::format(
                "\"{}\" is not known; there are title, level, minutes, covers, needs, course and next", line));
    }

    void take_course(const std::string& text)
    {
        const std::size_t blank = text.find(' ');
        int place = 0;
        const std::string_view number =
            blank == std::string::npos ? std::string_view() : std::string_view(text).substr(blank + 1);
        if (number.empty() || std::from_chars(number.data(), number.data() + number.size(), place).ec != std::errc())
            throw kernels::Error(fmt::format("\"course: {}\" needs a place, such as tiles 10", text));
        lesson_.courses.emplace_back(text.substr(0, blank), place);
    }

    void begin_step(const std::string& title)
    {
        end_step();
        LessonStep step{.id = fmt::format("{}.{}", lesson_.slug, lesson_.steps.size() + 1), .title = title};
        if (!lesson_.steps.empty())
            step.of = lesson_.steps.back().of;
        lesson_.steps.push_back(std::move(step));
        heading_ = true;
    }

    bool take_setting(const std::string& line)
    {
        LessonStep& step = lesson_.steps.back();
        if (line.starts_with("show:")) {
            step.place = parse_patch(line.substr(5));
            step.of = *step.place;
        } else if (line.starts_with("done:")) {
            kernels::read_word({"done", traced::trimmed(line.substr(5))}, step.goal);
        } else {
            return false;
        }
        return true;
    }

    void end_step()
    {
        if (!lesson_.steps.empty())
            markdown_ += fmt::format("## {}\n{}\n", lesson_.steps.back().id, body_);
        body_.clear();
    }

    std::string name_;
    Lesson lesson_;
    std::string markdown_, body_;
    int rules_ = 0;
    std::size_t line_ = 0;
    bool heading_ = false; // only the heading and settings were read, so another setting may follow
};

// Splits off a label. "Look at: two places" has one, because it starts with a capital letter and the colon follows
// soon. "vectorized: an 8 x 8 tile" is a title.
CommentParagraph paragraph_of(const std::string& text)
{
    constexpr std::size_t longest_label = 28;
    const std::size_t colon = text.find(": ");
    if (colon == std::string::npos || colon > longest_label || std::isupper(static_cast<unsigned char>(text[0])) == 0)
        return {{}, text};
    return {text.substr(0, colon), text.substr(colon + 2)};
}

} // namespace

Lessons::Lessons(const std::vector<std::pair<std::string, std::string>>& files)
{
    for (const auto& [name, text] : files) {
        Reader reader(name, text);
        lessons_.push_back(reader.take_lesson());
        templates_.add(lessons_.back().slug, reader.markdown());
    }
    std::ranges::sort(lessons_, {}, &Lesson::slug);
}

const Lesson* Lessons::find(std::string_view slug) const
{
    const auto found = std::ranges::find(lessons_, slug, &Lesson::slug);
    return found == lessons_.end() ? nullptr : &*found;
}

std::vector<Course> Lessons::courses() const
{
    std::map<std::string, std::map<int, std::vector<const Lesson*>>> found;
    for (const Lesson& lesson : lessons_)
        for (const auto& [course, place] : lesson.courses)
            found[course][place].push_back(&lesson);
    std::vector<Course> courses;
    for (const auto& [slug, places] : found) {
        Course course{.slug = slug};
        for (const auto& [place, lessons] : places)
            course.lessons.insert(course.lessons.end(), lessons.begin(), lessons.end());
        courses.push_back(std::move(course));
    }
    std::ranges::stable_sort(courses, {}, [](const Course& one) { // in the order of their prerequisites
        constexpr std::array order = {"threads_to_tiles", "conflicts", "pipelines"};
        return std::ranges::find(order, one.slug) - order.begin();
    });
    return courses;
}

std::vector<std::string> Lessons::concepts_of(std::string_view course) const
{
    std::string names;
    for (const Course& one : courses()) {
        names += (names.empty() ? "" : ", ") + one.slug;
        if (one.slug != course)
            continue;
        std::vector<std::string> concepts;
        for (const Lesson* lesson : one.lessons)
            concepts.insert(concepts.end(), lesson->covers.begin(), lesson->covers.end());
        return concepts;
    }
    throw kernels::Error(fmt::format("There is no course \"{}\"; the courses are {}.", course, names));
}

const Lesson* Lessons::of_concept(std::string_view slug) const
{
    const auto found = std::ranges::find_if(
        lessons_, [&](const Lesson& lesson) { return std::ranges::find(lesson.covers, slug) != lesson.covers.end(); });
    return found == lessons_.end() ? nullptr : &*found;
}

const Lesson* Lessons::after(const Lesson& lesson) const
{
    if (!lesson.next.empty())
        return find(lesson.next);
    for (const Course& course : courses())
        if (!lesson.courses.empty() && course.slug == lesson.courses.front().first)
            if (const auto at = std::ranges::find(course.lessons, &lesson);
                at != course.lessons.end() && at + 1 != course.lessons.end())
                return *(at + 1);
    return nullptr;
}

LessonAt lesson_at(const std::string& text, bool clamps)
{
    const std::size_t colon = std::min(text.find(':'), text.size());
    const Lesson* lesson = shipped_lessons().find(text.substr(0, colon));
    if (lesson == nullptr)
        throw kernels::Error("There is no lesson \"" + text.substr(0, colon) + "\"; see 'gemmscope lessons'.");
    if (colon == text.size())
        return {lesson, 0};
    std::size_t step = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + colon + 1, end, step);
    if (clamps)
        step = std::min(step, lesson->steps.size());
    if (read.ec != std::errc() || read.ptr != end || step < 1 || step > lesson->steps.size())
        throw kernels::Error("The lesson " + lesson->slug + " has steps 1 to " + std::to_string(lesson->steps.size()) +
                             ", and no \"" + text.substr(colon + 1) + "\".");
    return {lesson, step - 1};
}

std::string text_of(const Lesson& lesson, std::size_t step)
{
    return lesson.slug + ":" + std::to_string(step + 1);
}

std::string_view name_of(Level level)
{
    return names_of(level).at(static_cast<std::size_t>(level));
}

std::string effort_words(const Lesson& lesson)
{
    return lesson.minutes == 0 ? std::string(name_of(lesson.level))
                               : fmt::format("{} · {} min", name_of(lesson.level), lesson.minutes);
}

const Lessons& shipped_lessons()
{
    static const Lessons all = [] {
        std::vector<std::pair<std::string, std::string>> files;
        for (const std::string_view path : lesson_files::files())
            if (path.ends_with(".md"))
                files.emplace_back(path, lesson_files::file(path));
        return Lessons(files);
    }();
    return all;
}

const std::vector<Concept>& all_concepts()
{
    static const std::vector<Concept> all = [] {
        std::vector<Concept> read;
        for (const std::string& line : split(lesson_files::file("concepts.txt"), '\n'))
            if (const std::vector<std::string> cells = split(line, '|'); cells.size() >= 5 && !line.starts_with('#'))
                read.push_back(
                    {cells[0], cells[1], cells[2], cells[3], cells[4],
                     cells.size() > 5 && !cells[5].empty() ? std::optional(parse_patch(cells[5])) : std::nullopt,
                     cells.size() > 6 ? cells[6] : std::string()});
        return read;
    }();
    return all;
}

const Concept* find_concept(std::string_view slug)
{
    const auto found = std::ranges::find(all_concepts(), slug, &Concept::slug);
    return found == all_concepts().end() ? nullptr : &*found;
}

std::vector<CommentParagraph> leading_comment(std::string_view source)
{
    std::vector<CommentParagraph> paragraphs;
    std::string text;
    const auto end_paragraph = [&] {
        if (!text.empty())
            paragraphs.push_back(paragraph_of(text));
        text.clear();
    };
    while (source.starts_with("//")) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        std::string_view line = source.substr(2, end - 2);
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (line.empty())
            end_paragraph();
        else
            text += (text.empty() ? "" : " ") + std::string(line);
        source.remove_prefix(std::min(end + 1, source.size()));
    }
    end_paragraph();
    return paragraphs;
}

} // namespace app
