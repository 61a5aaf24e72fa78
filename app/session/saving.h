// A recording that a person saves into the current directory.
#pragma once

#include "app/worker/task_queue.h"

#include <filesystem>
#include <string>

namespace app {

class Saving {
public:
    explicit Saving(TaskQueue& queue) : queue_(queue) {}

    // Both return what is to be told: nothing where the report is of something else.
    std::string start(const RecordingPtr& made); // null: there is none
    std::string receive(const Report& report);

    bool busy() const { return ticket_ != 0; }

private:
    TaskQueue& queue_;
    Ticket ticket_ = 0;
    std::filesystem::path path_;
};

} // namespace app
