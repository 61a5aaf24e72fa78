#include "viz/views/35_layout/shared_tile.h"

#include "viz/background.h"

#include "model/recorded_copy.h"

#include <algorithm>

namespace viz {

using recording::BlockTrace;
using recording::Recording;

std::optional<std::size_t> step_in_shared(const Focus& focus)
{
    return nearest_step(*focus.warp, focus.step,
                        [&](std::size_t i) { return touches_shared(focus.warp->accesses[i].op); });
}

std::vector<uint8_t> shared_tiles(const recording::Recording& recording)
{
    constexpr uint64_t most = 64 * 1024; // elements
    std::vector<uint8_t> tiles;
    for (std::size_t i = 0; i < recording.arrays.size(); ++i) {
        const recording::Array& array = recording.arrays[i];
        const uint64_t elements = uint64_t{array.rows} * array.cols;
        if (array.space == recording::Space::shared && elements > 0 && elements <= most && array.element_bytes > 0)
            tiles.push_back(static_cast<uint8_t>(i));
    }
    return tiles;
}

namespace {

// What is derived of these keeps them: no address stands for others.
using Use = std::shared_ptr<const TileUse>;
using Laid = std::shared_ptr<const Places>;

std::optional<Mapping> came_about(const Recording& recording, uint8_t array)
{
    return recorded_mapping(recording.arrays[array]);
}

Use use_of(const Recording& recording, const BlockTrace& block, uint8_t array)
{
    return std::make_shared<TileUse>(tile_use(recording, block, array));
}

std::optional<Mapping> cure_of(const Recording& recording, const Use& use, uint8_t array)
{
    return curing_xor(*use, recording.arrays[array]);
}

Laid laid_by(const Recording& recording, uint8_t array, const Mapping& mapping)
{
    return std::make_shared<Places>(places_of(recording.arrays[array], mapping));
}

TileCost cost_with(const Recording& recording, const Use& use, uint8_t array, const Laid& laid)
{
    return cost_of(*use, recording.arrays[array], *laid);
}

std::vector<uint32_t> elements_at(const Recording& recording, uint8_t array, const Laid& recorded, const Laid& shown)
{
    const uint32_t element_bytes = recording.arrays[array].element_bytes;
    const uint64_t bytes = std::max(recorded->bytes, shown->bytes);
    std::vector<uint32_t> elements((bytes + element_bytes - 1) / element_bytes, SharedTile::none);
    for (std::size_t i = 0; i < shown->place.size(); ++i)
        if (const uint32_t place = shown->place[i]; place < elements.size())
            elements[place] = static_cast<uint32_t>(i);
    return elements;
}

std::vector<std::size_t> steps_in_tile(const Recording&, const recording::WarpTrace& warp, uint8_t array)
{
    std::vector<std::size_t> steps;
    for (std::size_t i = 0; i < warp.accesses.size(); ++i)
        if (touches_shared(warp.accesses[i].op) && warp.accesses[i].array == array)
            steps.push_back(i);
    return steps;
}

} // namespace

void Trials::begin(const StageColumn& stage, const Focus& focus, uint8_t array)
{
    const decltype(of) now{stage.recording, focus.block, array};
    if (of == now)
        return;
    of = now;
    chosen.reset();
    formula.reset();
}

void Trials::forget()
{
    tiles.clear();
    of = {};
    chosen.reset();
    formula.reset();
}

SharedTile::SharedTile(const StageColumn& stage, const Focus& focus, uint8_t array, Trials& trials)
    : camera(trials.camera), chosen(trials.chosen), stage_(stage), block_(*focus.block), array_(array), trials_(trials),
      now_(trials.tiles[stage.slug + " " + tile().name]), origin_(stage.memo<came_about>(array))
{
    trials.begin(stage, focus, array);
    use_ = stage.memo_later<use_of>(access_count(block_) <= accesses_in_frame, block_, array);
    // Where there is no XOR among what was recorded, one is searched for.
    if (use_ != nullptr && (!origin_ || origin_->kind != Mapping::Kind::xored))
        cure_ = stage.memo_later<cure_of>(false, *use_, array);
    try_all();
    const std::vector<std::size_t>& steps = stage.memo<steps_in_tile>(*focus.warp, array);
    const auto before = std::ranges::lower_bound(steps, focus.step) - steps.begin();
    done_ = steps.empty() ? 0 : static_cast<double>(before) / static_cast<double>(steps.size());
    show_access(focus);
}

const std::vector<Toucher>& SharedTile::touchers(Cell cell) const
{
    return stage_.memo<touchers_of>(block_, array_, cell);
}

// What is tried begins with what was recorded; an XOR, where there is none, with the one that cures.
Mapping SharedTile::mapping_of(Mapping::Kind kind) const
{
    if (const auto& by_hand = now_.by_hand[static_cast<std::size_t>(kind)])
        return *by_hand;
    if (origin_ && origin_->kind == kind)
        return *origin_;
    if (kind == Mapping::Kind::xored && cure_ != nullptr && *cure_)
        return **cure_;
    Mapping mapping{.kind = kind};
    if (kind == Mapping::Kind::typed && trials_.formula)
        mapping.formula = *trials_.formula;
    return mapping;
}

void SharedTile::try_all()
{
    for (std::size_t i = 0; i < kinds; ++i) {
        TriedPlaces& one = all[i];
        one.mapping = mapping_of(static_cast<Mapping::Kind>(i));
        one.places = stage_.memo<laid_by>(array_, one.mapping);
        one.cost = use_ != nullptr ? &stage_.memo<cost_with>(*use_, array_, one.places) : nullptr;
    }
    element_at_ = &stage_.memo<elements_at>(array_, recorded().places, shown().places);
}

void SharedTile::choose(Mapping::Kind kind)
{
    // The typed formula begins as the one that was shown before.
    if (kind == Mapping::Kind::typed && now_.kind != kind) {
        if (now_.kind != Mapping::Kind::recorded)
            trials_.formula = formula_of(mapping());
        else if (origin_)
            trials_.formula = formula_of(*origin_);
    }
    now_.kind = kind;
    try_all();
}

void SharedTile::set(const Mapping& mapping, bool by_hand)
{
    if (this->mapping() == mapping && !by_hand)
        return;
    now_.by_hand[static_cast<std::size_t>(kind())] = mapping;
    try_all();
}

void SharedTile::show_access(const Focus& focus)
{
    const auto nearest = step_in_shared(focus);
    step = nearest && focus.warp->accesses[*nearest].array == array_ ? nearest : std::nullopt;
    if (!step)
        return;
    const recording::Access& recorded_access = focus.warp->accesses[*step];
    const auto by_element = pattern_by_element(recorded_access, stage_.memo<elements_of>()[array_]);
    const model::Pattern pattern =
        by_element ? pattern_at(*by_element, tile(), *shown().places) : pattern_of(recorded_access);
    if (auto copy = model::copy_at(*focus.warp, *step)) {
        copy->to = pattern.offset;
        access = bank_picture(*copy);
    } else if (is_shared(recorded_access.op)) {
        access = bank_picture(recorded_access.op, pattern);
    }
}

} // namespace viz
