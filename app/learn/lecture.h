// What the windows of a class share: where the leader is, the question that was asked, and how many gave which answer.
// No window and no clock: times come from the caller. All of it is used on one thread.
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

// Where the leader is. The patch has no panels, and while the picture plays it has neither step nor time.
struct LedPlace {
    using Clock = std::chrono::steady_clock;

    Patch patch;
    bool plays = false;
    double time = 0;                  // of the playback at `when`, in units of its clock; only while it plays
    double speed = 0;                 // in these units per second
    std::optional<double> until = {}; // where playback stops by itself; empty: at the end
    Clock::time_point when = {};

    double time_at(Clock::time_point now) const; // of the playback
    // Returns whether `other` continues this place: only time has passed since. A leader who jumps in time does not.
    bool continues_as(const LedPlace& other) const;

    static constexpr double most_off = 0.3; // seconds that playback may be ahead or behind without a jump
};

struct AskedQuestion {
    QuizQuestion question;
    uint64_t number = 0; // of the lecture, from 1
    bool revealed = false;
};

class Seat;

class Lecture {
public:
    bool led() const; // a leader is there
    std::size_t followers() const;
    const std::optional<LedPlace>& place() const { return place_; }
    uint64_t place_number() const { return place_number_; } // rises with each new place
    const AskedQuestion* question() const { return question_ ? &*question_ : nullptr; }
    // Returns how many followers chose each choice of the question. Who leaves before the answer is shown, counts no
    // more.
    std::vector<std::size_t> answers() const;
    std::size_t answered() const;

private:
    friend class Seat;
    void wake_others(const Seat* one, bool leaders_only = false);

    std::vector<Seat*> seats_;
    std::optional<LedPlace> place_;
    std::optional<AskedQuestion> question_;
    std::vector<std::size_t> final_answers_; // since the answer was shown
    uint64_t place_number_ = 0, question_number_ = 0;
};

// The place of one window in a lecture. What its role may not do does nothing.
class Seat {
public:
    // Calls `wake` when another one changed what this window shows. `role`: leader or follower. `lecture` outlives it.
    Seat(Lecture& lecture, Role role, std::function<void()> wake);
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;
    ~Seat();

    const Lecture& lecture() const { return lecture_; }
    bool leads() const { return role_ == Role::leader; }

    // The leader's.
    void show(LedPlace place);
    void ask(QuizQuestion question); // ends the question before
    void reveal();                   // shows the answer
    void end_question();

    // The follower's. The last answer before the right one is shown counts.
    void answer(std::size_t choice);
    std::optional<std::size_t> answered() const; // to the question that is asked

private:
    friend class Lecture;
    Lecture& lecture_;
    Role role_;
    std::function<void()> wake_;
    std::optional<std::size_t> answer_;
    uint64_t answered_question_ = 0;
};

} // namespace app
