#include "viz/views/35_layout/facts.h"

#include "viz/background.h"
#include "viz/text/figures.h"

#include "model/recorded_copy.h"

#include <algorithm>
#include <utility>

namespace viz {

using recording::BlockTrace;
using recording::Recording;

void LayoutOptions::set(const Mapping& mapping)
{
    places = mapping.kind;
    switch (mapping.kind) {
    case Mapping::Kind::recorded:
    case Mapping::Kind::row_major: break;
    case Mapping::Kind::padded: padding = mapping.padding; break;
    case Mapping::Kind::xored:
        (mapping.bits == Mapping::Bits::of_row ? row_bits : column_bits) = {mapping.from, mapping.to, mapping.count};
        break;
    case Mapping::Kind::typed: formula = mapping.formula; break;
    }
}

Mapping LayoutOptions::mapping() const
{
    Mapping mapping{.kind = places};
    mapping.padding = padding.value_or(mapping.padding);
    mapping.formula = formula.value_or(mapping.formula);
    if (const auto& bits = column_bits ? column_bits : row_bits) {
        mapping.bits = column_bits ? Mapping::Bits::of_col : Mapping::Bits::of_row;
        mapping.from = bits->from;
        mapping.to = bits->to;
        mapping.count = bits->count;
    }
    return mapping;
}

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

// Derived values hold these pointers, so that no other data can get a cached address.
using Use = std::shared_ptr<const TileUse>;
using Laid = std::shared_ptr<const Places>;

std::optional<Mapping> came_about(const Recording& recording, uint8_t array)
{
    const recording::Array& tile = recording.arrays[array];
    if (auto known = recorded_mapping(tile))
        return known;
    // Columns that are `step` apart follow one another, as in the stage linearized_b.
    const std::vector<uint32_t> recorded = places_of(tile, {}).place;
    for (uint32_t step = 2; step < tile.cols; step *= 2) {
        Mapping mapping{.kind = Mapping::Kind::typed,
                        .formula = fmt::format("(row*{0} + col%{0})*{1} + col/{0}", step, tile.cols / step)};
        if (tile.cols % step == 0 && places_of(tile, mapping).place == recorded)
            return mapping;
    }
    return {};
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
    // Searches for an XOR if the recorded layout has none.
    if (use_ != nullptr && (!origin_ || origin_->kind != Mapping::Kind::xored))
        cure_ = stage.memo_later<cure_of>(false, *use_, array);
    try_all();
    const std::vector<std::size_t>& steps = stage.memo<steps_in_tile>(*focus.warp, array);
    const auto before = std::ranges::lower_bound(steps, focus.step) - steps.begin();
    done_ = steps.empty() ? 0 : static_cast<double>(before) / static_cast<double>(steps.size());
    show_access(focus);
}

const std::vector<CellUse>& SharedTile::uses(Cell cell) const
{
    return stage_.memo<uses_of_cell>(block_, array_, cell);
}

// The first layout of a kind follows the recorded one. If that has no XOR, the first XOR is the one that avoids the
// conflicts.
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
    // The field for the formula begins with the previous layout.
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

namespace {

// Returns whether the visible layout flips bits of the element's place.
bool flips(const SharedTile& side, const Cell& cell)
{
    return flipped_bits(side.explained(side.shown().mapping), cell.row, cell.col).flipped != 0;
}

Value refused()
{
    return Value("refused").as(Meaning::conflict);
}

std::string conflicts_of(uint64_t count)
{
    return count == 0 ? "no conflict" : counted(count, "conflict");
}

Rich size_words(const SharedTile& tile)
{
    const TriedPlaces& tried = tile.tried(tile.kind());
    const std::string formula = tried.mapping.kind == Mapping::Kind::recorded ? "" : formula_of(tried.mapping);
    const Rich places =
        formula.empty()   ? rich(tile.shape_is_guessed() ? "its rows guessed from its accesses." : "as recorded.")
        : tried.refused() ? rich("as recorded: `{}` is **{}**. {}", formula, refused(), rich(tried.refusal()))
                          : rich("at `{}` (recorded: {}).", formula, counted(tile.tile().bytes, "byte"));
    return rich("`{}` has {} × {} elements in **{}**, {}", tile.tile().name, tile.tile().rows, tile.tile().cols,
                counted(tile.shown().places->bytes, "byte"), places);
}

Rich element_paragraph(const SharedTile& tile, Cell cell)
{
    const uint32_t place = tile.place_of(cell), before = tile.recorded().places->place[tile.index(cell)];
    std::vector<Rich> said{
        rich("*{}*: place **{}**, bank **{}**.", element_name(tile.tile().name, {cell}), place, tile.bank_of(cell))};
    if (before != place)
        said.push_back(
            rich("Recorded: place {}, bank {}.", before, model::bank_of(uint64_t{before} * tile.tile().element_bytes)));
    const auto& uses = tile.uses(cell);
    said.push_back(rich("Written by `{}`, read by `{}`.", uses_text(uses, true), uses_text(uses, false)));
    return joined(std::move(said));
}

// Compares the costs with those of the recorded layout.
Rich race_words(const SharedTile& tile, const TileCost& cost)
{
    const TileCost* recorded = tile.recorded().cost;
    if (recorded == nullptr || recorded->totals.wavefronts == cost.totals.wavefronts)
        return {};
    const uint64_t own = cost.totals.wavefronts, other = recorded->totals.wavefronts;
    const bool sooner = own < other;
    return rich(
        ": done {} {} than as recorded",
        Value(counted(sooner ? other - own : own - other, "wavefront")).as(sooner ? Meaning::good : Meaning::conflict),
        sooner ? "sooner" : "later");
}

} // namespace

std::string tile_of_step(const Focus& focus)
{
    const auto step = step_in_shared(focus);
    return step ? focus.recording->arrays[focus.warp->accesses[*step].array].name : std::string();
}

std::optional<Cell> selected_cell(const SharedTile& side, const Focus& focus, uint32_t lane)
{
    if (side.chosen)
        return side.chosen;
    if (!side.step)
        return Cell{};
    const recording::Access& access = focus.warp->accesses[*side.step];
    const Elements elements(side.tile());
    const auto all = cells_of_access(access, elements, side.tile().element_bytes);
    if (lane == 0)
        if (const auto found = std::ranges::find_if(all, [&](const Cell& cell) { return flips(side, cell); });
            found != all.end())
            return *found;
    auto cells = cells_of_lane(access, elements, side.tile().element_bytes, lane);
    if (cells.empty())
        cells = all;
    return cells.empty() ? std::nullopt : std::optional(cells.front());
}

Rich tile_headline(const SharedTile& side)
{
    const TriedPlaces &recorded = side.recorded(), &tried = side.tried(side.kind());
    const std::string& tile = side.tile().name;
    if (!recorded.cost || !tried.cost)
        return rich("Counting ...");
    if (recorded.cost->lines.empty())
        return rich("{}: no lane goes to it, conflicts are not known", tile);
    const auto coloured = [](uint64_t conflicts) {
        return Value(conflicts_of(conflicts)).as(conflicts > 0 ? Meaning::conflict : Meaning::good);
    };
    const uint64_t before = recorded.cost->totals.conflicts;
    if (side.kind() == Mapping::Kind::recorded)
        return rich("{}: {} as recorded", tile, coloured(before));
    if (tried.refused())
        return rich("{}: {}, shown as recorded", tile, refused());
    return rich("{}: {}, recorded {}", tile, coloured(tried.cost->totals.conflicts), before);
}

std::vector<Rich> tile_paragraphs(const Theme& theme, const SharedTile& tile, std::optional<Cell> cell)
{
    std::vector<Rich> said{size_words(tile)};
    if (cell)
        said.push_back(element_paragraph(tile, *cell));
    if (tile.access)
        said.push_back(rich(tile.access->reason));
    said.push_back(in_lines({joined({rich("A column is a bank, a line 32 words."),
                                     rich("Quiet colours: the bank where an element would lie row after row, so what a "
                                          "layout moves stands out."),
                                     rich("Above each bank: how many words are asked of it at once. This access:")}),
                             rich("{}first wavefront", Swatch{theme.lane_group[0]}),
                             rich("{}words that wait", Swatch{theme.warning})}));
    return said;
}

Rich element_words(const SharedTile& tile, Cell cell)
{
    const uint32_t place = tile.place_of(cell);
    return rich("{}: {} lies at place {}, byte {}, bank {}", tile.stage().slug, element_name(tile.tile().name, {cell}),
                place, uint64_t{place} * tile.tile().element_bytes, tile.bank_of(cell));
}

std::string_view places_name(Mapping::Kind kind)
{
    static constexpr std::string_view names[SharedTile::kinds] = {"as recorded", "row after row", "padded", "XOR",
                                                                  "your formula"};
    return names[static_cast<std::size_t>(kind)];
}

Rich places_words(const SharedTile& tile, Mapping::Kind kind)
{
    const TriedPlaces& tried = tile.tried(kind);
    const Rich who = rich("{}, {}:", tile.stage().slug,
                          kind == Mapping::Kind::recorded ? std::string(places_name(kind)) : formula_of(tried.mapping));
    if (tried.refused())
        return rich("{} {}. {}", who, refused(), rich(tried.refusal()));
    if (!tried.cost)
        return rich("Counting ...");
    if (tried.cost->lines.empty())
        return joined({rich("{} what it costs is not known.", who),
                       rich("Bulk copies and the tensor cores move these elements by themselves."),
                       rich("No lane's addresses say in which order.")});
    const recording::SharedTotals& totals = tried.cost->totals;
    return rich("{} {}, {}, {} in this block, computed from the recorded accesses{}. Click to try.", who,
                counted(tried.places->bytes, "byte"), counted(totals.wavefronts, "wavefront"),
                conflicts_of(totals.conflicts), race_words(tile, *tried.cost));
}

std::string refusal_in_short(const TriedPlaces& tried)
{
    static constexpr std::pair<std::string_view, const char*> brief[] = {{".twice", "two elements in one place"},
                                                                         {".before_tile", "before its first byte"},
                                                                         {".tile_too_large", "too many bytes"},
                                                                         {".torn", "tears an access apart"}};
    for (const auto& [end, words] : brief)
        if (tried.refusal().id.ends_with(end))
            return words;
    return plain(tried.refusal());
}

} // namespace viz
