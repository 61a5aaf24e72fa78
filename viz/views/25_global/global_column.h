// What the global-memory view draws of one subject, and the sentences around it.
#pragma once

#include "viz/analysis/sectors.h"
#include "viz/draw/background.h"
#include "viz/draw/focus.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// What is computed from one recording and block, kept until they change; large ones beside the frames.
struct GlobalFacts {
    std::shared_ptr<const recording::Recording> recording;
    const recording::BlockTrace* block = nullptr;
    std::vector<Elements> elements;
    std::optional<std::vector<GlobalUse>> use; // not known yet while it is being computed

    void update(const Subject& subject, const Focus& focus);
    bool settled() const { return !work.busy(); }

private:
    Background<std::vector<GlobalUse>> work;
};

// One subject and the place where it is drawn.
struct GlobalColumn {
    const Subject* subject = nullptr;
    Focus focus;
    GlobalFacts* facts = nullptr;
    std::optional<std::size_t> step; // of the global access that is shown
    SectorPicture picture;
    float x = 0, width = 0;

    const recording::Access& shown() const { return focus.warp->accesses[*step]; }
    const recording::Array& array() const { return focus.recording->arrays[shown().array]; }
    bool ready() const { return focus.warp && step; }
};

// Which access is shown, and its line of source.
Prose request_sentence(const Theme& theme, const GlobalColumn& column);

// What colours and numbers mean.
Prose sector_legend(const Theme& theme);

// "32 sectors move 1,024 bytes, and 128 of them are used: 12.5 %", with the reason.
Prose sector_outcome(const Theme& theme, const GlobalColumn& column);

// Requests and sectors of the launch.
Prose global_sums(const Theme& theme, const GlobalColumn& column);

// Both stages' requests, sectors and sectors per request in one line.
Prose global_differences(const Theme& theme, const GlobalColumn& a, const GlobalColumn& b);

std::string describe_word(const GlobalColumn& column, const MemoryLine& line, uint32_t word);
std::string describe_request_of_lane(const GlobalColumn& column, uint32_t lane);

} // namespace viz
