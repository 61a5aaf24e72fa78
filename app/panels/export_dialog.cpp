#include "app/panels/export_dialog.h"

#include "app/panels/widgets.h"
#include "app/text/command_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>
#include <utility>

namespace app {

namespace {

constexpr const char* popup = "export";
constexpr float column = 110; // start of the fields at scale 1
constexpr std::array formats = {PictureFormat::png,  PictureFormat::svg, PictureFormat::pdf,
                                PictureFormat::gif,  PictureFormat::mp4, PictureFormat::webm,
                                PictureFormat::html, PictureFormat::csv, PictureFormat::json};

const char* about(PictureFormat format)
{
    return is_table(format)      ? "The figures that are drawn, in rows and columns."
           : has_vectors(format) ? "Vectors: as large as one likes, and text is text."
           : !moves(format)      ? "Pixels: the larger the scale, the more of them."
           : format == PictureFormat::html
               ? "A page that plays: steps, zoom, tooltips, both themes. Type is sharp up to the scale."
           : format == PictureFormat::gif ? "Pixels, played again and again. A step lasts as long as it costs."
                                          : "A video; needs the program ffmpeg.";
}

} // namespace

void ExportDialog::draw(const Snapshot& snapshot, State& state, const Area& shown)
{
    const viz::Theme& theme = state.theme;
    begin_area("##exporting", {shown.x, shown.y, 1, 1}, no_fill, false);
    if (std::exchange(asked_, false) && snapshot.columns.front().recording != nullptr) {
        fill_form(snapshot, state);
        ImGui::OpenPopup(popup);
    }
    if (share_ && !ImGui::IsPopupOpen(popup))
        ImGui::OpenPopup(popup); // the popup blocks other actions, because the export shows the current picture
    const float width = theme.px(520);
    ImGui::SetNextWindowPos({std::max(0.0f, shown.x + (shown.width - width) / 2), shown.y + theme.px(60)});
    ImGui::SetNextWindowSize({width, 0});
    if (ImGui::BeginPopup(popup)) {
        text_heading(theme, "Export what is shown");
        share_ ? draw_progress(state) : draw_form(state, shown);
        ImGui::EndPopup();
    }
    ImGui::End();
}

void ExportDialog::draw_form(const State& state, const Area& shown)
{
    draw_formats(state);
    if (!is_table(format_))
        draw_looks(state);
    if (moves(format_))
        draw_steps(state);
    form_label(state.theme, "file", column);
    ImGui::SetNextItemWidth(-1);
    bool entered = text_field("##file", "", file_, ImGuiInputTextFlags_EnterReturnsTrue);
    viz::mark_field(state.marks, "export");
    entered |= state.entered; // see Shell::press
    entered |= button(state, "Export (Enter)", "export:go");
    ImGui::SameLine();
    const bool left = ImGui::Button("Cancel (Esc)");
    if (entered && !file_.empty())
        wanted_ = request(state, shown);
    if (left || state.escaped || wanted_)
        ImGui::CloseCurrentPopup();
}

void ExportDialog::fill_form(const Snapshot& snapshot, const State& state)
{
    const auto last = static_cast<int>(state.tracks.front().steps()) - 1;
    const auto step = static_cast<int>(state.at.selection.step);
    from_ = std::clamp(step, 0, std::max(last, 0));
    to_ = std::min(from_ + 15, std::max(last, 0));
    light_ = !state.theme.dark;
    if (!chose_format_) // a race is an animation
        format_ =
            snapshot.comparing() && state.view().shows_single_accesses() ? PictureFormat::gif : PictureFormat::png;
    std::string what = fmt::format("{}_{}", state.view().name(), snapshot.columns.front().slug);
    if (snapshot.comparing())
        what += "_" + snapshot.columns[1].slug;
    std::error_code ignored; // on an error the path stays relative
    file_ = downloads_ ? fmt::format("{}.{}", what, name(format_))
                       : free_path(std::filesystem::current_path(ignored), what, name(format_)).string();
}

// Changes the format and the file's extension.
void ExportDialog::choose(PictureFormat format)
{
    format_ = format;
    chose_format_ = true;
    std::filesystem::path path = file_;
    path.replace_extension(name(format));
    const std::filesystem::path parent = path.parent_path();
    std::error_code ignored;
    if (!downloads_ && std::filesystem::exists(path, ignored))
        path = free_path(parent, path.stem().string(), name(format));
    file_ = path.string();
}

void ExportDialog::draw_formats(const State& state)
{
    form_label(state.theme, "format", column);
    for (const PictureFormat format : formats) {
        const std::string ending(name(format));
        if (radio(state, ending, "export:" + ending, format_ == format))
            choose(format);
        if (format != PictureFormat::gif && format != formats.back()) // breaks into two rows
            ImGui::SameLine();
        if (format == PictureFormat::gif) {
            ImGui::Dummy({0, 0});
            ImGui::SameLine(state.theme.px(column));
        }
    }
    ImGui::Dummy({0, 0});
    ImGui::SameLine(state.theme.px(column));
    text(state.theme.ink_quiet, about(format_));
}

void ExportDialog::draw_looks(const State& state)
{
    if (!has_vectors(format_)) {
        form_label(state.theme, "scale", column);
        for (int scale = 1; scale <= 4; ++scale) {
            if (radio(state, std::to_string(scale), fmt::format("export:scale {}", scale), scale_ == scale))
                scale_ = scale;
            if (scale < 4)
                ImGui::SameLine();
        }
    }
    if (format_ == PictureFormat::html) // it has both themes
        return;
    form_label(state.theme, "theme", column);
    if (radio(state, "light", "export:light", light_))
        light_ = true;
    ImGui::SameLine();
    if (radio(state, "dark", "export:dark", !light_))
        light_ = false;
    ImGui::SameLine();
    ImGui::Checkbox("no background", &transparent_);
    viz::mark_item(state.marks, "export:transparent");
}

void ExportDialog::draw_steps(const State& state)
{
    form_label(state.theme, "played, steps", column);
    const auto last = std::max(static_cast<int>(state.tracks.front().steps()) - 1, 0);
    const auto field = [&](const char* id, int& value, int least) {
        ImGui::SetNextItemWidth(state.theme.px(70));
        ImGui::BeginDisabled(!plays_);
        ImGui::InputInt(id, &value, 0);
        ImGui::EndDisabled();
        viz::mark_item(state.marks, std::string("export:") + id);
        value = std::clamp(value, least, last);
    };
    field("##from", from_, 0);
    ImGui::SameLine();
    text(state.theme.ink_quiet, "to");
    ImGui::SameLine();
    field("##to", to_, from_);
    ImGui::SameLine();
    bool one = !plays_;
    if (ImGui::Checkbox("this step", &one))
        plays_ = !one;
    viz::mark_item(state.marks, "export:one step");
}

void ExportDialog::draw_progress(const State& state)
{
    text(state.theme.ink_quiet, "Writing " + file_);
    ImGui::ProgressBar(static_cast<float>(*share_));
    viz::mark_item(state.marks, "export:progress");
    if (button(state, "Cancel (Esc)", "export:cancel") || state.escaped)
        gives_up_ = true;
}

ExportRequest ExportDialog::request(const State& state, const Area& shown) const
{
    const float unit = state.theme.scale;
    ExportRequest request{.file = file_};
    request.look = {.width = std::max(320, static_cast<int>(std::floor(shown.width / unit))),
                    .height = std::max(320, static_cast<int>(std::floor(shown.height / unit))),
                    .scale = static_cast<float>(scale_),
                    .light = light_,
                    .transparent = transparent_};
    request.plays = plays_ && moves(format_);
    if (request.plays)
        request.steps = {static_cast<std::size_t>(from_), static_cast<std::size_t>(to_)};
    return request;
}

std::optional<ExportRequest> ExportDialog::take()
{
    gives_up_ = false;
    return std::exchange(wanted_, std::nullopt);
}

} // namespace app
