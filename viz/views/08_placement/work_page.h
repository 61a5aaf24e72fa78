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
    // What it draws, each frame anew; null: it is being computed.
    void show(std::shared_ptr<const Told<WorkFacts>> facts, uint32_t K);
    bool busy() const { return told == nullptr; }
    const WorkFacts* facts() const { return told && *told ? &**told : nullptr; }
    NoWork why_not() const { return told->why; } // where there are no facts, and it is not busy
    // The next block of the same lane, or the first of the next one; backwards with a negative number. The same where there is none.
    // Not both numbers are 0.
    std::optional<uint32_t> next_block(std::optional<uint32_t> from, int blocks, int lanes) const;

    // `alone`: how it would be otherwise is drawn, too. `most`: k-tiles that the width stands for, at least.
    struct Room {
        draw::Box box;
        bool alone = true;
        uint64_t most = 0;
    };
    // Returns the block that was clicked.
    std::optional<uint32_t> draw(ViewFrame& frame, std::optional<uint32_t> selected, Marks* marks, const Room& room);

private:
    struct Under {
        const WorkCase* of = nullptr;
        PartUnder part;
        std::optional<std::size_t> idle;
    };
    struct ChartRoom {
        draw::Box box;
        bool axis = true;  // below: the numbers of k-tiles
        uint64_t most = 1; // k-tiles that the width stands for
    };
    void draw_chart(const WorkPicture& picture, const WorkCase& shown, const ChartRoom& room, Under& under);
    std::optional<uint32_t> answer(ViewFrame& frame, const Under& under) const;

    std::shared_ptr<const Told<WorkFacts>> told;
    uint32_t K = 1; // of the product
    WorkMapPixels map;
    WorkColumnsPixels columns;
    WorkLanesPixels whole, cut;
};

class WorkPage {
public:
    // Two stages on as many places, so that they can be compared: as one of them has them by itself, else on the SMs of the GPU shown.
    // Computed beside the frames where that takes long; until then there are no facts.
    void show(const ViewFrame& frame, std::span<const PlacementSide, 2> stages);
    bool busy() const { return sides[0].busy(); }
    const WorkFacts* facts(std::size_t stage) const { return sides[stage].facts(); }
    // Of a stage that has no facts.
    Message why_not(std::size_t stage) const;
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
