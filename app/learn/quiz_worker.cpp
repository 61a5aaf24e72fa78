#include "app/learn/quiz_worker.h"

#include "error.h"

#include <utility>

namespace app {

QuizWorker::QuizWorker(std::filesystem::path shipped, std::function<void()> wake)
    : shipped_(std::move(shipped)), wake_(std::move(wake)), thread_([this](const std::stop_token& stop) { work(stop); })
{
}

const std::vector<viz::Run>* QuizWorker::words(const LessonStep& step)
{
    const std::lock_guard lock(mutex_);
    if (const auto found = words_.find(step.id); found != words_.end())
        return &found->second;
    // The step that was asked for last comes first.
    if (asked_.insert(step.id).second || std::erase(wanted_, &step) > 0) {
        wanted_.push_front(&step);
        changed_.notify_all();
    }
    return nullptr;
}

void QuizWorker::want_quiz(QuizRequest wanted)
{
    const std::lock_guard lock(mutex_);
    wanted_quiz_ = std::move(wanted);
    quiz_.reset();
    changed_.notify_all();
}

std::optional<QuizWorker::Quiz> QuizWorker::take_quiz()
{
    const std::lock_guard lock(mutex_);
    return std::exchange(quiz_, std::nullopt);
}

void QuizWorker::work(const std::stop_token& stop)
{
    std::optional<ExampleRecordings>
        examples; // created on the first request, so that a window without lessons reads nothing
    while (!stop.stop_requested()) {
        const LessonStep* step = nullptr;
        std::optional<QuizRequest> wanted;
        {
            std::unique_lock lock(mutex_);
            if (!changed_.wait(lock, stop, [this] { return !wanted_.empty() || wanted_quiz_; }))
                return;
            if (!wanted_.empty())
                step = wanted_.front(), wanted_.pop_front();
            else
                wanted = std::exchange(wanted_quiz_, std::nullopt);
        }
        if (!examples)
            examples.emplace(shipped_);
        if (step != nullptr) {
            std::vector<viz::Run> runs = words_of(*step, shipped_lessons(), *examples);
            const std::lock_guard lock(mutex_);
            words_.emplace(step->id, std::move(runs));
        } else {
            Quiz quiz;
            try {
                quiz.questions = make_quiz(*examples, *wanted);
            } catch (const std::exception& error) {
                quiz.failure = error.what();
            }
            const std::lock_guard lock(mutex_);
            if (!wanted_quiz_)
                quiz_ = std::move(quiz);
        }
        wake_();
    }
}

} // namespace app
