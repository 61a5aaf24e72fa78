#include "app/panels/panels.h"

#include "app/data/claims.h"
#include "app/learn/concepts.h"
#include "app/learn/published_names.h"
#include "app/learn/quiz.h"
#include "app/panels/derive.h"
#include "app/panels/header/stages_row.h"
#include "app/panels/navigation.h"
#include "app/panels/shell.h"
#include "app/text/format.h"

#include "viz/analysis/ownership.h"
#include "viz/text/glossary.h"
#include "viz/text/templates.h"

#include "error.h"
#include "gemm/size.h"
#include "measure/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

namespace app {

namespace {

constexpr int of_stage = 20; // bonus: ranks like a name that is shorter by this number of letters
constexpr int of_view = 120; // ranks above a stage, even if its description begins with the typed text
constexpr int of_page = 140; // ranks commands that open a page first while nothing is typed
// Ranks terms below everything that shows something, even for an exact match of the name.
constexpr int of_term = -600;
constexpr int of_claim = -120; // ranks claims below views and lessons about the same subject
constexpr int of_question = -1000;

void add_commands(Shell& shell, std::vector<PaletteEntry>& entries)
{
    const std::string_view heard = heard_by(*shell.snapshot(), shell.state());
    for (const Command& command : shell.commands())
        if (command.id != "palette" && (command.view.empty() || command.view == heard))
            entries.push_back({.kind = command.opens_page ? "page" : "command",
                               .title = command.words,
                               .also = command.group,
                               .keys = keys_text(command),
                               .run = command.action,
                               .id = command.id,
                               .preference = command.opens_page ? of_page : 0});
}

// Adds pages that users look for by other words than those of the command.
void add_pages(Shell& shell, std::vector<PaletteEntry>& entries)
{
    entries.push_back({.kind = "page",
                       .title = "accuracy of the types: FP32, TF32, BF16, FP16",
                       .also = "error, rounding, precision, how far the result is off, beside the speed",
                       .run = [&state = shell.state()] { state.open(Page::accuracy); },
                       .id = "accuracy",
                       .preference = of_page});
}

// Adds the race of two stages, which needs no command: Space plays both.
void add_race(Shell& shell, std::vector<PaletteEntry>& entries)
{
    const auto run = [&shell] {
        State& state = shell.state();
        const SnapshotPtr now = shell.snapshot();
        const auto own = now->details.front().in_ladder;
        const auto other = own ? now->rung(now->ladder()[*own].builds_on) : std::nullopt;
        if (!now->comparing() && !other)
            return shell.say("A race needs a second stage: choose \"compare with\" and its name here.");
        if (!now->comparing())
            state.change([other](Choice& choice) { choice.compare(*other); });
        const auto flow = std::ranges::find(state.views, "flow", [](const auto& view) { return view->name(); });
        if (!state.view().shows_single_accesses() && flow != state.views.end())
            shell.choose_view(static_cast<std::size_t>(flow - state.views.begin()));
        shell.say("Space plays both stages on one clock. Ctrl+E exports the animation.");
    };
    entries.push_back({.kind = "view",
                       .title = "race: two stages on one clock",
                       .also = "animation, play both, which stage is done first, who is ahead",
                       .run = run,
                       .id = "race",
                       .preference = of_view});
}

// Shows the view with the place's options at the step that shows the concept. Keeps the stage.
void show_here(Shell& shell, std::size_t view, const ConceptPlace& found)
{
    State& state = shell.state();
    shell.choose_view(view);
    state.open(found.own != nullptr ? found.own->page : Page::none);
    state.views[view]->set_options(found.own != nullptr ? found.own->arranged : std::string());
    if (found.own != nullptr && found.own->code)
        state.at.code = *found.own->code;
    if (found.step) {
        state.at.selection.warp = found.step->warp;
        state.at.selection.step = found.step->step;
    }
}

// Adds the views by the questions they answer, so that "stall reasons" is found and not only "Occupancy". Keeps the
// chosen stages if the view can show the concept with them. Otherwise the entry names what it will show instead.
void add_views(Shell& shell, std::vector<PaletteEntry>& entries)
{
    const auto& views = shell.state().views;
    const SnapshotPtr now = shell.snapshot();
    for (const Concept& row : all_concepts()) {
        const auto found = std::ranges::find_if(views, [&](const auto& view) { return view->name() == row.view; });
        if (found == views.end())
            continue;
        const auto index = static_cast<std::size_t>(found - views.begin());
        const ConceptPlace place = concept_place(row, now->columns.front().recording.get(),
                                                 shell.state().at.selection.block, now->ladder_facts);
        std::string with = place.keeps ? std::string() : shown_there(*place.own);
        entries.push_back(
            {.kind = "view",
             .title = fmt::format("{}: {}", (*found)->title(), row.name),
             .also = row.also.empty() ? row.question : fmt::format("{} {}", row.question, row.also),
             .run =
                 [&shell, index, place, with, &row] {
                     if (place.keeps)
                         return show_here(shell, index, place);
                     navigate(shell.session(), shell.state(), *place.own, {.undoable = true});
                     shell.say(fmt::format("{}: shown with {}. Ctrl+Z brings back what was chosen.", row.name, with));
                 },
             .id = "about-" + row.slug,
             .preference = of_view,
             .with = with});
    }
}

void add_stages(Shell& shell, std::vector<PaletteEntry>& entries)
{
    const SnapshotPtr now = shell.snapshot();
    for (std::size_t i = 0; i < now->ladder().size(); ++i) {
        const kernels::Stage& stage = now->ladder()[i];
        entries.push_back({.kind = "stage",
                           .title = std::string(stage.slug),
                           .also = std::string(stage.idea),
                           .run = [&shell, i] { shell.state().change([i](Choice& choice) { choice.show(i); }); },
                           .preference = of_stage});
        entries.push_back({.kind = "compare",
                           .title = fmt::format("compare with {}", stage.slug),
                           .also = std::string(stage.idea),
                           .run = [&shell, i] { shell.state().change([i](Choice& choice) { choice.compare(i); }); }});
    }
}

// Sets one of the declared values, or returns an error text.
std::string set_parameter(Shell& shell, std::size_t column, std::size_t stage_index, std::size_t index,
                          std::string_view typed)
{
    const SnapshotPtr now = shell.snapshot();
    const kernels::Stage& stage = now->ladder()[stage_index];
    const kernels::ParameterSpec& spec = stage.parameters[index];
    std::string choices;
    for (const int choice : offered_values(spec)) {
        const std::string text = kernels::value_text(spec.name, choice);
        const auto next = with_value(stage, now->details[column].parameters, index, choice, now->gpu());
        const std::string why_not = refusal(stage, next, now->gpu());
        if (typed != text && typed != std::to_string(choice)) {
            if (why_not.empty())
                choices += (choices.empty() ? "" : ", ") + text;
            continue;
        }
        if (!why_not.empty())
            return fmt::format("{} {}: {}.", spec.name, text, why_not);
        if (std::string also = also_changed(stage, next, now->details[column].parameters, index); !also.empty())
            shell.say(std::move(also));
        change_parameters(*now, shell.state(), column, next);
        return "";
    }
    return fmt::format("{} takes one of {}.", spec.name, choices);
}

void add_parameters(Shell& shell, std::vector<PaletteEntry>& entries)
{
    const SnapshotPtr now = shell.snapshot();
    const auto stage = now->leading_rung();
    if (!stage || now->choice.columns[0].file)
        return;
    const auto& specs = now->ladder()[*stage].parameters;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        const int value = now->details[0].parameters[i];
        entries.push_back({.kind = "parameter",
                           .title = fmt::format("{} = {}", specs[i].name, kernels::value_text(specs[i].name, value)),
                           .also = specs[i].meaning,
                           .set = [&shell, first = *stage, i](std::string_view typed) {
                               return set_parameter(shell, 0, first, i, typed);
                           }});
    }
}

// Applies a typed value like the form of sizes does. Returns that form's error text.
template <class Take>
std::string taken(Shell& shell, Take take)
try {
    const SnapshotPtr now = shell.snapshot();
    Sizes sizes = now->choice.sizes;
    take(sizes);
    shell.state().change([&](Choice& choice) { choice.sizes = sizes; });
    return "";
} catch (const kernels::Error& error) {
    return error.what();
}

void add_sizes(Shell& shell, std::vector<PaletteEntry>& entries)
{
    const SnapshotPtr now = shell.snapshot();
    const Choice& choice = now->choice;
    const auto stage = now->leading_rung();
    const recording::Problem recorded = stage ? now->recorded_problem(*stage) : file_problem(choice.sizes);
    const auto add = [&](std::string title, const char* also, auto set) {
        entries.push_back(
            {.kind = "size", .title = std::move(title), .also = also, .set = [&shell, set](std::string_view typed) {
                 return taken(shell, [&](Sizes& sizes) { set(sizes, typed); });
             }});
    };
    if (!choice.tiny)
        add("size = " + kernels::size_name(recorded, kernels::Operation::gemm), "M, N and K that are recorded",
            [](Sizes& sizes, std::string_view typed) { sizes.recorded = parse_extent(typed, largest_recorded); });
    add(fmt::format("alpha = {}", factor(choice.sizes.alpha)), "scales A times B",
        [](Sizes& sizes, std::string_view typed) { sizes.alpha = parse_factor(typed); });
    add(fmt::format("beta = {}", factor(choice.sizes.beta)), "scales the C that was there",
        [](Sizes& sizes, std::string_view typed) { sizes.beta = parse_factor(typed); });
}

// Adds published claims. They are also found by the words of why they hold here or not.
void add_claims(Shell& shell, std::vector<PaletteEntry>& entries)
{
    const Claims claims = shipped_claims(shell.snapshot()->ladder());
    for (const Claim& claim : claims.all)
        entries.push_back({.kind = "claim",
                           .title = fmt::format("{} ({})", claim.kernel, claims.source_of(claim).name),
                           .also = fmt::format("{}: {}", claim.stage, claim.why),
                           .run =
                               [&state = shell.state(), id = claim.id] {
                                   state.open(Page::sources);
                                   state.claims.chosen = id;
                               },
                           .id = "claim-" + claim.id,
                           .preference = of_claim});
}

// Shows an element of C and the thread that computes it. Returns an error text if no thread does.
std::string go_to_element(Shell& shell, std::string_view typed)
{
    const SnapshotPtr now = shell.snapshot();
    const recording::Recording* recording = now->columns.front().recording.get();
    const auto element = element_typed(typed);
    if (recording == nullptr || !element)
        return "No kernel is recorded whose element could be shown.";
    const auto owner = viz::owner_of(*recording, element->first, element->second);
    if (!owner) {
        const viz::Cell extent = viz::extent_of_c(*recording);
        return fmt::format("C has {} rows and {} columns here, counted from 0.", extent.row, extent.col);
    }
    Patch place = patch_of(*now, shell.state());
    if (place.view != "flow" && place.view != "hierarchy")
        place.view = "threads", place.arranged.clear();
    place.page = Page::none;
    place.block = owner->block_index;
    place.warp = owner->warp;
    place.lane = owner->lane;
    place.c = *element;
    if (!index_of_block(owner->block_index, *recording)) { // it is recorded, or the views would show another block
        const auto rung = now->leading_rung();
        const MachineFacts* machine = now->machine();
        const std::string why_not = rung && machine ? why_not_on(*machine, now->ladder()[*rung]) : "";
        if (!rung || machine == nullptr || !why_not.empty())
            return fmt::format("Its block {} was not recorded. {}", block_text(owner->block_index), why_not);
        place.here = true;
    }
    navigate(shell.session(), shell.state(), place);
    return "";
}

// Shows a block of the grid and records it if necessary. Returns an error text if the grid does not contain it.
std::string go_to_block(Shell& shell, std::string_view typed)
{
    const SnapshotPtr now = shell.snapshot();
    const recording::Recording* recording = now->columns.front().recording.get();
    if (recording == nullptr)
        return "No kernel is recorded whose block could be shown.";
    const recording::Index3& grid = recording->launch.grid;
    const std::vector<uint32_t> numbers = block_typed(typed);
    if (numbers.empty())
        return "A block is typed as block (1,0), its x and y, or as block 5, its number.";
    recording::Index3 block{numbers[0], numbers.size() > 1 ? numbers[1] : 0, numbers.size() > 2 ? numbers[2] : 0};
    if (numbers.size() == 1 && numbers[0] < grid.volume())
        block = viz::index_of(numbers[0], grid);
    if (block.x >= grid.x || block.y >= grid.y || block.z >= grid.z)
        return fmt::format("The grid has {} x {} x {} blocks (x, y, z), counted from 0.", grid.x, grid.y, grid.z);
    show_block(shell.session(), shell.state(), block);
    return "";
}

void add_block(Shell& shell, std::vector<PaletteEntry>& entries)
{
    entries.push_back({.kind = "block",
                       .title = "block (x, y)",
                       .also = "a block of the grid, such as block (1,0), or block 5 by its number",
                       .set = [&shell](std::string_view typed) { return go_to_block(shell, typed); },
                       .reads = [](std::string_view typed) { return !block_typed(typed).empty(); },
                       .begins = "block ("});
}

void add_element(Shell& shell, std::vector<PaletteEntry>& entries)
{
    entries.push_back({.kind = "element",
                       .title = "C(row, column)",
                       .also = "an element of C, such as C(5,37), and the thread that computes it",
                       .set = [&shell](std::string_view typed) { return go_to_element(shell, typed); },
                       .reads = [](std::string_view typed) { return element_typed(typed).has_value(); },
                       .begins = "C("});
}

// Adds stages by the names that published ladders gave to the same ideas.
void add_published_kernels(Shell& shell, std::vector<PaletteEntry>& entries)
{
    const SnapshotPtr now = shell.snapshot();
    for (const PublishedKernel& kernel : published_kernels()) {
        const auto stage = std::ranges::find(now->ladder(), kernel.stage, &kernels::Stage::slug);
        const auto index = static_cast<std::size_t>(stage - now->ladder().begin());
        if (index == now->ladder().size())
            continue;
        entries.push_back(
            {.kind = "stage",
             .title = title_of(kernel),
             .also = fmt::format("{} here; so {} calls it", kernel.stage, kernel.ladder),
             .run = [&shell, index] { shell.state().change([=](Choice& choice) { choice.show(index); }); },
             .preference = of_claim,
             .with = std::string(kernel.stage)});
    }
}

// Adds the GPU's counters by the names that Nsight Compute has for them.
void add_metrics(Shell& shell, std::vector<PaletteEntry>& entries)
{
    const std::string stage = shell.snapshot()->columns.front().slug;
    for (const auto& names : {kernels::counter_names(), kernels::percent_names()})
        for (const std::string_view name : names)
            entries.push_back({.kind = "metric",
                               .title = std::string(name),
                               .also = meaning_of_metric(name),
                               .run =
                                   [&shell, name, stage] {
                                       shell.state().open(Page::counters);
                                       shell.say(
                                           fmt::format("{}: {}", meaning_of_metric(name), how_to_read(name, stage)));
                                   },
                               .preference = of_term});
}

// Returns the lesson's slug, the recordings that it shows and the names of the concepts that it covers.
std::string about(const Lesson& lesson)
{
    std::string words = lesson.slug;
    std::set<std::string> recordings;
    for (const LessonStep& step : lesson.steps)
        if (step.place && !step.place->columns[0].file.empty())
            recordings.insert(step.place->columns[0].file.stem().string());
    for (const std::string& recording : recordings)
        words += ", " + recording;
    for (const Concept& row : all_concepts())
        if (std::ranges::find(lesson.covers, row.slug) != lesson.covers.end() && row.name != lesson.slug)
            words += ", " + row.name;
    return words;
}

void add_learning(Shell& shell, std::vector<PaletteEntry>& entries)
{
    for (const Lesson& lesson : shipped_lessons().all())
        entries.push_back({.kind = "lesson", .title = lesson.title, .also = about(lesson), .run = [&shell, &lesson] {
                               open_lesson(shell.session(), shell.state(), lesson);
                           }});
    for (const QuestionKind& kind : question_kinds()) {
        std::string about;
        for (const std::string_view slug : kind.concepts)
            about += (about.empty() ? "" : ", ") + std::string(slug);
        const std::string name(kind.name);
        std::string title = name;
        std::ranges::replace(title, '_', ' ');
        entries.push_back({.kind = "questions",
                           .title = "Questions: " + title,
                           .also = about,
                           .run =
                               [&shell, name, title] {
                                   start_quiz(shell.state(), title,
                                              {.concepts = {}, .stage = {}, .kinds = {name}, .count = 5, .seed = 0});
                               },
                           .preference = of_question});
    }
}

void add_terms(Shell& shell, std::vector<PaletteEntry>& entries)
{
    for (const viz::Term& term : viz::shipped_terms())
        entries.push_back({.kind = "term",
                           .title = term.name,
                           .also = term.meaning,
                           .run = [&shell, &term] { shell.say(term.name + ": " + term.meaning); },
                           .preference = of_term});
}

// Opens a file. Returns an error text, or an empty string if the file is being opened.
std::string open_path(Shell& shell, std::string_view typed)
{
    std::string path(typed);
    path.erase(path.find_last_not_of(' ') + 1);
    if (const char* home = std::getenv("HOME"); home != nullptr && path.starts_with("~/"))
        path.replace(0, 1, home);
    std::error_code ignored; // a file that cannot be accessed counts as missing
    if (!std::filesystem::is_regular_file(path, ignored))
        return fmt::format("There is no file {}. Type its whole path, or drop it on the window.", path);
    shell.open(std::filesystem::absolute(path, ignored));
    return "";
}

void add_files(Shell& shell, std::vector<PaletteEntry>& entries)
{
    entries.push_back(
        {.kind = "file",
         .title = "open a file ...",
         .also = "its path: a recording (.gscope), a saved state (.gstate) or a CUDA source (.cu). A comment "
                 "in a source says how it is launched: \"// gemmscope: grid=4,4 block=32,8 args=A,C size=128\"; "
                 "\"+ your kernel\" has examples. Or start gemmscope trace FILE.cu with --grid, --block and --args",
         .set = [&shell](std::string_view typed) { return open_path(shell, typed); },
         .id = "open",
         .takes_path = true});
    for (const std::string& file : shell.settings().recent)
        entries.push_back({.kind = "file",
                           .title = std::filesystem::path(file).filename().string(),
                           .also = file,
                           .run = [&shell, file] { shell.open(file); },
                           .preference = of_view});
}

} // namespace

std::vector<PaletteEntry> palette_entries(Shell& shell)
{
    std::vector<PaletteEntry> entries;
    add_files(shell, entries);
    add_parameters(shell, entries);
    add_sizes(shell, entries);
    add_stages(shell, entries);
    add_commands(shell, entries);
    add_pages(shell, entries);
    add_race(shell, entries);
    add_views(shell, entries);
    add_learning(shell, entries);
    add_claims(shell, entries);
    add_element(shell, entries);
    add_block(shell, entries);
    add_published_kernels(shell, entries);
    add_metrics(shell, entries);
    add_terms(shell, entries);
    return entries;
}

} // namespace app
