#include "viz/views/35_layout/shared_tile.h"

#include "model/recorded_copy.h"

#include <algorithm>

namespace viz {

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

const std::vector<Toucher>& SharedTile::touchers(Cell cell)
{
    if (touched_cell != cell) {
        touched_cell = cell;
        touched_by = touchers_of(*recording, *block, array, cell);
    }
    return touched_by;
}

void SharedTile::compute(TriedPlaces& one) const
{
    one.places = places_of(tile(), one.mapping);
    one.cost = use ? std::optional(cost_of(*use, tile(), one.places)) : std::nullopt;
}

void SharedTile::lay_out()
{
    const uint64_t bytes = std::max(recorded().places.bytes, shown().places.bytes);
    element_at_.assign((bytes + tile().element_bytes - 1) / tile().element_bytes, none);
    for (std::size_t i = 0; i < shown().places.place.size(); ++i)
        if (const uint32_t place = shown().places.place[i]; place < element_at_.size())
            element_at_[place] = static_cast<uint32_t>(i);
}

void SharedTile::choose(Mapping::Kind kind)
{
    // Typed goes on from what was shown before, until somebody has typed.
    if (kind == Mapping::Kind::typed && kind_ != kind && !by_hand_[static_cast<std::size_t>(kind)]) {
        TriedPlaces& typed = all[static_cast<std::size_t>(kind)];
        if (kind_ != Mapping::Kind::recorded)
            typed.mapping.formula = formula_of(mapping());
        else if (origin_)
            typed.mapping.formula = formula_of(*origin_);
        compute(typed);
    }
    kind_ = kind;
    lay_out();
}

void SharedTile::set(const Mapping& mapping, bool by_hand)
{
    TriedPlaces& one = all[static_cast<std::size_t>(kind_)];
    if (one.mapping == mapping && !by_hand)
        return;
    by_hand_[static_cast<std::size_t>(kind_)] = true;
    one.mapping = mapping;
    compute(one);
    lay_out();
}

void SharedTile::start(const ShownStage& stage, const Focus& focus, uint8_t wanted)
{
    recording = stage.recording;
    block = focus.block;
    array = wanted;
    elements = Elements(tile());
    chosen.reset();
    warp = nullptr;
    touched_cell.reset();
    use.reset();
    search.drop();
    work.start([kept = recording, which = block, tile = array] { return tile_use(*kept, *which, tile); },
               access_count(*block) <= accesses_in_frame);
    // What is tried begins with what was recorded; an XOR, where there is none, with one that is searched for.
    keep();
    origin_ = recorded_mapping(tile());
    of_ = stage.slug + " " + tile().name;
    take_kept();
}

void SharedTile::keep()
{
    if (of_.empty())
        return;
    Tried& tried = kept_[of_];
    tried.kind = kind_;
    for (std::size_t i = 0; i < kinds; ++i)
        tried.by_hand[i] = by_hand_[i] ? std::optional(all[i].mapping) : std::nullopt;
}

// What was tried of this tile before; a tile that is seen for the first time lies as recorded.
void SharedTile::take_kept()
{
    const Tried tried = kept_[of_];
    kind_ = tried.kind;
    for (std::size_t i = 0; i < kinds; ++i) {
        by_hand_[i] = tried.by_hand[i].has_value();
        all[i].mapping = tried.by_hand[i].value_or(Mapping{.kind = static_cast<Mapping::Kind>(i)});
    }
    if (origin_ && !by_hand_[static_cast<std::size_t>(origin_->kind)])
        all[static_cast<std::size_t>(origin_->kind)].mapping = *origin_;
}

void SharedTile::forget()
{
    kept_.clear();
    by_hand_ = {};
    kind_ = Mapping::Kind::recorded;
    chosen.reset();
    recording = nullptr; // update() begins anew
    of_.clear();
}

void SharedTile::begin_search()
{
    if (origin_ && origin_->kind == Mapping::Kind::xored)
        return;
    search.start([kept = recording, which = *use, tile = array] { return curing_xor(which, kept->arrays[tile]); });
}

void SharedTile::show_access(const Focus& focus)
{
    access.reset();
    const auto nearest = step_in_shared(focus);
    step = nearest && focus.warp->accesses[*nearest].array == array ? nearest : std::nullopt;
    if (!step)
        return;
    const recording::Access& recorded_access = focus.warp->accesses[*step];
    const auto by_element = pattern_by_element(recorded_access, elements);
    const model::Pattern pattern =
        by_element ? pattern_at(*by_element, tile(), shown().places) : pattern_of(recorded_access);
    if (auto copy = model::copy_at(*focus.warp, *step)) {
        copy->to = pattern.offset;
        access = bank_picture(*copy);
    } else if (is_shared(recorded_access.op)) {
        access = bank_picture(recorded_access.op, pattern);
    }
}

void SharedTile::follow(const Focus& focus)
{
    if (warp != focus.warp) {
        warp = focus.warp;
        warps_steps.clear();
        for (std::size_t i = 0; i < warp->accesses.size(); ++i)
            if (touches_shared(warp->accesses[i].op) && warp->accesses[i].array == array)
                warps_steps.push_back(i);
    }
    const auto before = std::ranges::lower_bound(warps_steps, focus.step) - warps_steps.begin();
    done_ = warps_steps.empty() ? 0 : static_cast<double>(before) / static_cast<double>(warps_steps.size());
}

void SharedTile::update(const ShownStage& stage, const Focus& focus, uint8_t wanted)
{
    const bool other = recording != stage.recording || block != focus.block || array != wanted;
    if (other)
        start(stage, focus, wanted);
    auto done = work.take();
    if (done)
        use = std::move(*done);
    if (other || done) {
        for (TriedPlaces& one : all)
            compute(one);
        lay_out();
    }
    if (done)
        begin_search();
    constexpr auto xored = static_cast<std::size_t>(Mapping::Kind::xored);
    if (const auto found = search.take(); found && *found && !by_hand_[xored]) {
        all[xored].mapping = **found;
        compute(all[xored]);
        lay_out();
    }
    follow(focus);
    show_access(focus);
}

} // namespace viz
