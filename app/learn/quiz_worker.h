// Computes the figures of lessons and makes questions on a background thread.
#pragma once

#include "app/learn/facts.h"
#include "app/learn/quiz.h"

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace app {

class QuizWorker {
public:
    // Calls `wake` from the background thread when there is something new.
    QuizWorker(std::filesystem::path shipped, std::function<void()> wake);

    // Returns the text of a lesson's step with its figures. Null: it is being computed; the first call requests it.
    const std::vector<viz::Run>* words(const LessonStep& step);

    // Requests a quiz. A new request replaces the previous one.
    void want_quiz(QuizRequest wanted);
    struct Quiz {
        std::vector<QuizQuestion> questions;
        std::string failure; // sentence if there are no questions
    };
    std::optional<Quiz> take_quiz(); // returns a finished quiz once

private:
    void work(const std::stop_token& stop);

    std::filesystem::path shipped_;
    std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<const LessonStep*> wanted_; // steps of the shipped lessons, which are never destroyed
    std::set<std::string> asked_;
    std::map<std::string, std::vector<viz::Run>> words_; // entries never change
    std::optional<QuizRequest> wanted_quiz_;
    std::optional<Quiz> quiz_;
    std::jthread thread_; // last, because it uses the other members
};

} // namespace app
