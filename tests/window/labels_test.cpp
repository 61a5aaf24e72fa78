// Each view at the sizes of common windows: no words lie over others, and none are cut.
#include "views.h"

#include <string>
#include <vector>

namespace {

using namespace test;

class EveryView : public Views {
protected:
    void expect_words_apart_everywhere(const std::string& shown)
    {
        program.emplace(display, std::vector<std::string>{"--show", shown, "--backend", "cpu"}, shipped_without_gpu());
        program->wait_settled();
        const std::string first = program->state().at("view");
        for (const Size size : {Size{1024, 700}, Size{1280, 800}, Size{1600, 1000}}) {
            program->resize(size);
            program->wait_for("the size", [&](const State& state) {
                return state.at("width") == size.width && state.at("height") == size.height;
            });
            do {
                const std::string view = program->state().at("view");
                program->wait_settled();
                SCOPED_TRACE(shown + " in " + view + " at " + std::to_string(size.width));
                expect_words_apart(program->state());
                program->press("Tab");
                program->wait_for("the next view", [&](const State& state) { return state.at("view") != view; });
            } while (program->state().at("view") != first);
        }
    }
};

TEST_F(EveryView, OfOneStageKeepsItsWordsApart)
{
    expect_words_apart_everywhere("stage=vectorized view=flow step=20");
}

TEST_F(EveryView, OfTwoStagesKeepsItsWordsApart)
{
    expect_words_apart_everywhere("stage=vectorized compare=swizzled view=flow step=20");
}

TEST_F(EveryView, OfAVectorKeepsItsWordsApart)
{
    expect_words_apart_everywhere("stage=vector_add view=flow");
}

} // namespace
