#include "app/panels/source/code.h"

#include "app/panels/header/origins.h"
#include "app/panels/widgets.h"
#include "app/text/format.h"

#include "measure/readings.h"

#include "viz/analysis/instruction_mix.h"
#include "viz/text/known.h"
#include "viz/text/rich.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>

namespace app {

namespace {

// Columns of the list from the right: the source line, the share of the stalled warps, the cost of an instruction, and
// how often it ran.
constexpr float line_letters = 5, waits_letters = 7, cost_letters = 8, executed_letters = 9;

// Hides the count in a narrow panel in favor of the instruction. The tooltip has it.
bool shows_executed(const viz::Theme& theme, float width)
{
    return width >= theme.px(360);
}

// Orders the kinds of instructions beside a line: memory first.
int rank(const std::string& name)
{
    static const char* const first[] = {"LDG", "LDGSTS", "UTMALDG", "LDS", "LDSM", "STS", "STSM", "STG"};
    const std::string base = name.substr(0, name.find('.'));
    const auto* const found = std::find(std::begin(first), std::end(first), base);
    return static_cast<int>(found - std::begin(first));
}

// Selects accesses to memory, arithmetic and barriers. Addresses, moves and branches would hide them.
bool is_told(const kernels::Instruction& one)
{
    using enum viz::InstructionClass;
    const viz::InstructionClass of = viz::class_of(one.name);
    return of != integer && of != moves && of != control && of != other;
}

std::string counts_text(const std::map<std::string, int>& counts)
{
    std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return rank(a.first) < rank(b.first); });
    std::string text;
    for (const auto& [name, count] : sorted)
        text += fmt::format("{}{} {}", text.empty() ? "" : " · ", count, name);
    return text;
}

// Returns for example "128 executed, 256 wavefronts".
std::string words_of(const kernels::CountedAccesses::Figures& figures)
{
    std::string words = thousands(figures.executed) + " executed";
    if (figures.wavefronts > 0)
        words += ", " + viz::counted(figures.wavefronts, "wavefront");
    if (figures.sectors > 0)
        words += ", " + viz::counted(figures.sectors, "sector");
    return words;
}

// Describes the counters and the derived figures, and why they differ.
std::string words_of(const kernels::CountedAccesses& one)
{
    const std::string counted = one.name + ' ' + words_of(one.counted);
    if (!one.derived)
        return counted + '.';
    if (one.derived == one.counted)
        return counted + ", as derived.";
    return fmt::format("{} where {} are derived{}.", counted, words_of(*one.derived),
                       one.agrees() ? fmt::format(" ({})", kernels::why_counted_otherwise(one)) : "");
}

// Returns the tooltip of an instruction.
std::string help_of(const kernels::Instruction& one, const std::string& words, const kernels::KernelCode& kernel)
{
    std::string help = one.width > 0 ? fmt::format("{}: {} bytes per lane", one.name, one.width) : words;
    if (!one.predicate.empty())
        help += fmt::format(" · runs in lanes where {} holds", one.predicate);
    if (one.ptx_line > 0 && one.ptx_line <= kernel.ptx.size()) {
        const std::string& ptx = kernel.ptx[one.ptx_line - 1];
        help += " · from the PTX " + ptx.substr(std::min(ptx.find_first_not_of(" \t"), ptx.size()));
    }
    return help;
}

} // namespace

float draw_wrapped(const State& state, const Area& area, viz::Colour colour, const std::string& words)
{
    ImFont* const font = state.theme.text;
    const std::string lines = broken_at_blanks(font, words, area.width);
    ImGui::GetWindowDrawList()->AddText(font, font->FontSize, {area.x, area.y}, colour, lines.c_str(), nullptr,
                                        area.width);
    return font->CalcTextSizeA(font->FontSize, FLT_MAX, area.width, lines.c_str()).y;
}

// Returns whether the code contains each instruction of the profile at its address with its name.
bool CodeList::fits(const recording::RunProfile& run) const
{
    return std::ranges::all_of(run.instructions, [&](const recording::RunInstruction& one) {
        if (one.kernel >= code_->code.kernels.size())
            return false;
        const auto& all = code_->code.kernels[one.kernel].instructions;
        const auto found = std::ranges::lower_bound(all, one.address, {}, &kernels::Instruction::address);
        return found != all.end() && found->address == one.address && found->name == one.name;
    });
}

void CodeList::follow(const CodePtr& code, const InstructionsPtr& counted, const recording::RunProfilePtr& run)
{
    if (code == code_ && counted == counted_ && run == asked_run_)
        return;
    asked_run_ = run;
    run_ = nullptr;
    waits_at_.clear();
    if (code != code_)
        shown_line_ = 0;
    code_ = code;
    counted_ = counted;
    machine_.clear();
    ptx_.clear();
    beside_.clear();
    if (code == nullptr)
        return;
    if (run != nullptr && run->samples && fits(*run)) {
        run_ = run;
        waits_ = viz::waits_of(*run);
        waits_at_ = viz::waits_by_instruction(*run);
    }
    std::map<uint32_t, std::map<std::string, int>> counts;
    for (std::size_t number = 0; number < code->code.kernels.size(); ++number) {
        const kernels::KernelCode& kernel = code->code.kernels[number];
        add_instructions(number);
        add_ptx(kernel);
        for (const kernels::Instruction& one : kernel.instructions)
            if (is_told(one) && one.line != 0)
                ++counts[one.line][one.name];
    }
    const auto at = [this](uint32_t line) -> Beside& {
        if (beside_.size() <= line)
            beside_.resize(line + 1);
        return beside_[line];
    };
    for (const auto& [line, names] : counts)
        at(line).text = counts_text(names);
    for (const kernels::LineExecution& line : code->lines) {
        Beside& beside = at(line.line);
        beside.differs = line.differs();
        if (beside.text.empty()) // the compiler dropped the line of instructions that it moved
            for (const kernels::SassAccessCounts& one : line.instructions)
                beside.text += (beside.text.empty() ? "" : " · ") + one.name;
    }
}

void CodeList::add_instructions(std::size_t number)
{
    const kernels::KernelCode& kernel = code_->code.kernels[number];
    if (kernel.instructions.empty())
        return;
    std::size_t others = 0;
    for (const kernels::Instruction& one : kernel.instructions)
        others += one.name.empty() && one.text.empty();
    machine_.push_back({viz::counted(kernel.instructions.size(), "instruction") +
                            (others > 0 ? fmt::format(", {} of them of other kinds", thousands(others)) : ""),
                        kernel.kernel,
                        0,
                        true,
                        {},
                        {},
                        {}});
    for (const kernels::Instruction& one : kernel.instructions) {
        if (one.name.empty() && one.text.empty())
            continue;
        const std::string words = !one.text.empty()        ? one.text
                                  : !one.predicate.empty() ? one.predicate + " " + one.name
                                                           : one.name;
        Row row{fmt::format("{:>4x} {}", one.address, words), help_of(one, words, kernel), one.line, false, {}, {}, {}};
        if (const kernels::InstructionCount* count =
                counted_ && counted_->counters ? counted_->counters->at(number, one.address) : nullptr) {
            row.executed = thousands(count->executed);
            if (const uint64_t cost = count->shared_wavefronts + count->global_sectors; cost > 0)
                row.cost = thousands(cost);
            row.help += " · counted: " + words_of({count->executed, count->shared_wavefronts, count->global_sectors});
        }
        if (const auto here = waits_at_.find({number, one.address}); here != waits_at_.end()) {
            const viz::Rich said = viz::wait_words(here->second, waits_);
            if (!said.empty()) {
                row.waits =
                    percent(static_cast<double>(here->second.waiting()) / static_cast<double>(waits_.waiting()));
                row.help += " · " + viz::plain(said);
            }
        }
        machine_.push_back(std::move(row));
    }
}

void CodeList::add_ptx(const kernels::KernelCode& kernel)
{
    ptx_.push_back({"PTX, " + viz::counted(kernel.ptx.size(), "line"), kernel.kernel, 0, true, {}, {}, {}});
    const auto body = std::find(kernel.ptx.begin(), kernel.ptx.end(), "{"); // skips the declarations before it
    for (auto i = static_cast<std::size_t>(body - kernel.ptx.begin()); i < kernel.ptx.size(); ++i) {
        const std::string& text = kernel.ptx[i];
        const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
        if (first == text.size() || text.compare(first, 4, ".loc") == 0 || text.compare(first, 2, "//") == 0)
            continue;
        if (text.compare(first, 8, ".section") == 0)
            break; // the rest is debug information
        std::string shown = fmt::format("{:>6}  {}", i + 1, text.substr(first));
        std::replace(shown.begin(), shown.end(), '\t', ' ');
        ptx_.push_back({std::move(shown), "", kernel.ptx_to_source[i], false, {}, {}, {}});
    }
}

const CodeList::Beside& CodeList::beside(uint32_t line) const
{
    static const Beside none;
    return line < beside_.size() ? beside_[line] : none;
}

std::string CodeList::sentence(uint32_t line) const
{
    if (code_ == nullptr)
        return "";
    const std::string executed = executed_sentence(line), counted = counted_sentence(line);
    return executed + (executed.empty() || counted.empty() ? "" : " ") + counted;
}

bool CodeList::differs_from_counters(uint32_t line) const
{
    return counted_ && std::any_of(counted_->accesses.begin(), counted_->accesses.end(), [line](const auto& one) {
               return one.line == line && one.derived && !one.agrees();
           });
}

std::string CodeList::readings_words() const
{
    const bool equal = std::ranges::none_of(
        counted_->accesses, [](const kernels::CountedAccesses& one) { return one.derived && !one.agrees(); });
    return kernels::readings_words(counted_->readings, equal);
}

std::string CodeList::counted_sentence(uint32_t line) const
{
    std::string each;
    for (const kernels::CountedAccesses& one : counted_ ? counted_->accesses : std::vector<kernels::CountedAccesses>{})
        if (one.line == line && line != 0)
            each += ' ' + words_of(one);
    return each.empty() ? "" : "The GPU counted:" + each;
}

std::string CodeList::executed_sentence(uint32_t line) const
{
    const auto found =
        std::find_if(code_->lines.begin(), code_->lines.end(), [line](const auto& one) { return one.line == line; });
    if (found != code_->lines.end() && found->differs())
        return fmt::format("What runs differs: {} Wavefronts of shared memory: {} as written, {} as executed.",
                           found->why,
                           thousands(found->written.shared_load.wavefronts + found->written.shared_store.wavefronts),
                           thousands(found->executed.shared_load.wavefronts + found->executed.shared_store.wavefronts));
    if (found != code_->lines.end()) {
        const recording::Totals& t = found->executed;
        const uint64_t accesses =
            t.shared_load.instructions + t.shared_store.instructions + t.global_load.requests + t.global_store.requests;
        return fmt::format("Line {} runs as it is written: {} of the whole launch access memory.", line,
                           viz::counted(accesses, "warp instruction"));
    }
    if (!code_->missing.empty()) // without any code the list itself says why
        return code_->code.kernels.empty() ? "" : viz::plain(viz::in_sentences(code_->missing));
    return code_->opaque.empty() || beside(line).text.empty()
               ? ""
               : fmt::format("The compiler's text has no addresses of WMMA's fragments ({}).", code_->opaque);
}

float CodeList::draw_column_names(State& state, const Area& area) const
{
    const viz::Theme& theme = state.theme;
    const float right = area.right() - theme.px(18);
    const float letter = text_width(theme.mono, "0");
    draw_text_right(theme.text, {right, area.y}, theme.ink_quiet, "line");
    float taken = line_letters * letter;
    if (sampled()) {
        draw_text_right(theme.text, {right - taken, area.y}, theme.ink_quiet, "waits");
        taken += waits_letters * letter;
    }
    if (counted())
        draw_text_right(theme.text, {right - taken, area.y}, theme.ink_quiet, "cost");
    if (counted() && shows_executed(theme, area.width))
        draw_text_right(theme.text, {right - taken - cost_letters * letter, area.y}, theme.ink_quiet, "executed");
    const ImVec2 end{area.right(), area.y + line_height(theme.text)};
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({area.x + area.width / 3, area.y}, end))
        state.hint =
            "executed: by warps · cost: wavefronts of shared memory, sectors of global memory · waits: share of "
            "the warps that wait";
    ImGui::SetCursorScreenPos({area.x + theme.px(10), area.y});
    if (!counted())
        return line_height(theme.text) + theme.px(3);
    const bool shipped = counted_->shipped.has_value();
    badge(state, shipped ? Origin::shipped : Origin::counter, shipped ? "shipped" : "counted",
          shipped ? viz::device_and_date(*counted_->shipped) : counted_->counters->device.name, false);
    return line_height(theme.text) + theme.px(3);
}

void CodeList::draw(State& state, uint32_t line, const Area& area, float wheel)
{
    const viz::Theme& theme = state.theme;
    const std::vector<Row>& rows = state.at.code == CodeView::ptx ? ptx_ : machine_;
    if (rows.empty()) {
        draw_wrapped(state, {area.x + theme.px(10), area.y + theme.px(6), area.width - theme.px(28), 0},
                     theme.ink_quiet,
                     code_ == nullptr         ? "Compiling the stage for its machine code …"
                     : code_->missing.empty() ? "There is no machine code: the driver compiles the PTX itself."
                                              : viz::plain(viz::in_sentences(code_->missing)));
        return;
    }
    const float height = line_height(theme.mono) + theme.px(2);
    ImGui::SetCursorScreenPos({area.x, area.y});
    ImGui::SetNextWindowContentSize({0, static_cast<float>(rows.size()) * height});
    ImGui::BeginChild("instructions", {area.width, std::max(area.height, 1.0f)});
    const float scrolls = static_cast<float>(rows.size()) * height - ImGui::GetWindowHeight();
    // A new child window scrolls from its second frame on.
    const bool ready = scrolls <= 1 || ImGui::GetScrollMaxY() > 0;
    if (ready && (line != shown_line_ || state.at.code != shown_)) {
        const auto first = std::find_if(rows.begin(), rows.end(), [line](const Row& row) { return row.line == line; });
        if (line != 0 && first != rows.end())
            ImGui::SetScrollY(std::max(static_cast<float>(first - rows.begin()) - 2.0f, 0.0f) * height);
        shown_line_ = line;
        shown_ = state.at.code;
    }
    if (wheel != 0) // the wheel was turned over the words above the list
        ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() - wheel * 5 * height, 0.0f, ImGui::GetScrollMaxY()));
    const auto top = static_cast<std::size_t>(std::max(ImGui::GetScrollY() / height, 0.0f));
    const auto count = static_cast<std::size_t>(ImGui::GetWindowHeight() / height) + 2;
    for (std::size_t i = top; i < std::min(top + count, rows.size()); ++i)
        draw_row(state, rows[i], line != 0 && rows[i].line == line,
                 ImGui::GetWindowPos().y + static_cast<float>(i) * height - ImGui::GetScrollY());
    ImGui::EndChild();
}

void CodeList::draw_row(State& state, const Row& row, bool marked, float y)
{
    const viz::Theme& theme = state.theme;
    const float x = ImGui::GetWindowPos().x, width = ImGui::GetWindowWidth();
    const float bottom = y + line_height(theme.mono) + theme.px(2);
    const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({x, y}, {x + width, bottom});
    if (marked || hovered)
        ImGui::GetWindowDrawList()->AddRectFilled(
            {x, y}, {x + width, bottom}, with_alpha(marked ? theme.accent() : theme.ink, marked ? 0.22f : 0.06f));
    const std::string number = row.line > 0 ? std::to_string(row.line) : "";
    const float right = x + width - theme.px(18);
    const float letter = text_width(theme.mono, "0");
    const bool machine = state.at.code == CodeView::machine && !row.heading;
    const bool columns = counted() && machine, waits = sampled() && machine;
    const bool executed = columns && shows_executed(theme, width);
    const float cost_right = line_letters + (waits ? waits_letters : 0);
    const float taken =
        (columns || waits ? cost_right : 4) + (columns ? cost_letters : 0) + (executed ? executed_letters : 0);
    draw_text_within(row.heading ? theme.text : theme.mono, {x + theme.px(10), y},
                     right - x - theme.px(14) - taken * letter, row.heading ? theme.ink_quiet : theme.ink, row.text);
    if (executed)
        draw_text_right(theme.mono, {right - (cost_right + cost_letters) * letter, y}, theme.ink, row.executed);
    if (columns)
        draw_text_right(theme.mono, {right - cost_right * letter, y}, theme.ink, row.cost);
    if (waits)
        draw_text_right(theme.mono, {right - line_letters * letter, y}, theme.ink, row.waits);
    if (waits && !row.waits.empty())
        viz::mark(state.marks, "waits of code:" + number, {x, y}, {x + width, bottom});
    draw_text_right(theme.mono, {right, y}, theme.ink_faint, number);
    if (row.line > 0 && y >= ImGui::GetWindowPos().y && bottom <= ImGui::GetWindowPos().y + ImGui::GetWindowHeight())
        viz::mark(state.marks, "code:" + number, {x, y}, {x + width, bottom});
    if (!hovered)
        return;
    state.hint = row.help.empty() ? row.text : row.help;
    if (row.line == 0)
        return;
    state.hint += fmt::format(" · line {} · click: this line", row.line);
    if (ImGui::IsMouseClicked(0)) {
        state.at.selection.line = shown_line_ = row.line; // keeps the list from scrolling
        if (const auto step = state.read().next_on_line(row.line, state.at.selection.step))
            state.at.selection.step = *step;
    }
}

} // namespace app
