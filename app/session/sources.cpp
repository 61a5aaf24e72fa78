#include "app/session/sources.h"

#include "app/tasks/trace.h"

#include "own/copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace app {

Task SeenSource::with_text(const Task& task)
{
    const auto* run = std::get_if<RunFileTask>(&task);
    if (run == nullptr || run->text)
        return task;
    RunFileTask read = *run;
    read.text = read_source(run->file);
    const std::lock_guard lock(mutex_);
    if (file_ != run->file || text_ == nullptr || *text_ != *read.text) {
        file_ = run->file;
        text_ = std::make_shared<const std::string>(*read.text);
    }
    return read;
}

std::shared_ptr<const std::string> SeenSource::text_of(const std::filesystem::path& file) const
{
    const std::lock_guard lock(mutex_);
    return file == file_ ? text_ : nullptr;
}

Sources::Sources(TaskQueue& queue, std::shared_ptr<SeenSource> seen, std::filesystem::path folder,
                 std::function<void()> wake)
    : queue_(queue), seen_(std::move(seen)), own_(std::move(folder), std::move(wake))
{
}

void Sources::write(const std::filesystem::path& file, std::string text)
{
    file_ = file;
    text_ = std::make_shared<const std::string>(std::move(text));
    ticket_ = queue_.submit(Lane::files, SaveTask{file_, SourceText{*text_}});
}

std::optional<std::filesystem::path> Sources::copy(const kernels::Stage& stage)
{
    if (own_.path().empty())
        return std::nullopt;
    std::string name = fmt::format("my_{}", stage.slug);
    const auto taken = [&] {
        return std::ranges::find(own_.files(), own_.path() / (name + ".cu")) != own_.files().end();
    };
    for (int number = 2; taken(); ++number)
        name = fmt::format("my_{}_{}", stage.slug, number);
    std::filesystem::path file = own_.path() / (name + ".cu");
    write(file, kernels::copied_stage(stage, name));
    return file;
}

std::shared_ptr<const std::string> Sources::text(const Choice& choice) const
{
    if (!choice.file || !is_cuda_source(*choice.file))
        return nullptr;
    return typed(choice) ? text_ : seen_->text_of(*choice.file);
}

WantedRecording Sources::wanted(const Choice& choice) const
{
    WantedRecording want{*choice.file, {}, {}, {}, {}};
    if (is_cuda_source(*choice.file))
        want.run = RunFileTask{.file = *choice.file,
                               .text = typed(choice) ? std::optional(*text_) : std::nullopt,
                               .problem = choice.sizes.recorded,
                               .inputs = choice.filled_with(),
                               .blocks = {},
                               .parameters = choice.file_parameters};
    return want;
}

std::optional<WantedRecording> Sources::before(const Choice& choice) const
{
    const FileVersionPtr before =
        choice.file && choice.version_before ? versions_.find(*choice.file, *choice.version_before) : nullptr;
    if (before == nullptr)
        return std::nullopt;
    return WantedRecording{before->file, {}, {}, {}, before->run};
}

std::optional<uint64_t> Sources::take(const Choice& choice, const ShownRecording& shown)
{
    if (!choice.file || shown.run == nullptr)
        return std::nullopt;
    versions_.add(*choice.file, shown.run);
    const std::vector<FileVersionPtr> all = versions_.of(*choice.file);
    return all.size() < 2 ? std::nullopt : std::optional(all[all.size() - 2]->number);
}

bool Sources::receive(const Report& report, std::string& failure)
{
    if (ticket_ == 0 || report.ticket != ticket_ || std::holds_alternative<Progress>(report.what))
        return false;
    ticket_ = 0;
    if (const auto* failed = std::get_if<Failure>(&report.what))
        failure = failed->why;
    return true;
}

} // namespace app
