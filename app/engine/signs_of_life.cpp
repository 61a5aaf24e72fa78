#include "app/engine/signs_of_life.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace app {

namespace {

using namespace std::chrono_literals;

constexpr auto silence_allowed = 20s;  // limit without any output of a process, which sends a pulse twice a second
constexpr auto words_allowed = 60s;    // limit for the greeting of a process that prints other text first
constexpr auto machine_allowed = 5min; // limit from the greeting until the machine is known; a driver may take long
// Limit without a running task after one was sent. Part of the task may still be in transit.
constexpr auto idle_allowed = 60s;
constexpr int32_t not_running = -1;

} // namespace

std::string time_text(std::chrono::steady_clock::duration time)
{
    return viz::time_words(std::chrono::duration<double, std::nano>(time).count());
}

void SignsOfLife::hear(Time now)
{
    heard_ = now;
    if (!first_heard_)
        first_heard_ = now;
}

void SignsOfLife::pulse(std::span<const std::byte> body, Time now)
{
    if (body.size() != sizeof *quiet_)
        return;
    std::memcpy(&quiet_.emplace(), body.data(), sizeof *quiet_);
    if (std::ranges::any_of(*quiet_, [](int32_t quiet) { return quiet != not_running; }))
        idle_since_.reset();
    else if (!idle_since_)
        idle_since_ = now;
}

std::optional<std::string> SignsOfLife::overdue(Time now) const
{
    const auto silence = now - heard_;
    if (greeted_ && silence > silence_allowed)
        return fmt::format("it gave no sign of life for {}", time_text(silence));
    if (greeted_ && !ready_ && now - *greeted_ > machine_allowed)
        return fmt::format("it did not say in {} what it runs on", time_text(now - *greeted_));
    if (!greeted_ && first_heard_ && (silence > silence_allowed || now - *first_heard_ > words_allowed))
        return "it does not speak as a gemmscope worker does";
    if (!greeted_ && patience_ && now - started_ > *patience_)
        return fmt::format("it said nothing for {}", time_text(now - started_));
    return std::nullopt;
}

std::optional<SignsOfLife::Milliseconds> SignsOfLife::quiet(Lane lane) const
{
    const int32_t quiet = quiet_ ? (*quiet_)[static_cast<std::size_t>(lane)] : not_running;
    return quiet == not_running ? std::nullopt : std::optional(Milliseconds(quiet));
}

std::optional<std::string> SignsOfLife::idle(Time sent, Time now) const
{
    if (!idle_since_ || now - std::max(*idle_since_, sent) <= idle_allowed)
        return std::nullopt;
    return time_text(now - std::max(*idle_since_, sent));
}

} // namespace app
