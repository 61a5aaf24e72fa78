#include "app/panels/opening.h"

#include "app/data/config_folder.h"
#include "app/data/recordings.h"
#include "app/engine/trace.h"
#include "app/learn/quiz_file.h"
#include "app/text/command_words.h"

#include "viz/text/templates.h"

#include "error.h"
#include "recording/disk.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

namespace app {

namespace {

// Applies single options. Everything else has the window's defaults.
void begin_with(Session& session, State& state, const Patch& patch)
{
    state.at.code = patch.code.value_or(CodeView::words);
    if (const auto first = session.snapshot()->leading_rung(); patch.page == Page::candidates && first)
        session.show_shipped_search(*first);
}

} // namespace

SessionOptions session_options(const WindowOptions& options, std::function<void()> wake)
{
    SessionOptions session;
    const auto& [first, second, third] = options.show.columns;
    session.first = first.stage;
    if (options.source == WindowOptions::Source::options) { // otherwise navigate() applies the rest
        session.second = second.stage;
        session.third = third.stage;
        if (!first.file.empty())
            session.file = first.file;
        session.inputs = options.show.inputs.value_or(session.inputs);
        session.tiny = options.show.tiny;
    }
    session.backend = options.backend;
    session.shipped = shipped_folder();
    session.worker = options.worker;
    const char* idle = std::getenv("GEMMSCOPE_NO_MEASURING");
    session.measures = idle == nullptr || *idle == '\0';
    session.wake = std::move(wake);
    if (options.visit) {
        session.visit = options.visit;
        session.own = options.visit->kernels ? options.visit->folder : std::filesystem::path();
        session.traces = options.visit->folder;
    }
    return session;
}

void StateFiles::request(std::function<Outcome()> work)
{
    waiting_.push_back(std::move(work));
    begin();
}

void StateFiles::begin()
{
    if (work_ != nullptr || waiting_.empty())
        return;
    work_ = std::make_unique<Background<Outcome>>(
        [next = std::move(waiting_.front())](const std::stop_token&) -> Outcome {
            try {
                return next();
            } catch (const std::exception& error) {
                return {error.what(), {}, {}};
            }
        },
        wake_);
    waiting_.pop_front();
}

std::filesystem::path StateFiles::folder() const
{
    std::error_code ignored; // a relative path will do then
    return visit_ ? visit_->folder : std::filesystem::current_path(ignored);
}

std::function<std::string(const std::filesystem::path&)> StateFiles::saved_words() const
{
    return [visit = visit_](const std::filesystem::path& file) {
        if (visit)
            visit->hand_out(file);
        return saved_notice(visit ? file.filename() : file);
    };
}

void StateFiles::save(SavedState state, std::filesystem::path file, bool packs)
{
    request([state = std::move(state), file = std::move(file), packs, saved_words = saved_words()]() -> Outcome {
        write_state(state, file, packs);
        return {saved_words(file), file, {}};
    });
}

void StateFiles::open(std::filesystem::path file)
{
    request([file = std::move(file), visit = visit_]() -> Outcome {
        if (!visit)
            return {{}, file, read_state(file, unpacked_folder())};
        // A state that names a file of the server must not reveal whether it exists.
        return {{}, file, read_state(file, visit->folder, [&](const auto& named) { return visit->has(named); })};
    });
}

void StateFiles::write(std::string text, std::filesystem::path file)
{
    request([text = std::move(text), file = std::move(file), saved_words = saved_words()]() -> Outcome {
        recording::write_atomically(file, text);
        return {saved_words(file), {}, {}};
    });
}

std::optional<StateFiles::Outcome> StateFiles::take()
{
    if (work_ == nullptr || work_->get() == nullptr)
        return {};
    Outcome outcome = *work_->get();
    work_.reset();
    begin();
    return outcome;
}

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

void open_at_start(Session& session, State& state, const WindowOptions& options)
{
    using Source = WindowOptions::Source;
    const Patch& patch = options.show;
    if (options.may_welcome && !state.settings.welcomed)
        state.open(Page::first);
    if (options.source == Source::options) {
        begin_with(session, state, patch);
    } else {
        const Panels panels = state.at.panels;
        show(session, state, patch);
        if (options.source == Source::words && patch.panels == Panels()) // the text does not mention panels
            state.at.panels = panels;
    }
    if (!state.notice.empty())
        throw kernels::Error(state.notice);
    if (const auto& file = patch.columns[0].file;
        options.source != Source::saved_state && std::filesystem::exists(file))
        remember(state.settings, file);
    if (options.lesson.empty())
        return;
    if (const std::string begin = "quiz "; options.lesson.starts_with(begin)) { // the form that the window copies
        take_up_quiz(state, parse_quiz_place(options.lesson.substr(begin.size())));
        state.learning.quiz->taken_up = options.source != Source::options;
        return;
    }
    const bool file = options.lesson.ends_with(".json"); // a quiz file from a teacher
    if (file || options.lesson == "quiz")
        return start_quiz(state, file ? options.lesson : questions_about_anything,
                          file ? read_quiz_file(options.lesson) : QuizRequest{.seed = 0});
    const auto [lesson, step] = lesson_at(options.lesson);
    if (options.source != Source::options) // the window is already in place, which may differ from the step's place
        return take_up_lesson(state, *lesson, step);
    open_lesson(session, state, *lesson);
    if (step > 0)
        show_lesson_step(session, state, step);
}

void open_file(Session& session, State& state, StateFiles& files, const std::filesystem::path& file)
{
    if (is_state_file(file))
        return files.open(file);
    if (file.extension() != ".gscope" && !is_cuda_source(file)) {
        state.notice = fmt::format(
            "{} cannot be opened: drop a recording (.gscope), a CUDA source (.cu) or a saved state (.gstate).",
            file.filename().string());
        return;
    }
    remember(state.settings, file);
    state.open(Page::none);
    session.open(file);
    snapshot_of(session, state);
    // Closing a lesson then returns to the file that was opened last, not to what was shown before that.
    if (auto& before = state.learning.before)
        before->choice = state.at.choice, before->selection = {};
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
