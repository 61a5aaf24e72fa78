#include "app/panels/export_dialog.h"

#include "app/panels/widgets.h"
#include "app/text/command_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
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
    if (std::exchange(asked_, false) && (saves_ || snapshot.columns.front().recording != nullptr)) {
        if (!saves_)
            fill_form(snapshot, state);
        problem_.clear();
        replaces_.clear();
        ImGui::OpenPopup(popup);
    }
    if (share_ && !ImGui::IsPopupOpen(popup))
        ImGui::OpenPopup(popup); // the popup blocks other actions, because the export shows the current picture
    const float width = theme.px(520);
    ImGui::SetNextWindowPos({std::max(0.0f, shown.x + (shown.width - width) / 2), shown.y + theme.px(60)});
    ImGui::SetNextWindowSize({width, 0});
    if (ImGui::BeginPopup(popup)) {
        text_heading(theme, saves_ ? "Save what is shown, to open it again" : "Export what is shown");
        share_ ? draw_progress(state) : draw_form(state, shown);
        ImGui::EndPopup();
    }
    ImGui::End();
}

void ExportDialog::draw_form(const State& state, const Area& shown)
{
    if (!saves_) {
        draw_formats(state);
        if (!is_table(format_))
            draw_looks(state);
        if (moves(format_))
            draw_steps(state);
    }
    form_label(state.theme, "file", column);
    ImGui::SetNextItemWidth(-1);
    if (std::exchange(takes_focus_, false))
        ImGui::SetKeyboardFocusHere();
    bool entered =
        text_field("##file", "", file_, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    if (ImGui::IsItemEdited())
        problem_.clear();
    // While the field has the focus, it reports Enter itself, after the characters that were typed before it, but not in
    // the frame in which it gets the focus.
    entered |= state.entered && (!ImGui::IsItemActive() || ImGui::IsItemActivated()); // see Shell::press
    viz::mark_field(state.marks, "export");
    if (!problem_.empty()) {
        text_wrapped(state.theme.warning, problem_);
        viz::mark_item(state.marks, "problem:" + problem_);
    }
    entered |= button(state, saves_ ? "Save (Enter)" : "Export (Enter)", "export:go");
    ImGui::SameLine();
    const bool left = ImGui::Button("Cancel (Esc)");
    takes_focus_ = entered && !may_write();
    if (entered && !takes_focus_)
        saves_ ? void(saved_ = file_) : void(wanted_ = request(state, shown));
    if (left || state.escaped || wanted_ || saved_)
        ImGui::CloseCurrentPopup();
}

void ExportDialog::ask_where(std::string file)
{
    if (writes()) // the progress of an export is open
        return;
    asked_ = saves_ = takes_focus_ = true;
    file_ = in_last_folder(std::move(file));
}

// Returns the file in the folder of the last one that was written.
std::string ExportDialog::in_last_folder(std::string file) const
{
    const std::filesystem::path path = file;
    if (folder_.empty() || downloads_)
        return file;
    return free_path(folder_, path.stem().string(), path.extension().string().substr(1)).string();
}

bool ExportDialog::may_write()
{
    problem_.clear();
    if (downloads_)
        return !file_.empty();
    std::error_code ignored;
    if (const char* home = std::getenv("HOME"); home != nullptr && file_.starts_with("~/"))
        file_.replace(0, 1, home);
    std::filesystem::path file = file_;
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    if (!std::filesystem::is_directory(folder, ignored))
        problem_ = fmt::format("There is no folder {}; type one that exists.", folder.string());
    else if (!file.has_filename() || std::filesystem::is_directory(file, ignored))
        problem_ = "Type the name of a file, not only of a folder.";
    if (!problem_.empty())
        return false;
    if (saves_ && !is_state_file(file))
        file_ = (file += ".gstate").string();
    if (std::exchange(replaces_, file_) != file_ && std::filesystem::exists(file, ignored))
        problem_ = "This file exists already. Enter again replaces it.";
    if (problem_.empty())
        folder_ = std::filesystem::absolute(folder, ignored).lexically_normal();
    return problem_.empty();
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
    file_ = downloads_
                ? fmt::format("{}.{}", what, name(format_))
                : in_last_folder(free_path(std::filesystem::current_path(ignored), what, name(format_)).string());
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

std::optional<std::string> ExportDialog::take_file_to_save()
{
    return std::exchange(saved_, std::nullopt);
}

std::optional<ExportRequest> ExportDialog::take()
{
    gives_up_ = false;
    return std::exchange(wanted_, std::nullopt);
}

} // namespace app
