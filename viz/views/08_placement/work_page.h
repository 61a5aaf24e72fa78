// The page of the placement view about parts of K, of one stage or of two.
#pragma once

#include "viz/view.h"
#include "viz/views/08_placement/placement_side.h"
#include "viz/views/08_placement/work_picture.h"

#include <array>
#include <memory>
#include <optional>
#include <span>

namespace viz {

class WorkSide {
public:
    // `picture`: the launch's placements, null where it has none; they live as long as the recording is this one.
    void update(const std::shared_ptr<const recording::Recording>& wanted, const PlacementPicture* picture,
                const WorkPlaces& others);
    const WorkFacts* facts() const { return facts_ ? &*facts_ : nullptr; }
    // How many blocks run at once where the launch itself says it.
    std::optional<WorkPlaces> own_places() const;
    // The next block of the same lane, or the first of the next one; backwards with negative numbers. The same where there is none.
    std::optional<uint32_t> next_block(std::optional<uint32_t> from, int blocks, int lanes) const;

    // `alone`: how it would be otherwise is drawn, too. `most`: k-tiles that the width stands for, at least.
    struct Room {
        draw::Box box;
        bool alone = true;
        uint64_t most = 0;
    };
    // Returns the block that was clicked.
    std::optional<uint32_t> draw(ViewFrame& frame, std::optional<uint32_t> selected, Marks* marks, const Room& room);

    Message headline() const;
    void explain(ViewFrame& frame) const;

private:
    struct Under {
        const WorkCase* of = nullptr;
        PartUnder part;
        std::optional<std::size_t> idle;
    };
    void draw_chart(const WorkPicture& picture, const WorkCase& shown, const Room& room, Under& under);
    Message part_message(const Under& under) const;
    std::optional<uint32_t> answer(ViewFrame& frame, const Under& under) const;

    std::shared_ptr<const recording::Recording> recording;
    WorkPlaces places;
    std::optional<WorkFacts> facts_;
    WorkImage map, columns, whole, cut;
};

class WorkPage {
public:
    // Two stages on as many places, so that they can be compared: as one of them has them by itself, else on the SMs of the GPU shown.
    void update(const ViewFrame& frame, std::span<const PlacementSide, 2> stages);
    const WorkFacts* facts(std::size_t stage) const { return sides[stage].facts(); }
    Message headline(std::size_t stage) const { return sides[stage].headline(); }
    // Of the first stage: see WorkSide.
    std::optional<uint32_t> next_block(std::optional<uint32_t> from, int blocks, int lanes) const
    {
        return sides[0].next_block(from, blocks, lanes);
    }
    // Returns the block that was clicked.
    std::optional<uint32_t> draw(ViewFrame& frame, std::size_t stage, std::optional<uint32_t> selected,
                                 const draw::Box& box);

private:
    std::array<WorkSide, 2> sides;
};

} // namespace viz
