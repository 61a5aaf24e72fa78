#include "app/learn/lecture.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace app {

double LedPlace::time_at(Clock::time_point now) const
{
    const double passed = plays ? std::chrono::duration<double>(now - when).count() * speed : 0;
    return std::min(time + passed, until.value_or(time + passed));
}

bool LedPlace::continues_as(const LedPlace& other) const
{
    if (patch != other.patch || plays != other.plays)
        return false;
    return !plays || (speed == other.speed && until == other.until &&
                      std::abs(time_at(other.when) - other.time) <= most_off * speed);
}

bool Lecture::led() const
{
    return std::ranges::any_of(seats_, &Seat::leads);
}

std::size_t Lecture::followers() const
{
    return seats_.size() - static_cast<std::size_t>(std::ranges::count_if(seats_, &Seat::leads));
}

std::vector<std::size_t> Lecture::answers() const
{
    if (!question_ || question_->revealed)
        return final_answers_;
    std::vector<std::size_t> counts(question_->question.choices.size());
    for (const Seat* seat : seats_)
        if (const auto choice = seat->answered())
            ++counts[*choice];
    return counts;
}

std::size_t Lecture::answered() const
{
    std::size_t all = 0;
    for (const std::size_t count : answers())
        all += count;
    return all;
}

void Lecture::wake_others(const Seat* one, bool leaders_only)
{
    for (const Seat* seat : seats_)
        if (seat != one && (seat->leads() || !leaders_only))
            seat->wake_();
}

Seat::Seat(Lecture& lecture, Role role, std::function<void()> wake)
    : lecture_(lecture), role_(role), wake_(std::move(wake))
{
    lecture_.seats_.push_back(this);
    lecture_.wake_others(this, !leads()); // only leaders see how many follow
}

Seat::~Seat()
{
    std::erase(lecture_.seats_, this);
    lecture_.wake_others(this, !leads());
}

void Seat::show(LedPlace place)
{
    if (!leads())
        return;
    lecture_.place_ = std::move(place);
    ++lecture_.place_number_;
    lecture_.wake_others(this);
}

void Seat::ask(QuizQuestion question)
{
    if (!leads())
        return;
    lecture_.final_answers_.clear();
    lecture_.question_ = AskedQuestion{std::move(question), ++lecture_.question_number_};
    lecture_.wake_others(this);
}

void Seat::reveal()
{
    if (!leads() || !lecture_.question_ || lecture_.question_->revealed)
        return;
    lecture_.final_answers_ = lecture_.answers();
    lecture_.question_->revealed = true;
    lecture_.wake_others(this);
}

void Seat::end_question()
{
    if (!leads() || !lecture_.question_)
        return;
    lecture_.question_.reset();
    lecture_.final_answers_.clear();
    lecture_.wake_others(this);
}

void Seat::answer(std::size_t choice)
{
    const AskedQuestion* asked = lecture_.question();
    if (leads() || asked == nullptr || asked->revealed || choice >= asked->question.choices.size())
        return;
    answer_ = choice;
    answered_question_ = asked->number;
    lecture_.wake_others(this, true);
}

std::optional<std::size_t> Seat::answered() const
{
    const AskedQuestion* asked = lecture_.question();
    return asked != nullptr && asked->number == answered_question_ ? answer_ : std::nullopt;
}

} // namespace app
