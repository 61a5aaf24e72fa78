// What is known of the GPU here, or of the one that the shipped figures come from; and measuring the one here.
#pragma once

#include "app/catalogue/gpu.h"
#include "app/session/task_queue.h"

#include "viz/board.h"

namespace app {

class GpuFigures {
public:
    explicit GpuFigures(TaskQueue& queue) : queue_(queue) {}

    // `shipped`: of another GPU, or why there is nothing.
    void machine_found(const MachineFacts& machine, const ReadGpu& shipped);
    void measure(); // in the background; nothing where there is no GPU
    void stop();    // does not wait
    bool receive(const Report& report);

    viz::GpuState state() const;
    const viz::Provenance& from() const { return from_; } // what was measured; no device: nothing was

private:
    void take(const ProbeResult& result);
    void say_origin(bool here, std::string_view how);

    TaskQueue& queue_;
    bool found_ = false, here_ = false; // the machine was found; it has a GPU
    std::optional<GpuFacts> facts_;
    viz::Provenance from_;
    std::string origin_, missing_, error_;
    Ticket measuring_ = 0, saving_ = 0;
    Progress progress_;
};

} // namespace app
