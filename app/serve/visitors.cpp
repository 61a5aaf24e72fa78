#include "app/serve/visitors.h"

#include "app/data/recordings.h"

#include "error.h"
#include "stage.h"

#include <algorithm>
#include <exception>
#include <future>
#include <utility>

namespace app {

Visitors::Visitors(VisitorOptions options)
    : options_(std::move(options)),
      ladder_(std::make_shared<const std::vector<kernels::Stage>>(kernels::make_ladder())),
      catalogue_(
          std::async(std::launch::async, [ladder = ladder_] { return load_catalogue(shipped_folder(), *ladder); })),
      launches_(std::async(std::launch::async,
                           [ladder = ladder_] { return read_shipped_launches(shipped_folder(), *ladder, {}); })),
      worker_(
          std::make_shared<SharedWorker>(*ladder_, options_.window.worker, options_.window.backend, shipped_folder()))
{
    std::filesystem::create_directories(options_.folder);
    std::filesystem::permissions(options_.folder, std::filesystem::perms::owner_all);
}

Visitors::~Visitors()
{
    std::error_code ignored;
    std::filesystem::remove_all(options_.folder, ignored);
}

std::optional<Visitors::Id> Visitors::enter(std::shared_ptr<Line> line, Role role)
{
    const std::lock_guard lock(mutex_);
    if (ended_ || guests_.size() >= options_.most)
        return std::nullopt;
    Guest& guest = guests_[++last_];
    guest.line = std::move(line);
    guest.role = role;
    return last_;
}

void Visitors::receive(Id visitor, Input input)
{
    const std::lock_guard lock(mutex_);
    const auto guest = guests_.find(visitor);
    if (guest == guests_.end() || guest->second.gone)
        return;
    if (guest->second.inputs.size() >= options_.most_waiting) {
        guest->second.gone = true;
        guest->second.line->close("Too much at a time: the connection is closed.");
    } else {
        guest->second.inputs.push_back(std::move(input));
    }
    news_ = true;
    changed_.notify_all();
}

void Visitors::leave(Id visitor)
{
    const std::lock_guard lock(mutex_);
    if (const auto guest = guests_.find(visitor); guest != guests_.end())
        guest->second.gone = true;
    news_ = true;
    changed_.notify_all();
}

std::size_t Visitors::count() const
{
    const std::lock_guard lock(mutex_);
    return guests_.size();
}

void Visitors::wake(Id visitor)
{
    const std::lock_guard lock(mutex_);
    if (const auto guest = guests_.find(visitor); guest != guests_.end())
        guest->second.woken = true;
    news_ = true;
    changed_.notify_all();
}

std::unique_ptr<Visitor> Visitors::make_visitor(Id id)
{
    Visit visit{.ladder = ladder_,
                .catalogue = [catalogue = catalogue_] { return catalogue.get(); },
                .launches = [launches = launches_] { return launches.get(); },
                .folder = options_.folder / std::to_string(id),
                .kernels = options_.kernels,
                .hand_out = {}};
    WindowOptions window = options_.window;
    window.worker.make = [worker = worker_, visit = std::make_shared<const Visit>(visit)](std::function<void()> wakes) {
        return worker->for_visitor(visit, std::move(wakes));
    };
    Role role = Role::alone;
    {
        const std::lock_guard lock(mutex_);
        if (const auto guest = guests_.find(id); guest != guests_.end())
            role = guest->second.role;
    }
    if (role != Role::alone)
        window.seat = std::make_shared<Seat>(lecture_, role, [this, id] { wake(id); });
    return std::make_unique<Visitor>(std::move(window), std::move(visit), fonts_, [this, id] { wake(id); });
}

void Visitors::take_inputs(Drawn& drawn, std::map<Id, bool>& woken)
{
    std::vector<std::pair<Id, std::vector<Input>>> all;
    {
        const std::lock_guard lock(mutex_);
        for (auto& [id, guest] : guests_) {
            woken[id] |= std::exchange(guest.woken, false);
            if (!guest.gone && !guest.inputs.empty())
                all.emplace_back(id, std::exchange(guest.inputs, {}));
        }
    }
    for (auto& [id, inputs] : all)
        try {
            auto& visitor = drawn[id];
            if (visitor == nullptr)
                visitor = make_visitor(id);
            for (Input& input : inputs)
                if (!visitor->take(std::move(input)))
                    throw kernels::Error("Too much at a time: the connection is closed.");
        } catch (const std::exception& error) { // for example, the disk has no room for the visitor's folder
            end(id, error.what());
        }
    std::erase_if(drawn, [](const auto& one) { return one.second == nullptr; });
}

void Visitors::end(Id visitor, const std::string& why)
{
    {
        const std::lock_guard lock(mutex_);
        if (const auto guest = guests_.find(visitor); guest != guests_.end() && !guest->second.gone)
            guest->second.line->close(why);
    }
    leave(visitor);
}

void Visitors::remove_gone(Drawn& drawn)
{
    std::vector<Id> gone;
    {
        const std::lock_guard lock(mutex_);
        news_ = false; // anything that arrives later sets it again and is handled in the next turn
        std::erase_if(guests_, [&](const auto& one) {
            if (one.second.gone)
                gone.push_back(one.first);
            return one.second.gone;
        });
    }
    for (const Id id : gone)
        drawn.erase(id); // on this thread, because it owns the OpenGL context
}

// Draws a frame of one visitor and sends it. An exception in it disconnects only this visitor.
void Visitors::draw(Id id, Drawn& drawn, Clock::time_point now)
{
    std::shared_ptr<Line> line;
    {
        const std::lock_guard lock(mutex_);
        if (const auto guest = guests_.find(id); guest != guests_.end() && !guest->second.gone)
            line = guest->second.line;
    }
    if (line == nullptr)
        return;
    std::string why;
    try {
        for (Outgoing& message : drawn[id]->frame(now))
            line->send(std::move(message));
        if (drawn[id]->leaves())
            why = "This visit has ended. Load the page for another one.";
    } catch (const std::exception& error) {
        why = error.what();
    }
    if (why.empty())
        return;
    line->close(why);
    leave(id);
}

void Visitors::run(const std::stop_token& stop)
{
    Drawn drawn;
    std::map<Id, bool> woken;
    while (!stop.stop_requested()) {
        remove_gone(drawn);
        take_inputs(drawn, woken);
        std::erase_if(woken, [&](const auto& one) { return !drawn.contains(one.first); });
        std::optional<Clock::time_point> next;
        for (const auto& [id, visitor] : drawn) {
            const auto now = Clock::now();
            if (const auto due = visitor->due(now, woken[id]); due && *due <= now) {
                woken[id] = false;
                draw(id, drawn, now);
            }
            if (const auto due = visitor->due(Clock::now(), woken[id]))
                next = next ? std::min(*next, *due) : *due;
        }
        std::unique_lock lock(mutex_);
        const auto has_news = [this] { return news_; };
        if (next)
            changed_.wait_until(lock, stop, *next, has_news);
        else
            changed_.wait(lock, stop, has_news);
    }
    const std::lock_guard lock(mutex_);
    for (const auto& [id, guest] : guests_)
        guest.line->close("The server has stopped.");
    guests_.clear();
    ended_ = true;
}

} // namespace app
