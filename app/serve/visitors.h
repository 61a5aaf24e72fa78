// All visitors of a server, drawn by one thread, one after another as their frames are due. Nothing is drawn while nothing changes.
#pragma once

#include "app/serve/shared_worker.h"
#include "app/serve/visitor.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace app {

// The connection to a visitor's page. Both functions may be called on any thread and wait for nothing.
class Line {
public:
    virtual ~Line() = default;
    virtual void send(Outgoing message) = 0;
    virtual void close(const std::string& why) = 0; // what is under way still arrives
};

struct VisitorOptions {
    WindowOptions window;           // with which a visitor begins, and who works
    std::filesystem::path folder;   // a folder for each visitor lies in it
    std::size_t most = 50;          // visitors at a time
    bool kernels = false;           // visitors' own kernels may run
    std::size_t most_waiting = 400; // messages of one visitor that no frame has taken yet: then it is cut off
};

class Visitors {
public:
    explicit Visitors(VisitorOptions options);
    Visitors(const Visitors&) = delete;
    Visitors& operator=(const Visitors&) = delete;
    ~Visitors(); // removes the folder

    using Id = uint64_t;

    // On any thread.
    std::optional<Id> enter(std::shared_ptr<Line> line, Role role = Role::alone); // none: there are as many as may be
    void receive(Id visitor, Input input);
    void leave(Id visitor);
    std::size_t count() const;

    // Draws until it is stopped, on a thread that has a current OpenGL context; then every visitor has gone, and no line is held.
    void run(const std::stop_token& stop);

private:
    struct Guest { // what other threads know of a visitor
        std::shared_ptr<Line> line;
        Role role = Role::alone;
        std::vector<Input> inputs; // that came since the last frame
        bool woken = false;        // results came since then
        bool gone = false;
    };
    using Clock = Visitor::Clock;
    using Drawn = std::map<Id, std::unique_ptr<Visitor>>;

    std::unique_ptr<Visitor> make_visitor(Id id);
    void wake(Id visitor);
    void take_inputs(Drawn& drawn, std::map<Id, bool>& woken);
    void end(Id visitor, const std::string& why); // closes its line with this sentence
    void draw(Id id, Drawn& drawn, Clock::time_point now);
    void remove_gone(Drawn& drawn);

    VisitorOptions options_;
    std::shared_ptr<const std::vector<kernels::Stage>> ladder_;
    std::shared_future<CataloguePtr> catalogue_;
    std::shared_future<ShippedLaunches> launches_;
    std::shared_ptr<SharedWorker> worker_;
    FontShelf fonts_;
    Lecture lecture_; // of the thread that draws

    mutable std::mutex mutex_; // of what follows
    std::condition_variable_any changed_;
    std::map<Id, Guest> guests_;
    Id last_ = 0;
    bool news_ = false, ended_ = false;
};

} // namespace app
