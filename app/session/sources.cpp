#include "app/session/sources.h"

#include "app/data/config_folder.h"
#include "app/engine/program.h"
#include "app/engine/trace.h"

#include "own/copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace app {

namespace {

RunFileTask run_of(const std::filesystem::path& file, std::optional<std::string> text,
                   std::vector<recording::Parameter> parameters, const Choice& choice)
{
    return {.file = file,
            .text = std::move(text),
            .problem = file_problem(choice.sizes),
            .inputs = choice.filled_with(),
            .blocks = {},
            .parameters = std::move(parameters),
            .as_written = choice.as_written};
}

} // namespace

Task SeenSource::with_text(const Task& task)
{
    const auto* run = std::get_if<RunFileTask>(&task);
    if (run == nullptr || run->text)
        return task;
    RunFileTask read = *run;
    read.text = read_source(run->file);
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const std::string>& text = texts_[run->file];
    if (text == nullptr || *text != *read.text)
        text = std::make_shared<const std::string>(*read.text);
    return read;
}

std::shared_ptr<const std::string> SeenSource::text_of(const std::filesystem::path& file) const
{
    const std::lock_guard lock(mutex_);
    const auto found = texts_.find(file);
    return found == texts_.end() ? nullptr : found->second;
}

Sources::Sources(Engine& engine, std::shared_ptr<SeenSource> seen, std::filesystem::path folder,
                 std::function<void()> wake)
    : engine_(engine), seen_(std::move(seen)), own_(folder, wake),
      kept_(
          [folder](const std::stop_token&) {
              return folder.empty() ? std::vector<FileVersionPtr>() : read_kept_versions(folder);
          },
          wake)
{
}

bool Sources::poll()
{
    const bool now_known = !knows_kept_ && kept_.get() != nullptr;
    if (now_known) {
        knows_kept_ = true;
        versions_.know(*kept_.get());
    }
    return own_.poll() || now_known;
}

std::filesystem::path Sources::kept_in(const Choice& choice) const
{
    // A file that was unpacked from a saved state stores no versions in the user's folder.
    const bool kept = !own_.path().empty() && choice.columns[0].file && !is_unpacked(*choice.columns[0].file);
    return kept ? kept_versions_file(own_.path(), *choice.columns[0].file) : std::filesystem::path();
}

void Sources::write(const std::filesystem::path& file, std::string text)
{
    file_ = file;
    text_ = std::make_shared<const std::string>(std::move(text));
    engine_.renew(saving_.emplace(SaveTask{file_, SourceText{*text_}}), Lane::files);
}

// Creates a file under a free name. `text` returns the content for that name.
std::optional<std::filesystem::path> Sources::make(const std::string& base,
                                                   const std::function<std::string(const std::string&)>& text)
{
    if (own_.path().empty())
        return std::nullopt;
    std::string name = fmt::format("my_{}", base);
    const auto taken = [&] {
        return std::ranges::find(own_.files(), own_.path() / (name + ".cu")) != own_.files().end();
    };
    for (int number = 2; taken(); ++number)
        name = fmt::format("my_{}_{}", base, number);
    std::filesystem::path file = own_.path() / (name + ".cu");
    write(file, text(name));
    return file;
}

std::optional<std::filesystem::path> Sources::copy(const kernels::Stage& stage)
{
    return make(std::string(stage.slug), [&](const std::string& name) { return kernels::copied_stage(stage, name); });
}

std::optional<std::filesystem::path> Sources::begin(const kernels::Sample& sample)
{
    return make(std::string(sample.name), [&](const std::string&) { return std::string(sample.text); });
}

std::shared_ptr<const std::string> Sources::text(const Choice& choice) const
{
    if (!choice.columns[0].file || !is_cuda_source(*choice.columns[0].file))
        return nullptr;
    return typed(choice) ? text_ : seen_->text_of(*choice.columns[0].file);
}

RecordingRequest Sources::wanted(const Choice& choice, const std::filesystem::path& file) const
{
    RecordingRequest want{.file = file};
    const bool first = choice.columns[0].file == file;
    if (is_cuda_source(file))
        add_launch_choices(want.run.emplace(
            run_of(file, first && typed(choice) ? std::optional(*text_) : std::nullopt,
                   first ? choice.columns[0].file_parameters : std::vector<recording::Parameter>(), choice)));
    return want;
}

std::optional<RecordingRequest> Sources::second(const Choice& choice) const
{
    if (choice.columns[1].file && !choice.columns[1].version)
        return wanted(choice, *choice.columns[1].file);
    const FileVersionPtr before = choice.columns[0].file && choice.columns[1].version
                                      ? versions_.find(*choice.columns[0].file, *choice.columns[1].version)
                                      : nullptr;
    if (before == nullptr)
        return std::nullopt;
    RecordingRequest want{.file = before->file, .made = before->run};
    if (before->run == nullptr)
        add_launch_choices(want.run.emplace(run_of(before->file, before->text, before->parameters, choice)));
    return want;
}

MainAnswer Sources::main_answer(const Choice& choice) const
{
    const std::shared_ptr<const std::string> shown = text(choice);
    if (shown == nullptr || kernels::is_stage_file(*shown) || !why_no_host_program(*shown).empty())
        return MainAnswer::none;
    const Answer* const known = answer_of(*choice.columns[0].file);
    return known == nullptr ? MainAnswer::open : known->launch ? MainAnswer::yes : MainAnswer::no;
}

const Sources::Answer* Sources::answer_of(const std::filesystem::path& file) const
{
    const auto found = answers_.find(file);
    if (found == answers_.end())
        return nullptr;
    const std::shared_ptr<const std::string>& agreed = found->second.text;
    const std::shared_ptr<const std::string> seen = seen_->text_of(file);
    return agreed == nullptr || (seen != nullptr && *seen == *agreed) ? &found->second : nullptr;
}

// Another saved state may contain a different file of that name, which the user has not seen. The answer therefore
// holds for the present text of the file and for the user's later changes to it.
void Sources::answer_main(const Choice& choice, std::optional<ChosenLaunch> launch)
{
    const auto& file = choice.columns[0].file;
    if (!file || !is_cuda_source(*file))
        return;
    Answer answer{std::move(launch), nullptr};
    if (is_unpacked(*file)) {
        answer.text = seen_->text_of(*file);
        if (answer.text == nullptr)
            return; // the user has not seen it yet
    }
    answers_[*file] = std::move(answer);
}

void Sources::launch_as(const Choice& choice, const traced::Request& request)
{
    if (choice.columns[0].file)
        launches_[*choice.columns[0].file] = request;
}

const traced::Request* Sources::launch_of(const Choice& choice) const
{
    const auto found = choice.columns[0].file ? launches_.find(*choice.columns[0].file) : launches_.end();
    return found == launches_.end() ? nullptr : &found->second;
}

void Sources::add_launch_choices(RunFileTask& run) const
{
    if (const auto found = launches_.find(run.file); found != launches_.end())
        run.launch = found->second;
    const Answer* const known = answer_of(run.file);
    if (known == nullptr || !known->launch)
        return;
    run.main = known->launch;
    if (known->text != nullptr && !run.text) // runs the text that the answer is for, or what the user typed since
        run.text = *known->text;
}

std::optional<uint64_t> Sources::take(const Choice& choice, const ShownRecording& shown)
{
    if (!choice.columns[0].file || shown.run == nullptr || shown.state != ShownRecording::State::ready)
        return std::nullopt;
    if (const std::vector<FileVersionPtr> known = versions_.of(*choice.columns[0].file);
        !known.empty() && known.back()->run == shown.run)
        return std::nullopt;
    const bool is_new = versions_.add(*choice.columns[0].file, shown.run);
    const std::vector<FileVersionPtr> all = versions_.of(*choice.columns[0].file);
    if (const std::filesystem::path kept = kept_in(choice); is_new && !kept.empty())
        engine_.renew(keeping_.emplace(SaveTask{kept, SourceText{kept_versions_text(all)}}), Lane::files);
    return all.size() < 2 || !is_new ? std::nullopt : std::optional(all[all.size() - 2]->number);
}

bool Sources::turn()
{
    const auto ended = [&](std::optional<SaveTask>& writing) {
        const Loadable<SaveTask>* known = writing ? engine_.follow(*writing) : nullptr;
        if (!writing || (known != nullptr && known->busy))
            return false;
        if (known != nullptr && known->failure)
            notice_ = known->failure->why;
        writing.reset();
        return true;
    };
    ended(keeping_);
    return ended(saving_);
}

} // namespace app
