#include "app/platform/export.h"

#include "app/panels/derive.h"
#include "app/panels/navigation.h"
#include "app/panels/tables.h"
#include "app/pictures/animation.h"
#include "app/pictures/pdf.h"
#include "app/text/command_words.h"
#include "app/text/version.h"

#include "viz/figure/rows.h"

#include "error.h"
#include "recording/disk.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

namespace app {

namespace {

constexpr float density = 3; // pixels per unit of OpenGL content on a vector surface

// Makes an ImGui context current within a scope.
class Inside {
public:
    Inside(ImGuiContext* inside, ImGuiContext* outside) : outside_(outside) { ImGui::SetCurrentContext(inside); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside()
    {
        if (outside_ != nullptr)
            ImGui::SetCurrentContext(outside_);
    }

private:
    ImGuiContext* outside_;
};

} // namespace

void check(const PictureLook& look)
{
    constexpr int least = 320, most = 16384;
    const auto fits = [&](int units) {
        return units >= least && static_cast<float>(units) * look.scale <= static_cast<float>(most);
    };
    if (!fits(look.width) || !fits(look.height))
        throw kernels::Error(
            "The picture must be at least 320 wide and high, and times the scale at most 16384 pixels.");
}

Studio::Studio(const PictureLook& look, Makes makes)
    : look_(look), makes_(makes), outside_(ImGui::GetCurrentContext()), gui_(nullptr, outside_),
      inside_(ImGui::GetCurrentContext()),
      theme_(viz::make_theme(!look.light, makes == Makes::vectors ? 1 : look.scale))
{
    check(look);
    const Inside inside(inside_, outside_);
    gui_.use(theme_, makes == Makes::vectors);
    if (look.transparent)
        theme_.background &= ~IM_COL32_A_MASK;
    const float pixels = makes == Makes::vectors ? 1 : look.scale;
    pixel_width_ = static_cast<int>(std::lround(static_cast<float>(look.width) * pixels));
    pixel_height_ = static_cast<int>(std::lround(static_cast<float>(look.height) * pixels));
    if (makes == Makes::frames)
        return;
    GLint bound = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
    target_ = std::make_unique<Framebuffer>(pixel_width_, pixel_height_);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
}

Studio::~Studio()
{
    ImGui::SetCurrentContext(inside_); // gui_ destroys this context and restores the other one
}

void Studio::draw(Shell& shell, double seconds, const Shell::DrawTarget& wanted)
{
    const Inside inside(inside_, outside_);
    draw_inside(shell, seconds, wanted);
}

void Studio::use_colours(bool light)
{
    viz::Theme theme = viz::make_theme(!light, theme_.scale);
    theme.text = theme_.text;
    theme.heading = theme_.heading;
    theme.mono = theme_.mono;
    theme.mono_bold = theme_.mono_bold;
    theme_ = theme;
    apply_style(theme_);
}

void Studio::draw(Shell& shell, PlayedFrames& frames, const PlayedMoment& moment)
{
    const Inside inside(inside_, outside_);
    std::vector<viz::TipArea> tips;
    for (const bool light : {true, false}) {
        use_colours(light);
        draw_inside(shell, 0, {.tips = light ? &tips : nullptr});
        frames.take(*ImGui::GetDrawData(), theme_.background);
    }
    frames.end(moment, tips);
}

void Studio::draw_inside(Shell& shell, double seconds, const Shell::DrawTarget& wanted)
{
    GLint bound = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
    gui_.begin_frame();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(pixel_width_), static_cast<float>(pixel_height_)};
    const float per_unit = makes_ == Makes::vectors ? density : 1;
    io.DisplayFramebufferScale = {per_unit, per_unit};
    io.DeltaTime = static_cast<float>(std::max(seconds, 1e-3));
    io.MousePos = {-FLT_MAX, -FLT_MAX};
    ImGui::NewFrame();
    Shell::DrawTarget target = wanted;
    target.timeline = look_.timeline;
    shell.draw_alone(theme_, io.DisplaySize, seconds, target);
    if (makes_ != Makes::pixels) {
        ImGui::Render();
    } else {
        target_->bind();
        gui_.render(pixel_width_, pixel_height_, theme_);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
}

std::optional<viz::Colour> Studio::background() const
{
    return look_.transparent ? std::nullopt : std::optional(theme_.background);
}

std::string PageDrawings::draw(Shell& shell, bool without_headlines)
{
    for (int frames = 6; frames > 0;) { // layouts measure themselves, and pictures are prepared in the background
        shell.poll();
        studio_.draw(shell, 0);
        if (shell.ready() || frames > 3)
            --frames;
    }
    SvgSurface surface(read_texture, fmt::format("v{}", number_++));
    if (without_headlines)
        surface.leave_out(headlines(shell));
    studio_.draw(shell, 0, {.surface = &surface});
    for (const auto& [file, characters] : surface.used())
        used_[file].insert(characters.begin(), characters.end());
    return surface.svg({.width = static_cast<float>(studio_.look().width),
                        .height = static_cast<float>(studio_.look().height),
                        .title = std::string(shell.state().view().title()),
                        .background = studio_.background(),
                        .brings_fonts = false}); // the page embeds the fonts once
}

std::vector<viz::Box> PageDrawings::headlines(Shell& shell)
{
    viz::Marks marks;
    SvgSurface unused(read_texture);
    studio_.draw(shell, 0, {.surface = &unused, .marks = &marks});
    std::vector<viz::Box> boxes;
    for (const viz::Marks::Widget& widget : marks.widgets)
        if (widget.name.starts_with("headline:"))
            boxes.push_back({widget.min, widget.max});
    return boxes;
}

std::string PageDrawings::fonts(std::u32string_view also) const
{
    UsedCharacters used = used_;
    for (auto& [file, characters] : used)
        characters.insert(also.begin(), also.end());
    return font_faces(used);
}

namespace {

constexpr std::size_t most_waiting = 4; // pictures that the writer has not taken
constexpr int last_stands = 1500;       // milliseconds, so that the last picture is visible before the repetition

ExportRequest checked(ExportRequest request)
{
    check(request.look);
    if (request.plays && !moves(format_of(request.file)))
        throw kernels::Error(
            "A file ending in ." + std::string(name(format_of(request.file))) +
            " holds one picture: give --step instead of --steps, or write a .gif, .mp4, .webm or .html.");
    request.look.timeline = request.plays;
    return request;
}

Studio::Makes makes_for(PictureFormat format)
{
    return has_vectors(format)             ? Studio::Makes::vectors
           : format == PictureFormat::html ? Studio::Makes::frames
                                           : Studio::Makes::pixels;
}

Table without_empty_columns(Table table)
{
    std::erase_if(table.columns, [&](const TableColumn& column) {
        return std::ranges::all_of(table.rows, [&](const auto& row) { return value_of(column, row).is_null(); });
    });
    return table;
}

// Returns for example "flow, vectorized beside swizzled".
std::string title_of(Shell& shell)
{
    const SnapshotPtr now = shell.snapshot();
    std::string title = fmt::format("{}, {}", shell.state().view().name(), now->columns.front().slug);
    if (now->comparing())
        title += " beside " + now->columns[1].slug;
    return title;
}

} // namespace

Export::Export(Shell& shell, ExportRequest request)
    : shell_(shell), request_(checked(std::move(request))), format_(format_of(request_.file)),
      studio_(request_.look, makes_for(format_)), frames_(read_texture, request_.look.scale),
      selection_(shell.state().at.selection), playback_(shell.state().playback), zoom_(shell.state().zoom)
{
}

Export::~Export()
{
    writer_ = {}; // stops the writer and waits for it
    shell_.state().at.selection = selection_;
    shell_.state().playback = playback_;
    shell_.state().zoom = zoom_;
}

void Export::begin_sequence()
{
    State& state = shell_.state();
    const std::size_t steps = state.tracks.front().steps();
    if (steps == 0)
        throw kernels::Error("The chosen warp has no steps that could be played.");
    const auto [from, to] = request_.steps.value_or(std::pair{std::size_t{0}, steps - 1});
    if (from > to || to >= steps)
        throw kernels::Error(
            fmt::format("There are no steps {} to {}: the chosen warp has {} steps, counted from 0.", from, to, steps));
    played_steps_ = {from, to};
    if (format_ == PictureFormat::html)
        note_words();
    begin_ = static_cast<double>(state.tracks.front().clock().begin(from));
    end_ = 0;
    for (const WarpTrack& track : state.tracks)
        if (track.steps() > 0)
            end_ = std::max(end_, static_cast<double>(track.clock().begin(std::min(to, track.steps() - 1) + 1)));
    state.zoom = viz::TimeWindow{begin_, end_};
    end_ -= 1e-3 * (end_ - begin_); // slightly earlier, because at the end of the last step the next one begins
    seconds_ = request_.seconds.value_or(std::clamp((end_ - begin_) / Playback().speed(), 1.0, 15.0));
    pictures_ = static_cast<std::size_t>(std::max(2.0, std::ceil(seconds_ * request_.per_second) + 1));
    go_to_time(state, begin_);
}

bool Export::writer_is_busy(std::chrono::milliseconds patience)
{
    std::unique_lock lock(mutex_);
    if (failed_)
        std::rethrow_exception(failed_);
    if (written_ || (drawn_ < pictures_ && waiting_.size() < most_waiting))
        return false;
    changed_.wait_for(lock, patience);
    return true;
}

bool Export::advance(std::chrono::milliseconds patience)
{
    if (writer_is_busy(patience))
        return true;
    if (drawn_ == pictures_) {
        if (writer_.joinable())
            writer_.join();
        return false;
    }
    if (settling_ > 0) {
        shell_.poll();
        studio_.draw(shell_, 0);
        if (shell_.ready() || settling_ > 3) // large maps and machine code are prepared in the background
            --settling_;
        if (settling_ == 0 && request_.plays)
            begin_sequence();
        return true;
    }
    if (request_.plays) {
        draw_picture();
    } else {
        ++drawn_;
        writer_ = std::jthread([this, write_it = still()] { write(write_it); });
    }
    return true;
}

void Export::draw_picture()
{
    State& state = shell_.state();
    const double share = static_cast<double>(drawn_) / static_cast<double>(pictures_ - 1);
    go_to_time(state, begin_ + share * (end_ - begin_));
    state.seconds += 1 / request_.per_second;
    state.playback.play();
    if (format_ != PictureFormat::html)
        studio_.draw(shell_, 0);
    ++drawn_;
    const double from = 1000 * static_cast<double>(drawn_ - 1) / request_.per_second;
    const double to = 1000 * static_cast<double>(drawn_) / request_.per_second;
    const int milliseconds = drawn_ == pictures_ ? last_stands : static_cast<int>(std::lround(to) - std::lround(from));
    if (format_ == PictureFormat::html) {
        studio_.draw(shell_, frames_, {milliseconds, state.at.selection.step});
        state.playback.stop();
        if (drawn_ == pictures_)
            writer_ = std::jthread([this, write_it = page()] { write(write_it); });
        return;
    }
    state.playback.stop();
    const std::scoped_lock lock(mutex_);
    waiting_.push_back({studio_.picture(), milliseconds});
    changed_.notify_all();
    if (!writer_.joinable())
        writer_ = std::jthread([this](const std::stop_token& stop) { write([&] { write_frames(stop); }); });
}

// Returns a function that writes the current picture or table.
std::function<void()> Export::still()
{
    if (is_table(format_)) {
        std::vector<viz::FigureRow> rows;
        studio_.draw(shell_, 0, {.rows = &rows});
        if (rows.empty())
            throw kernels::Error("The view shows nothing that could be written as a table.");
        const Table table = table_of(rows);
        return [this, text = format_ == PictureFormat::csv ? csv_of(table) : json_of(table)] {
            recording::write_atomically(request_.file, text);
        };
    }
    if (format_ == PictureFormat::html) {
        played_steps_ = {shell_.state().at.selection.step, shell_.state().at.selection.step};
        note_words();
        studio_.draw(shell_, frames_, {last_stands, played_steps_.first});
        return page();
    }
    const auto width = static_cast<float>(request_.look.width), height = static_cast<float>(request_.look.height);
    if (format_ == PictureFormat::svg) {
        SvgSurface surface(read_texture);
        studio_.draw(shell_, 0, {.surface = &surface});
        return [this, surface = std::move(surface),
                page = SvgSurface::Page{width, height, title_of(shell_), studio_.background()}] {
            recording::write_atomically(request_.file, surface.svg(page));
        };
    }
    if (format_ == PictureFormat::pdf) {
        const auto surface = std::make_shared<PdfSurface>(
            PdfSurface::Look{width, height, title_of(shell_), studio_.background()}, read_texture);
        studio_.draw(shell_, 0, {.surface = surface.get()});
        return [this, surface] { recording::write_atomically(request_.file, surface->pdf()); };
    }
    return [this, picture = studio_.picture()] {
        if (!moves(format_))
            return write_png(picture, request_.file);
        const std::unique_ptr<Animation> animation = make_animation(format_, request_.file, request_.per_second);
        animation->add(picture, last_stands);
        animation->finish();
    };
}

// Returns a function that writes the page.
std::function<void()> Export::page()
{
    return [this, title = title_of(shell_)] {
        Played played{title, frames_.packed(), request_.look.width, request_.look.height};
        if (keeps_page_)
            kept_ = std::move(played);
        else
            recording::write_atomically(request_.file, played_page(played, words_));
    };
}

Played Export::played(Shell& shell, ExportRequest request)
{
    Export made(shell, std::move(request));
    made.keeps_page_ = true;
    while (made.advance(std::chrono::milliseconds(10))) {
    }
    return std::move(made.kept_);
}

// Stores the texts that the page shows before the animation plays. Its figures are those of the selected step, which is
// the default step if the user chose none.
void Export::note_words()
{
    constexpr std::size_t most_rows = 500;
    const SnapshotPtr now = shell_.snapshot();
    const State& state = shell_.state();
    PageWords& words = words_;
    words.program = "gemmscope " + std::string(program_version());
    const auto [from, to] = played_steps_;
    words.about.push_back(
        fmt::format("{}: {} of one warp{}.", state.view().title(),
                    from == to ? fmt::format("step {}", from) : fmt::format("steps {} to {}", from, to),
                    from == to ? "" : ", by a clock on which a step lasts as long as it costs"));
    for (const viz::StageColumn& stage : now->columns)
        words.about.push_back(fmt::format("{}: {}", stage.slug, stage.idea));
    Patch patch = patch_of(*now, shell_.state());
    patch.panels = Panels();
    words.command = fmt::format("gemmscope export --show {} --steps {}-{} -o {}", quoted_for_shell(text_of(patch)),
                                from, to, word_for_shell(request_.file.filename().string()));
    std::vector<viz::FigureRow> rows;
    studio_.draw(shell_, 0, {.rows = &rows});
    words.figures = fmt::format("The figures at step {}", state.at.selection.step);
    if (rows.size() > most_rows) {
        words.figures +=
            fmt::format(", the first {} of {} (gemmscope export -o FILE.csv has all)", most_rows, rows.size());
        rows.resize(most_rows);
    }
    words.table = html_of(without_empty_columns(table_of(rows)));
}

// Runs `what` and keeps its exception, which advance() throws.
void Export::write(const std::function<void()>& what)
{
    std::exception_ptr failed;
    try {
        what();
    } catch (...) {
        failed = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    failed_ = failed;
    written_ = !failed;
    changed_.notify_all();
}

void Export::write_frames(const std::stop_token& stop)
{
    const std::unique_ptr<Animation> animation = make_animation(format_, request_.file, request_.per_second);
    for (std::size_t i = 0; i < pictures_; ++i) {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [this] { return !waiting_.empty(); }))
            return;
        const Frame frame = std::move(waiting_.front());
        waiting_.pop_front();
        changed_.notify_all();
        lock.unlock();
        animation->add(frame.picture, frame.milliseconds);
    }
    if (!stop.stop_requested())
        animation->finish();
}

std::optional<std::string> Exports::go_on(Shell& shell, const Granted& granted)
{
    ExportDialog& dialog = shell.export_dialog();
    std::optional<std::string> told;
    try {
        if (export_ && dialog.gives_up())
            told = "Nothing was exported.";
        if (const std::optional<ExportRequest> request = dialog.take())
            export_ = std::make_unique<Export>(shell, granted ? granted(*request) : *request);
        if (export_ && !told && !export_->advance(std::chrono::milliseconds(0))) {
            written_ = export_->request().file;
            told = "Exported to " + written_->string() + ".";
        }
    } catch (const std::exception& error) {
        told = error.what();
    }
    if (told)
        export_.reset();
    dialog.show_progress(export_ ? std::optional(export_->share()) : std::nullopt);
    return told;
}

} // namespace app
