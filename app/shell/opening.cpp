#include "app/shell/opening.h"

#include "app/learn/quiz_file.h"
#include "app/state/navigation.h"
#include "app/state/study.h"
#include "app/tasks/trace.h"

#include "viz/text/templates.h"

#include "error.h"

#include <utility>

namespace app {

void refuse_unknown_view(const std::vector<std::unique_ptr<viz::View>>& views, const std::string& name)
{
    std::string names;
    for (const auto& view : views) {
        if (view->name() == name)
            return;
        names += (names.empty() ? "" : ", ") + std::string(view->name());
    }
    throw kernels::Error("There is no view named \"" + name + "\"; the views are " + names + ".");
}

namespace {

// What single options say; the rest is as a window begins.
void begin_with(Session& session, State& state, const Patch& patch)
{
    state.at.code = patch.code.value_or(CodeView::words);
    if (const auto first = session.snapshot()->leading_rung(); patch.page == Page::candidates && first)
        session.show_shipped_search(*first);
}

} // namespace

void open_at_start(Session& session, State& state, const WindowOptions& options)
{
    using Given = WindowOptions::Given;
    const Patch& patch = options.show;
    if (options.may_welcome && !state.settings.welcomed)
        state.open(Page::first);
    if (options.given == Given::options) {
        begin_with(session, state, patch);
    } else {
        const Panels panels = state.at.panels;
        show(session, state, patch);
        if (options.given == Given::place && patch.panels == Panels()) // which says nothing of them
            state.at.panels = panels;
    }
    if (!state.notice.empty())
        throw kernels::Error(state.notice);
    if (const auto& file = patch.columns[0].file; options.given != Given::state && std::filesystem::exists(file))
        remember(state.settings, file);
    if (options.lesson.empty())
        return;
    if (const std::string begin = "quiz "; options.lesson.starts_with(begin)) { // as the window copied it
        take_up_quiz(*session.snapshot(), state, parse_quiz_place(options.lesson.substr(begin.size())));
        state.learning.quiz->taken_up = options.given != Given::options;
        return;
    }
    const bool file = options.lesson.ends_with(".json"); // that a teacher handed out
    if (file || options.lesson == "quiz")
        return start_quiz(*session.snapshot(), state, file ? options.lesson : viz::plain({"learn.anything"}),
                          file ? read_quiz_file(options.lesson) : QuizWanted{.seed = 0});
    const auto [lesson, step] = lesson_at(options.lesson);
    if (options.given != Given::options) // the window is there, wherever the lesson's step would take it
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
    state.open(Page::none);
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
        show(session, state, outcome->opened->patch);
    if (!outcome->file.empty())
        remember(state.settings, outcome->file);
    if (!outcome->notice.empty())
        state.notice = outcome->notice;
}

} // namespace app
