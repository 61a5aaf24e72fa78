#include "app/shell/borrowed.h"

namespace app {

void BorrowedStage::take_from(Choice& choice) const
{
    if (stages_ && choice.columns[0].rung == stages_->first && choice.columns[1].rung == stages_->second)
        choice.compare(std::nullopt);
}

void BorrowedStage::follow(Session& session, State& state)
{
    Learning& learning = state.learning;
    if (learning.lesson)
        take_from(learning.lesson->before.choice);
    if (learning.quiz)
        take_from(learning.quiz->before.choice);
    if (learning.arrival)
        return stages_.reset(); // a place says itself what it compares
    const SnapshotPtr now = session.snapshot();
    if (stages_ && (now->choice.columns[1].rung != stages_->second || now->choice.columns[2].rung))
        stages_.reset(); // somebody chose
    const std::optional<std::size_t> first = now->leading_rung();
    const bool wanted = state.view().compares() && first && !now->choice.columns[1].file;
    std::optional<std::size_t> second = now->choice.columns[1].rung;
    if (stages_ && (!wanted || stages_->first != *first)) {
        second.reset();
        stages_.reset();
    }
    if (wanted && !second)
        if (second = now->rung_below(*first); second)
            stages_ = {*first, *second};
    if (second != now->choice.columns[1].rung)
        session.amend([&](Choice& choice) { choice.compare(second); });
}

} // namespace app
