// Work that takes seconds and whose result belongs to a recording, done on a thread while the window goes on.
#pragma once

#include "app/session/recorder.h"

#include "error.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace app {

// Result has a member `recording`. Used from one thread.
template <class Result>
class ByRecording {
public:
    using Pointer = std::shared_ptr<const Result>;
    // Throws nothing but kernels::Cancelled.
    using Work = std::function<Result(RecordingPtr, std::stop_token)>;

    // `wake` is called, on the thread, when poll() has something to take.
    ByRecording(Work work, std::function<void()> wake) : work_(std::move(work)), wake_(std::move(wake)) {}

    // Begins, unless this recording's result is there or being made. Of several wanted one after another the last is made,
    // after what is under way: that may not stop at once, and nobody waits for it here.
    void want(const RecordingPtr& recording)
    {
        if (recording == nullptr || recording == wanted_ || of(recording) != nullptr) {
            next_ = nullptr;
        } else if (wanted_ != nullptr) {
            thread_.request_stop();
            next_ = recording;
        } else {
            start(recording);
        }
    }

    void cancel()
    {
        next_ = nullptr;
        thread_.request_stop();
    }

    void forget(const RecordingPtr& recording) // so that it can be wanted anew
    {
        std::erase_if(kept_, [&](const Pointer& one) { return one->recording == recording; });
    }

    // Null while it is being made, or where it was not wanted.
    Pointer of(const RecordingPtr& recording) const
    {
        const auto found =
            std::find_if(kept_.begin(), kept_.end(), [&](const Pointer& one) { return one->recording == recording; });
        return found == kept_.end() ? nullptr : *found;
    }

    bool busy() const { return wanted_ != nullptr; }

    // Takes what has ended; whether something has.
    bool poll()
    {
        Pointer made;
        {
            const std::lock_guard lock(mutex_);
            if (!std::exchange(ended_, false))
                return false;
            made = std::exchange(made_, nullptr);
        }
        wanted_ = nullptr;
        if (made != nullptr)
            kept_.insert(kept_.begin(), std::move(made));
        if (kept_.size() > most_kept)
            kept_.pop_back();
        if (next_ != nullptr)
            start(std::exchange(next_, nullptr));
        return true;
    }

private:
    static constexpr std::size_t most_kept = 4;

    void start(const RecordingPtr& recording)
    {
        wanted_ = recording;
        thread_ = std::jthread([this, recording](std::stop_token stop) {
            Pointer made;
            try {
                made = std::make_shared<const Result>(work_(recording, stop));
            } catch (const kernels::Cancelled&) { // no result
            }
            {
                const std::lock_guard lock(mutex_);
                made_ = std::move(made);
                ended_ = true;
            }
            wake_();
        });
    }

    Work work_;
    std::function<void()> wake_;
    RecordingPtr wanted_, next_; // being made; to be made then
    std::vector<Pointer> kept_;  // newest first
    std::mutex mutex_;
    Pointer made_;
    bool ended_ = false; // the thread, whatever came of it
    std::jthread thread_;
};

} // namespace app
