#include "app/serve/visitor.h"

#include "app/panels/classroom.h"
#include "app/panels/navigation.h"
#include "app/platform/offscreen.h"
#include "app/serve/keys.h"
#include "app/text/command_words.h"
#include "app/workspace/layout.h"

#include "error.h"

#include <fmt/format.h>
#include <imgui.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <type_traits>
#include <utility>

namespace app {

namespace {

constexpr double longest_step = 0.25;             // seconds by which one frame advances the time at most
constexpr int most_exported_pixels = 4096;        // limit of the width and of the height
constexpr double longest_export = 15;             // seconds
constexpr float narrow = 700, narrow_units = 500; // a page less wide than `narrow` shows this many units

Outgoing text_message(const nlohmann::json& json)
{
    return {json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), true};
}

const char* cursor_name()
{
    switch (ImGui::GetMouseCursor()) {
    case ImGuiMouseCursor_TextInput: return "text";
    case ImGuiMouseCursor_ResizeEW: return "ew-resize";
    case ImGuiMouseCursor_ResizeNS: return "ns-resize";
    case ImGuiMouseCursor_Hand: return "pointer";
    default: return "default";
    }
}

// Limits of the input that waits for a visitor's next frame, and of the files in its folder. No page needs as much.
constexpr std::size_t most_waiting = 4000, most_waiting_bytes = std::size_t{64} << 20,
                      most_uploaded_bytes = std::size_t{128} << 20;

std::size_t bytes_of(const Input& input)
{
    if (const auto* upload = std::get_if<Upload>(&input))
        return upload->bytes.size();
    const auto* pasted = std::get_if<PastedText>(&input);
    return pasted != nullptr ? pasted->text.size() : 0;
}

template <class T>
bool replaces(std::deque<Input>& inputs, const T& input)
{
    T* const last = inputs.empty() ? nullptr : std::get_if<T>(&inputs.back());
    if (last != nullptr)
        *last = input;
    return last != nullptr;
}

} // namespace

Visitor::GuiContextOwner::GuiContextOwner() : context(ImGui::CreateContext(&none))
{
    ImGui::SetCurrentContext(context);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    io.ConfigDragClickToInputText = true;
    io.ConfigInputTextCursorBlink = false; // a blinking cursor would need frames without input
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset | ImGuiBackendFlags_HasMouseCursors;
    map_keys(io);
}

Visitor::GuiContextOwner::~GuiContextOwner()
{
    ImGui::DestroyContext(context);
}

Visitor::Visitor(WindowOptions window, Visit visit, FontShelf& fonts, std::function<void()> wake)
    : window_(std::move(window)), visit_(std::make_shared<Visit>(std::move(visit))), shelf_(fonts),
      wake_(std::move(wake))
{
    std::filesystem::create_directories(visit_->folder);
    visit_->hand_out = [downloads = downloads_](const std::filesystem::path& file) {
        const std::lock_guard lock(downloads->mutex);
        downloads->files.push_back(file);
    };
    window_.visit = visit_;
    ImGuiIO& io = ImGui::GetIO();
    io.ClipboardUserData = this;
    io.SetClipboardTextFn = [](void* visitor, const char* text) {
        static_cast<Visitor*>(visitor)->copied_ = text;
        static_cast<Visitor*>(visitor)->copies_ = true;
    };
    io.GetClipboardTextFn = [](void* visitor) { return static_cast<Visitor*>(visitor)->pasted_.c_str(); };
}

Visitor::~Visitor()
{
    ImGui::SetCurrentContext(imgui_.context);
    exports_.give_up();
    shell_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(visit_->folder, ignored);
}

// Replaces a waiting pointer position or canvas size by a newer one, because only the newest counts.
bool Visitor::take(Input input)
{
    if (const auto* shown = std::get_if<ShownFrame>(&input)) {
        seen_ = std::clamp(shown->number, seen_, encoder_.frames());
        return true;
    }
    const bool merged = std::visit(
        [&]<class T>(const T& one) {
            if constexpr (std::is_same_v<T, PointerMove> || std::is_same_v<T, CanvasSize>)
                return replaces(inputs_, one);
            else
                return false;
        },
        input);
    if (merged)
        return true;
    waiting_bytes_ += bytes_of(input);
    inputs_.push_back(std::move(input));
    return inputs_.size() <= most_waiting && waiting_bytes_ <= most_waiting_bytes;
}

std::optional<Visitor::Clock::time_point> Visitor::due(Clock::time_point now, bool woken) const
{
    if (!inputs_.empty() && shell_ == nullptr)
        return now;
    if (shell_ == nullptr || seen_ + most_unseen <= encoder_.frames())
        return std::nullopt;
    if (!inputs_.empty() || woken)
        return std::max(now, last_frame_ + between_answers);
    if (frames_left_ > 0 || shell_->moves())
        return std::max(now, last_frame_ + (shell_->moves() ? between_frames : between_answers));
    return std::nullopt;
}

std::vector<Outgoing> Visitor::frame(Clock::time_point now)
{
    ImGui::SetCurrentContext(imgui_.context);
    std::vector<Outgoing> out;
    if (shell_ == nullptr && !inputs_.empty()) {
        waiting_bytes_ -= bytes_of(inputs_.front());
        const Input first = std::move(inputs_.front());
        inputs_.pop_front();
        if (const auto* hello = std::get_if<Hello>(&first))
            begin(*hello);
    }
    if (shell_ == nullptr)
        return out;
    frames_left_ = std::max(frames_left_ - 1, 0);
    draw(now);
    if (std::string message = encoder_.encode(*ImGui::GetDrawData(), shell_->theme().background,
                                              [this](ImTextureID texture) { return pixels_of(texture); });
        !message.empty())
        out.push_back({deflater_.add(message)});
    if (std::exchange(copies_, false))
        out.push_back(text_message({{"kind", "copied"}, {"text", copied_}}));
    if (const bool types = ImGui::GetIO().WantTextInput || shell_->state().palette.is_open();
        std::exchange(typing_, types) != types)
        out.push_back(text_message({{"kind", "typing"}, {"on", types}}));
    if (const std::string cursor = cursor_name(); std::exchange(cursor_, cursor) != cursor)
        out.push_back(text_message({{"kind", "cursor"}, {"name", cursor}}));
    if (!shell_->state().playback.playing())
        tell_place(out);
    add_downloads(out);
    return out;
}

void Visitor::begin(const Hello& hello)
{
    size_ = hello;
    std::string wrong;
    WindowOptions window = window_;
    const bool follows = window_.seat && !window_.seat->leads();
    if (follows)
        window.lesson.clear(); // the leader determines the lesson
    if (window_.seat && (follows || hello.place.empty()) && window_.seat->lecture().place()) {
        window.show = window_.seat->lecture().place()->patch;
        window.source = WindowOptions::Source::words;
    } else if (!hello.place.empty()) {
        try {
            window.show = patch_for(hello.place);
            window.source = WindowOptions::Source::words;
        } catch (const kernels::Error& error) {
            wrong = error.what();
        }
    }
    Settings settings;
    settings.light = window.light.value_or(hello.light);
    settings.welcomed = true;
    if (static_cast<float>(size_.width) / size_.density < narrow)
        settings.panels.ladder = settings.panels.source = settings.panels.card = false;
    try {
        shell_ = std::make_unique<Shell>(window, settings, wake_);
    } catch (const kernels::Error& error) { // the place names something that does not exist
        wrong = error.what();
        shell_ = std::make_unique<Shell>(window_, settings, wake_);
    }
    if (!wrong.empty())
        shell_->say(wrong);
    frames_left_ = frames_after_input;
}

void Visitor::resize(const CanvasSize& size)
{
    size_ = size;
    frames_left_ = frames_after_input;
}

// Text is as large as in the page around the canvas if there is room. It is smaller on a phone, which leaves enough
// width for a picture.
void Visitor::renew_theme()
{
    const auto width = static_cast<float>(size_.width), height = static_cast<float>(size_.height);
    const Settings settings = shell_->settings();
    const float page_width = width / size_.density;
    const float wanted = std::min(
        window_.scale.value_or(1.0f) * size_.density * settings.scale * (shell_->presents() ? Presenting::scale : 1.0f),
        4.0f);
    float scale = page_width < narrow ? width / narrow_units : fitting_scale(wanted, width, height);
    // Rounds the scale, because visitors with the same font size share fonts.
    scale = std::clamp(std::round(scale * 20) / 20, 0.5f, 4.0f);
    shell_->set_type_fits(scale / wanted);
    viz::Theme& theme = shell_->theme();
    if (theme.text != nullptr && theme.dark == !settings.light && theme.scale == scale)
        return;
    theme = viz::make_theme(!settings.light, scale);
    fonts_ = shelf_.use(theme);
    frames_left_ = frames_after_input;
}

void Visitor::draw(Clock::time_point now)
{
    const double passed = std::chrono::duration<double>(now - std::exchange(last_frame_, now)).count();
    const double seconds = std::clamp(passed, 1e-3, longest_step);
    ImGuiIO& io = ImGui::GetIO();
    renew_theme();
    io.MouseWheel = io.MouseWheelH = 0;
    apply_inputs();
    shell_->poll();
    renew_theme();
    io.DisplaySize = {static_cast<float>(size_.width), static_cast<float>(size_.height)};
    io.DisplayFramebufferScale = {1, 1};
    io.DeltaTime = static_cast<float>(seconds);
    ImGui::NewFrame();
    shell_->draw(io.DisplaySize.x, io.DisplaySize.y, seconds);
    ImGui::Render();
    go_on_exporting();
}

// Draws one picture of an export in each frame of the visitor, so that other visitors wait for one picture at most. The
// file is written to the visitor's folder and then offered as a download.
void Visitor::go_on_exporting()
{
    const auto granted = [this](ExportRequest request) {
        const auto most = static_cast<float>(most_exported_pixels);
        if (static_cast<float>(request.look.width) * request.look.scale > most ||
            static_cast<float>(request.look.height) * request.look.scale > most)
            throw kernels::Error(
                fmt::format("In a browser a picture has at most {} pixels each way: choose a smaller scale.",
                            most_exported_pixels));
        const std::string ending(name(format_of(request.file)));
        if (request.seconds)
            request.seconds = std::min(*request.seconds, longest_export);
        request.file = free_path(visit_->folder, request.file.stem().string(), ending);
        return request;
    };
    const std::optional<std::string> told = exports_.go_on(*shell_, granted);
    const auto written = exports_.take_written();
    if (written)
        visit_->hand_out(*written);
    if (told)
        shell_->say(written ? "Exported: " + written->filename().string() + "." : *told);
}

void Visitor::apply_inputs()
{
    pressed_.clear();
    typed_ = false;
    while (!inputs_.empty() && apply(inputs_.front())) {
        waiting_bytes_ -= bytes_of(inputs_.front());
        inputs_.pop_front();
        frames_left_ = frames_after_input;
    }
}

// Applies an input, or returns false if it must wait for the next frame. ImGui does not notice a key or button that
// goes down and up within one frame, so its second change waits. Pointer movement waits after any change of a key or
// button.
bool Visitor::apply(const Input& input)
{
    ImGuiIO& io = ImGui::GetIO();
    const auto changes = [this](int which) {
        const bool again = std::ranges::find(pressed_, which) != pressed_.end();
        pressed_.push_back(which);
        return !again;
    };
    if (const auto* hello = std::get_if<Hello>(&input)) {
        resize(*hello);
    } else if (const auto* size = std::get_if<CanvasSize>(&input)) {
        resize(*size);
    } else if (const auto* move = std::get_if<PointerMove>(&input)) {
        if (!pressed_.empty())
            return false;
        io.MousePos = move->outside ? ImVec2{-FLT_MAX, -FLT_MAX} : ImVec2{move->x, move->y};
    } else if (const auto* button = std::get_if<PointerButton>(&input)) {
        if (!changes(button_number(button->button)))
            return false;
        io.MousePos = {button->x, button->y};
        io.MouseDown[button->button] = button->down;
        set_modifiers(io, button->modifiers);
    } else if (const auto* wheel = std::get_if<Wheel>(&input)) {
        io.MouseWheel += wheel->y;
        io.MouseWheelH += wheel->x;
        set_modifiers(io, wheel->modifiers);
    } else if (const auto* stroke = std::get_if<KeyStroke>(&input)) {
        // Keeps characters and keys in their order: ImGui processes the characters of a frame before its keys.
        const bool types = stroke->down && character_of(*stroke) != 0;
        const int number = types ? -1 : key_number(stroke->key);
        if ((types && !pressed_.empty()) || (number >= 0 && ((stroke->down && typed_) || !changes(number))))
            return false;
        typed_ |= types;
        apply(*stroke);
    } else if (const auto* pasted = std::get_if<PastedText>(&input)) {
        pasted_ = pasted->text;
    } else if (const auto* where = std::get_if<GoTo>(&input)) {
        go_to(where->place);
    } else if (const auto* upload = std::get_if<Upload>(&input)) {
        apply(*upload);
    }
    return true;
}

void Visitor::apply(const KeyStroke& stroke)
{
    ImGuiIO& io = ImGui::GetIO();
    set_modifiers(io, stroke.modifiers);
    const char32_t character = character_of(stroke);
    if (const int number = key_number(stroke.key); number >= 0)
        io.KeysDown[number] = stroke.down && (character == 0 || character == U' ');
    if (!stroke.down)
        return;
    if (const auto chord = chord_of(stroke))
        shell_->press(*chord);
    if (character != 0)
        io.AddInputCharacter(character);
}

void Visitor::apply(const Upload& upload)
{
    const std::filesystem::path file = visit_->folder / upload.name;
    if (!visit_->may_show(file))
        return shell_->say("This server runs no kernels of visitors: it was started without --allow-kernels.");
    if (uploaded_bytes_ + upload.bytes.size() > most_uploaded_bytes)
        return shell_->say("That is more than a visitor may send. Load the page anew to begin from nothing.");
    uploaded_bytes_ += upload.bytes.size();
    std::ofstream(file, std::ios::binary).write(upload.bytes.data(), static_cast<std::streamsize>(upload.bytes.size()));
    shell_->open(file);
}

Patch Visitor::patch_for(const std::string& place)
{
    Patch patch = parse_patch(place);
    for (Patch::Column& column : patch.columns)
        if (!column.file.empty() && !visit_->may_show(column.file))
            throw kernels::Error("The link shows a file, which only the machine that serves has.");
    return patch;
}

void Visitor::go_to(const std::string& place)
try {
    if (place == place_)
        return;
    leave_leader(shell_->state());
    place_ = place; // the page's address contains it already
    const Patch patch = place.empty() ? Patch() : patch_for(place);
    const Panels panels = shell_->state().at.panels; // a link does not contain the panels
    show(shell_->session(), shell_->state(), patch);
    shell_->state().at.panels = panels;
} catch (const kernels::Error& error) {
    shell_->say(error.what());
}

// Sends the place to the page, which shows it in its address. Another view or another stage becomes an entry of the
// browser's history; another step of the recording does not.
void Visitor::tell_place(std::vector<Outgoing>& out)
{
    const SnapshotPtr now = shell_->snapshot();
    if (!now->found || now->busy() || shell_->state().learning.arrival)
        return;
    Patch patch = patch_of(*now, shell_->state());
    for (Patch::Column& column : patch.columns)
        if (!column.file.empty())
            return; // only this visitor has the file
    patch.panels = Panels();
    std::string text = text_of(patch);
    if (text == place_)
        return;
    place_ = std::move(text);
    std::string history = patch.view;
    for (const Patch::Column& column : patch.columns)
        history += " " + column.stage;
    const bool pushes = std::exchange(told_place_, history) != history;
    out.push_back(text_message({{"kind", "place"}, {"place", place_}, {"pushes", pushes}}));
}

// Adds a message for each file: the kind 2, the length of the name in bytes, the name, the file.
void Visitor::add_downloads(std::vector<Outgoing>& out)
{
    const std::lock_guard lock(downloads_->mutex);
    for (const std::filesystem::path& file : std::exchange(downloads_->files, {})) {
        std::ifstream from(file, std::ios::binary);
        const std::string name = file.filename().string();
        ByteWriter message;
        message.number(2);
        message.number(name.size());
        message.bytes(name);
        message.bytes(std::string(std::istreambuf_iterator<char>(from), {}));
        out.push_back({deflater_.add(message.text())});
        std::error_code ignored;
        std::filesystem::remove(file, ignored);
    }
}

TexturePixels Visitor::pixels_of(ImTextureID texture)
{
    TexturePixels result;
    if (texture == fonts_->atlas->TexID) {
        unsigned char* bytes = nullptr;
        fonts_->atlas->GetTexDataAsAlpha8(&bytes, &result.width, &result.height, &result.bytes_per_pixel);
        result.bytes = {bytes, static_cast<std::size_t>(result.width) * static_cast<std::size_t>(result.height)};
        return result;
    }
    const Picture picture = read_texture(static_cast<GLuint>(reinterpret_cast<std::uintptr_t>(texture)));
    pixels_.resize(picture.pixels.size() * sizeof(uint32_t));
    std::memcpy(pixels_.data(), picture.pixels.data(), pixels_.size());
    result.width = static_cast<int>(picture.width);
    result.height = static_cast<int>(picture.height);
    result.bytes = pixels_;
    return result;
}

} // namespace app
