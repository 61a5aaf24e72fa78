#include "app/panels/learning.h"

#include "app/panels/classroom.h"
#include "app/panels/navigation.h"

#include "viz/text/figures.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace app {

namespace {

bool reads_wide(const recording::Recording& recording)
{
    constexpr uint16_t wide = 16; // bytes per lane
    if (recording.blocks.empty() || recording.blocks.front().warps.empty())
        return false;
    return std::ranges::any_of(recording.blocks.front().warps.front().accesses, [](const recording::Access& access) {
        return access.op == recording::Op::shared_load && access.width == wide;
    });
}

// Checks a goal against the recording and the measurements.
bool solved(const Snapshot& snapshot, Goal task)
{
    const viz::StageColumn& shown = snapshot.columns.front();
    if (shown.recording == nullptr || snapshot.details[0].busy)
        return false;
    if (task == Goal::near_cublas) {
        // Only a correct stage has a measured speed.
        const viz::Speed& speed = shown.speed.of_cublas ? shown.speed : shown.shipped;
        return speed.of_cublas && *speed.of_cublas >= 0.9;
    }
    const recording::Totals totals = shown.recording->totals();
    if (task == Goal::free_loads)
        return totals.shared_load.instructions > 0 && totals.shared_load.conflicts == 0;
    const recording::SharedTotals shared = viz::shared_totals(totals);
    const bool all_known = totals.shared_atomic.instructions == totals.shared_atomic_cost.instructions;
    return all_known && shared.instructions > 0 && shared.conflicts == 0 &&
           (task == Goal::own_file ? snapshot.choice.columns[0].file.has_value() : reads_wide(*shown.recording));
}

// Returns how many parameters of the first stage changed, or the maximum if something else is shown.
std::size_t changed_parameters(const Snapshot& snapshot, const Workspace& before)
{
    const auto stage = snapshot.leading_rung();
    if (!stage || stage != before.choice.columns[0].rung || snapshot.choice.columns[0].file)
        return std::numeric_limits<std::size_t>::max();
    const auto found = before.choice.parameters.find(*stage);
    const kernels::ParameterValues& then =
        found != before.choice.parameters.end() ? found->second : snapshot.ladder()[*stage].standard_parameters();
    const kernels::ParameterValues& now = snapshot.details[0].parameters;
    std::size_t changed = 0;
    for (std::size_t i = 0; i < std::min(then.size(), now.size()); ++i)
        changed += then[i] != now[i] ? 1 : 0;
    return changed;
}

// Returns whether the window shows that the step's goal was reached.
bool did(const Snapshot& snapshot, const State& state, const OpenLesson& open)
{
    const LessonStep& step = open.lesson->steps[open.step];
    const auto& arrived = state.learning.arrived;
    switch (step.goal) {
    case Goal::none: return false;
    case Goal::stage: return arrived && snapshot.choice.columns[0].rung != arrived->choice.columns[0].rung;
    case Goal::play: return state.playback.playing();
    case Goal::step: return arrived && state.at.selection.step != arrived->selection.step;
    case Goal::compare: return snapshot.choice.comparing() && state.playback.playing();
    case Goal::parameter: return arrived && snapshot.choice.parameters != arrived->choice.parameters;
    case Goal::free_loads: return arrived && changed_parameters(snapshot, *arrived) == 1 && solved(snapshot, step.goal);
    case Goal::conflict_free:
    case Goal::own_file:
    case Goal::near_cublas: return arrived && snapshot.choice != arrived->choice && solved(snapshot, step.goal);
    }
    return false;
}

// Returns a seed that no earlier quiz used. The seed includes the number of answers, which continues from run to run.
uint32_t new_seed(Learning& learning)
{
    uint32_t seed = ++learning.quizzes;
    for (const auto& [topic, answered] : learning.progress.all())
        seed += answered.asked;
    return seed;
}

void keep_progress(State& state)
{
    if (const std::string why_not = state.learning.progress.save(state.learning.kept_in); !why_not.empty())
        state.notice = why_not;
}

void take_click(Session& session, State& state)
{
    OpenQuiz& quiz = *state.learning.quiz;
    const QuizQuestion& question = *quiz.question();
    const viz::Selection& now = state.at.selection;
    if (question.lanes != 0 && now.lane != quiz.asked.lane)
        answer(session, state, (question.lanes >> now.lane & 1u) != 0 ? question.answer : question.choices.size());
    else if (!question.elements.empty() && now.c && now.c != quiz.asked.c)
        answer(session, state,
               std::ranges::find(question.elements, *now.c) != question.elements.end() ? question.answer
                                                                                       : question.choices.size());
}

// Remembers the workspace before the first lesson or quiz. Opening a lesson from another one, or a quiz from a lesson,
// keeps it.
void remember_before(State& state)
{
    if (!state.learning.before)
        state.learning.before = current_workspace(state);
}

void show_what_was_before(Session& session, State& state)
{
    if (const auto before = std::exchange(state.learning.before, std::nullopt))
        navigate(session, state, *before);
}

} // namespace

bool Learning::waits() const
{
    return arrival || (quiz && !quiz->is_made()) ||
           (lesson && quiz_worker->words(lesson->lesson->steps[lesson->step]) == nullptr);
}

void take_up_lesson(State& state, const Lesson& lesson, std::size_t step)
{
    Learning& learning = state.learning;
    remember_before(state);
    learning.lesson = OpenLesson{.lesson = &lesson, .step = std::min(step, lesson.steps.size() - 1)};
    for (const LessonStep& one : lesson.steps)
        learning.quiz_worker->words(one);
}

void open_lesson(Session& session, State& state, const Lesson& lesson)
{
    state.learning.quiz.reset();
    take_up_lesson(state, lesson, 0);
    show_lesson_step(session, state, 0);
}

void show_lesson_step(Session& session, State& state, std::size_t step)
{
    OpenLesson& open = *state.learning.lesson;
    open.step = std::min(step, open.lesson->steps.size() - 1);
    open.mine.reset();
    state.open(Page::none);
    if (open.step + 1 == open.lesson->steps.size() && state.learning.progress.read(open.lesson->slug))
        keep_progress(state);
    // A step without a patch continues with the patch of the nearest earlier step.
    std::size_t at = open.step;
    while (at > 0 && !open.lesson->steps[at].place)
        --at;
    if (open.lesson->steps[at].place)
        navigate(session, state, *open.lesson->steps[at].place);
}

void leave_lesson(Session& session, State& state)
{
    state.learning.lesson.reset();
    show_what_was_before(session, state);
}

void close_lesson(Session& session, State& state)
{
    const auto& arrived = state.learning.arrived;
    const bool chose = arrived && !state.learning.arrival &&
                       (state.at.view != arrived->view || state.at.choice.columns != arrived->choice.columns);
    if (!chose)
        return leave_lesson(session, state);
    state.learning.lesson.reset();
    state.learning.before.reset();
}

void next_of_learning(Session& session, State& state, int by)
{
    Learning& learning = state.learning;
    if (learning.asked_of_class() != nullptr) {
        if (by > 0)
            next_for_class(session, state);
    } else if (learning.quiz) {
        if (const Lesson* after = lesson_after_quiz(state); after != nullptr && by > 0)
            open_lesson(session, state, *after);
        else if (learning.quiz->chosen && by > 0)
            next_question(session, state);
    } else if (learning.lesson) {
        const OpenLesson& open = *learning.lesson;
        const Lesson* after =
            by > 0 && open.step + 1 == open.lesson->steps.size() ? shipped_lessons().after(*open.lesson) : nullptr;
        if (after != nullptr)
            open_lesson(session, state, *after);
        else if (by > 0 || open.step > 0)
            show_lesson_step(session, state, open.step + static_cast<std::size_t>(by));
    }
}

void start_quiz(State& state, std::string title, QuizRequest wanted)
{
    Learning& learning = state.learning;
    remember_before(state);
    if (wanted.seed == 0)
        wanted.seed = new_seed(learning);
    const Lesson* lesson = learning.lesson ? learning.lesson->lesson : nullptr;
    learning.lesson.reset();
    state.open(Page::none);
    learning.quiz.emplace();
    learning.quiz->title = std::move(title);
    learning.quiz->wanted = wanted;
    learning.quiz->lesson = lesson;
    learning.quiz_worker->want_quiz(std::move(wanted));
}

const Lesson* lesson_after_quiz(const State& state)
{
    const auto& quiz = state.learning.quiz;
    return quiz && quiz->over() && quiz->lesson != nullptr ? shipped_lessons().after(*quiz->lesson) : nullptr;
}

void take_up_quiz(State& state, QuizPlace place)
{
    Learning& learning = state.learning;
    if (!learning.quiz || learning.quiz->wanted != place.wanted) {
        start_quiz(state, place.title, place.wanted);
        learning.quiz->taken_up = true;
    }
    place.wanted = learning.quiz->wanted; // includes a new seed if `place` has none
    static_cast<QuizPlace&>(*learning.quiz) = std::move(place);
}

void ask(Session& session, State& state)
{
    OpenQuiz& quiz = *state.learning.quiz;
    quiz.chosen.reset();
    if (const QuizQuestion* question = quiz.question())
        navigate(session, state, question->asked);
    quiz.asked = state.at.selection;
}

void answer(Session& session, State& state, std::size_t chosen)
{
    Learning& learning = state.learning;
    OpenQuiz& quiz = *learning.quiz;
    const QuizQuestion* question = quiz.question();
    if (question == nullptr || quiz.chosen)
        return;
    quiz.chosen = chosen;
    const bool right = chosen == question->answer;
    quiz.right += right ? 1 : 0;
    learning.progress.add(question->topic, right);
    keep_progress(state);
    navigate(session, state, question->shown, {.plays = true});
}

bool answer_by_key(Session& session, State& state, const KeyChord& chord)
{
    if (state.learning.asked_of_class() != nullptr)
        return answer_class_by_key(state, chord);
    const auto& quiz = state.learning.quiz;
    const QuizQuestion* question = quiz ? quiz->question() : nullptr;
    if (question == nullptr || quiz->chosen || state.at.page != Page::none || chord.key != Key::character ||
        chord.control || chord.alt || chord.character < U'1' || chord.character >= U'1' + question->choices.size())
        return false;
    answer(session, state, chord.character - U'1');
    return true;
}

void next_question(Session& session, State& state)
{
    ++state.learning.quiz->at;
    ask(session, state);
}

void close_quiz(Session& session, State& state)
{
    state.learning.quiz.reset();
    show_what_was_before(session, state);
}

void follow_learning(const Snapshot& snapshot, Session& session, State& state)
{
    Learning& learning = state.learning;
    if (learning.quiz && learning.quiz->questions.empty())
        if (auto made = learning.quiz_worker->take_quiz()) {
            learning.quiz->questions = std::move(made->questions);
            learning.quiz->failure = std::move(made->failure);
            const OpenQuiz& quiz = *learning.quiz;
            if (quiz.taken_up)
                learning.quiz->asked = state.at.selection;
            else if (quiz.chosen && quiz.question() != nullptr)
                navigate(session, state, quiz.question()->shown);
            else
                ask(session, state);
        }
    if (learning.asked_of_class() == nullptr && learning.open_question() != nullptr && !learning.arrival &&
        learning.arrived)
        take_click(session, state);
    if (learning.lesson && did(snapshot, state, *learning.lesson))
        learning.lesson->done.insert(learning.lesson->step);
}

} // namespace app
