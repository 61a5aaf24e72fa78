// All visitors of a server. One thread draws each of them when its frame is due, and draws nothing while nothing
// changes.
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

// The connection to a visitor's page. Both functions may be called on any thread and return at once.
class Line {
public:
    virtual ~Line() = default;
    virtual void send(Outgoing message) = 0;
    virtual void close(const std::string& why) = 0; // messages that were sent before still arrive
};

struct VisitorOptions {
    WindowOptions window;           // initial state of a visitor, and the worker
    std::filesystem::path folder;   // contains a folder for each visitor
    std::size_t most = 50;          // maximum number of visitors at a time
    bool kernels = false;           // visitors' own kernels may run
    std::size_t most_waiting = 400; // limit of a visitor's waiting messages; beyond it the visitor is disconnected
};

class Visitors {
public:
    explicit Visitors(VisitorOptions options);
    Visitors(const Visitors&) = delete;
    Visitors& operator=(const Visitors&) = delete;
    ~Visitors(); // removes the folder

    using Id = uint64_t;

    // The following functions may be called on any thread.
    std::optional<Id> enter(std::shared_ptr<Line> line, Role role = Role::alone); // empty: the server is full or ended
    void receive(Id visitor, Input input);
    void leave(Id visitor);
    std::size_t count() const;

    // Draws until `stop` is requested. Call it on a thread with a current OpenGL context. When it returns, all visitors
    // are destroyed and all lines are released.
    void run(const std::stop_token& stop);

private:
    struct Guest { // the part of a visitor that all threads share
        std::shared_ptr<Line> line;
        Role role = Role::alone;
        std::vector<Input> inputs; // received since the last frame
        bool woken = false;        // results have arrived since the last frame
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
    Lecture lecture_; // used only by the thread that draws

    mutable std::mutex mutex_; // protects the following members
    std::condition_variable_any changed_;
    std::map<Id, Guest> guests_;
    Id last_ = 0;
    bool news_ = false, ended_ = false;
};

} // namespace app
