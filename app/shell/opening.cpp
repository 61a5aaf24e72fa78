#include "app/shell/opening.h"

#include "app/learn/quiz_file.h"
#include "app/state/places.h"
#include "app/state/study.h"
#include "app/tasks/trace.h"

#include "viz/text/templates.h"

#include "error.h"

#include <charconv>
#include <utility>

namespace app {

std::size_t view_named(const std::vector<std::unique_ptr<viz::View>>& views, const std::string& name)
{
    std::string names;
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (views[i]->name() == name)
            return i;
        names += (names.empty() ? "" : ", ") + std::string(views[i]->name());
    }
    throw kernels::Error("There is no view named \"" + name + "\"; the views are " + names + ".");
}

namespace {

// "banks:2": the lesson and its step, from 1. Throws kernels::Error.
std::pair<const Lesson*, std::size_t> lesson_named(const std::string& text)
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
    if (read.ec != std::errc() || read.ptr != end || step < 1 || step > lesson->steps.size())
        throw kernels::Error("The lesson " + lesson->slug + " has steps 1 to " + std::to_string(lesson->steps.size()) +
                             ", and no \"" + text.substr(colon + 1) + "\".");
    return {lesson, step - 1};
}

} // namespace

void open_at_start(Session& session, State& state, const WindowOptions& options)
{
    state.learning.first_page = options.may_welcome && !state.settings.welcomed;
    if (options.saved) {
        view_named(state.views, options.saved->place.view);
        show(session, state, *options.saved);
    } else if (!options.show.empty()) {
        const Place place = parse_place(options.show);
        view_named(state.views, place.view);
        go_to(session, state, place);
    }
    if (!state.notice.empty())
        throw kernels::Error(state.notice);
    if (options.file)
        remember(state.settings, *options.file);
    if (options.lesson.empty())
        return;
    if (const std::string begin = "quiz "; options.lesson.starts_with(begin)) { // as the window copied it
        take_up_quiz(*session.snapshot(), state, parse_quiz_place(options.lesson.substr(begin.size())));
        state.learning.quiz->taken_up = !options.show.empty();
        return;
    }
    const bool file = options.lesson.ends_with(".json"); // that a teacher handed out
    if (file || options.lesson == "quiz")
        return start_quiz(*session.snapshot(), state, file ? options.lesson : viz::plain({"learn.anything"}),
                          file ? read_quiz_file(options.lesson) : QuizWanted{.seed = 0});
    const auto [lesson, step] = lesson_named(options.lesson);
    if (!options.show.empty()) // the window is there, wherever the lesson's step would take it
        return take_up_lesson(*session.snapshot(), state, *lesson, step);
    open_lesson(*session.snapshot(), session, state, *lesson);
    if (step > 0)
        show_step(session, state, step);
}

void open_file(Session& session, State& state, StateFiles& files, const std::filesystem::path& file)
{
    if (is_state_file(file))
        return files.open(file);
    if (file.extension() != ".gscope" && !is_cuda_source(file)) {
        state.notice = viz::plain({"session.no_such_kind", {{"file", file.filename().string()}}});
        return;
    }
    remember(state.settings, file);
    state.help = state.learning.page = state.learning.first_page = false;
    session.open(file);
    // A lesson that is closed leads back to what was opened last, not to what was there before that.
    const auto lead_here = [&](auto& open) {
        if (open)
            open->before.choice = session.snapshot()->choice, open->before.selection = {};
    };
    lead_here(state.learning.lesson);
    lead_here(state.learning.quiz);
}

void take_outcome(Session& session, State& state, StateFiles& files)
{
    const auto outcome = files.take();
    if (!outcome)
        return;
    if (outcome->opened)
        show(session, state, *outcome->opened);
    if (!outcome->file.empty())
        remember(state.settings, outcome->file);
    if (!outcome->notice.empty())
        state.notice = outcome->notice;
}

} // namespace app
