// Computes lessons' figures and makes questions beside the window, on a thread of its own.
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

class Tutor {
public:
    // `wake` is called from the other thread when there is something new.
    Tutor(std::filesystem::path shipped, std::function<void()> wake);

    // The words of a lesson's step with their figures; null: they are being computed. Asks for them when it has none.
    const std::vector<viz::Run>* words(const LessonStep& step);

    // One quiz at a time. A new wish replaces what was wanted before.
    void want_quiz(QuizWanted wanted);
    struct Quiz {
        std::vector<QuizQuestion> questions;
        std::string failure; // a sentence, where there are none
    };
    std::optional<Quiz> take_quiz(); // once, when it is made

private:
    void work(const std::stop_token& stop);

    std::filesystem::path shipped_;
    std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<const LessonStep*> wanted_; // of the shipped lessons, which outlive all
    std::set<std::string> asked_;
    std::map<std::string, std::vector<viz::Run>> words_; // never changed once it is there
    std::optional<QuizWanted> wanted_quiz_;
    std::optional<Quiz> quiz_;
    std::jthread thread_; // last: it uses the others
};

} // namespace app
