// What can be had beside a recording: what the compiler made of its stage, and what the GPU counted of it.
#pragma once

#include "app/catalogue/catalogue.h"
#include "app/worker/task_queue.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace app {

using CodePtr = std::shared_ptr<const ExamineResult>;
using CountersPtr = std::shared_ptr<const CountedLaunch>;
using InstructionsPtr = std::shared_ptr<const CountedInstructions>;

// One thing that is asked about recordings, of one recording at a time; the last few answers are kept.
template <class Answer>
class Question {
public:
    using AnswerPtr = std::shared_ptr<const Answer>;
    using Ask = std::function<Ticket(const RecordingPtr&)>;
    using Read = std::function<Answer(Result)>;

    Question(Ask ask, Read read) : ask_(std::move(ask)), read_(std::move(read)) {}

    // Asks, unless the answer is there or on its way. Of several recordings wanted one after another the last is asked
    // about, after what is under way.
    void want(const RecordingPtr& recording)
    {
        if (recording == nullptr || recording == asked_ || of(recording) != nullptr)
            next_ = nullptr;
        else if (asked_ != nullptr)
            next_ = recording;
        else
            asked_ = recording, ticket_ = ask_(recording);
    }

    void forget(const RecordingPtr& recording) // so that it can be asked anew
    {
        std::erase_if(kept_, [&](const auto& one) { return one.first == recording; });
    }

    void drop_next() { next_ = nullptr; }
    Ticket under_way() const { return ticket_; }
    bool busy() const { return asked_ != nullptr; }
    const RecordingPtr& asked() const { return asked_; }

    // Null while it is not answered.
    AnswerPtr of(const RecordingPtr& recording) const
    {
        for (const auto& [about, answer] : kept_)
            if (about == recording)
                return answer;
        return nullptr;
    }

    bool receive(const Report& report) // whether it was the answer to this
    {
        if (report.ticket != ticket_ || ticket_ == 0)
            return false;
        if (report.progress() != nullptr)
            return true;
        ticket_ = 0;
        const RecordingPtr about = std::exchange(asked_, nullptr);
        if (const Result* result = std::get_if<Result>(&report.what))
            kept_.insert(kept_.begin(), {about, std::make_shared<const Answer>(read_(*result))});
        else if (const auto& failure = std::get<Failure>(report.what); failure.kind != Failure::Kind::cancelled)
            kept_.insert(kept_.begin(), {about, std::make_shared<const Answer>(
                                                    Answer{.missing = {{recording::Missing::failed, {failure.why}}}})});
        if (kept_.size() > most_kept)
            kept_.pop_back();
        if (next_ != nullptr)
            want(std::exchange(next_, nullptr));
        return true;
    }

private:
    static constexpr std::size_t most_kept = 4;

    Ask ask_;
    Read read_;
    RecordingPtr asked_, next_;
    Ticket ticket_ = 0;
    std::vector<std::pair<RecordingPtr, AnswerPtr>> kept_; // newest first
};

enum class Detail { code, counters, instructions }; // of a recording

class Details {
public:
    Details(const std::vector<kernels::Stage>& ladder, TaskQueue& queue);

    // Where there is no GPU, its counters are shown.
    void catalogue_loaded(CataloguePtr catalogue) { catalogue_ = std::move(catalogue); }
    void machine_found(const MachineFacts& machine) { gpu_ = machine.gpu(), found_ = true; }

    void want(Detail detail, const RecordingPtr& recording); // instructions only where what is shipped costs nothing
    void count_again(Detail detail, const RecordingPtr& recording);
    void cancel(); // all that is under way

    CodePtr code_of(const RecordingPtr& recording) const { return code_.of(recording); }
    CountersPtr counters_of(const RecordingPtr& recording) const { return counters_.of(recording); }
    InstructionsPtr instructions_of(const RecordingPtr& recording) const { return instructions_.of(recording); }
    bool counting() const { return counters_.busy(); }
    bool counting_instructions() const { return instructions_.busy(); }
    bool busy() const { return code_.busy() || counters_.busy() || instructions_.busy(); }

    bool receive(const Report& report);

private:
    template <class Question>
    void want(Question& question, const RecordingPtr& recording);
    Ticket count(const RecordingPtr& recording, bool instructions);

    const std::vector<kernels::Stage>& ladder_;
    TaskQueue& queue_;
    CataloguePtr catalogue_; // null: not loaded yet
    bool gpu_ = false, found_ = false;
    Question<ExamineResult> code_;
    Question<CountedLaunch> counters_;
    Question<CountedInstructions> instructions_;
};

} // namespace app
