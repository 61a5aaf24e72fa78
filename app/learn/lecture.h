// The state that the windows of a class share: the leader's place, the current question, and the number of answers for
// each choice. Uses no window and no clock: the caller passes the times. Use it on one thread only.
#pragma once

#include "app/learn/question.h"
#include "app/workspace/patch.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace app {

enum class Role : uint8_t { alone, leader, follower };

// The leader's place. The patch has no panels, and neither step nor time during playback.
struct LedPlace {
    using Clock = std::chrono::steady_clock;

    Patch patch;
    bool plays = false;
    double time = 0;                  // of the playback at `when`, in units of its clock; only during playback
    double speed = 0;                 // in these units per second
    std::optional<double> until = {}; // time at which playback stops; empty: at the end
    Clock::time_point when = {};

    double time_at(Clock::time_point now) const; // time of the playback
    // Returns whether `other` continues this place, so that only time has passed. A jump in time does not continue it.
    bool continues_as(const LedPlace& other) const;

    static constexpr double most_off = 0.3; // seconds that playback may be ahead or behind without a jump
};

struct AskedQuestion {
    QuizQuestion question;
    uint64_t number = 0; // within the lecture, from 1
    bool revealed = false;
};

class Seat;

class Lecture {
public:
    bool led() const; // whether there is a leader
    std::size_t followers() const;
    const std::optional<LedPlace>& place() const { return place_; }
    uint64_t place_number() const { return place_number_; } // increases with each new place
    const AskedQuestion* question() const { return question_ ? &*question_ : nullptr; }
    // Returns how many followers chose each choice of the question. Excludes followers who left before the answer was
    // shown.
    std::vector<std::size_t> answers() const;
    std::size_t answered() const;

private:
    friend class Seat;
    void wake_others(const Seat* one, bool leaders_only = false);

    std::vector<Seat*> seats_;
    std::optional<LedPlace> place_;
    std::optional<AskedQuestion> question_;
    std::vector<std::size_t> final_answers_; // fixed when the answer is shown
    uint64_t place_number_ = 0, question_number_ = 0;
};

// A window's participation in a lecture. Functions that its role does not allow have no effect.
class Seat {
public:
    // Calls `wake` when another seat changes what this window shows. `role` is leader or follower. `lecture` must
    // outlive it.
    Seat(Lecture& lecture, Role role, std::function<void()> wake);
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;
    ~Seat();

    const Lecture& lecture() const { return lecture_; }
    bool leads() const { return role_ == Role::leader; }

    // For leaders.
    void show(LedPlace place);
    void ask(QuizQuestion question); // replaces the previous question
    void reveal();                   // shows the answer
    void end_question();

    // For followers. The last answer before the right one is shown counts.
    void answer(std::size_t choice);
    std::optional<std::size_t> answered() const; // answer to the current question

private:
    friend class Lecture;
    Lecture& lecture_;
    Role role_;
    std::function<void()> wake_;
    std::optional<std::size_t> answer_;
    uint64_t answered_question_ = 0;
};

} // namespace app
