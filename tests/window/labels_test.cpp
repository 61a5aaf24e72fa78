// Each view at usual sizes of the window: texts neither overlap nor are cut.
#include "views.h"

#include <iterator>
#include <sstream>
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
            resize(size);
            do {
                const std::string view = program->state().at("view");
                program->wait_settled();
                SCOPED_TRACE(shown + " in " + view + " at " + std::to_string(size.width));
                expect_words_apart(program->state());
                program->press("Tab");
                program->wait_for("the next view", is_not("view", view));
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

// Cases that the test above does not reach: other kinds of steps, a lesson, kernels without shared memory, three
// stages, and the first step in the views of shared memory.
TEST_F(EveryView, OfOtherStagesKeepsItsWordsApart)
{
    const std::vector<const char*> of_shared_memory{"vectorized", "vectorized --compare swizzled", "naive",
                                                    "shared_tile --compare vectorized,swizzled"};
    const struct {
        const char* view;
        std::vector<const char*> stages;
        bool first_step = false;
    } cases[] = {{"registers",
                  {"warp_shuffle", "vectorized --compare naive", "mma_ldmatrix --compare wmma", "wmma --inputs small"}},
                 {"reuse", {"vectorized", "vectorized --compare shared_tile", "vectorized --lesson reuse:2"}},
                 {"threads", {"vectorized --compare swizzled"}},
                 {"banks", of_shared_memory, true},
                 {"layout", of_shared_memory, true}};
    for (const auto& [view, all_stages, first_step] : cases)
        for (const std::string stages : all_stages) {
            SCOPED_TRACE(stages + " in " + view);
            std::istringstream words("--view " + std::string(view) + " --stage " + stages);
            open({std::istream_iterator<std::string>(words), {}});
            program->wait_settled("the view", is_not("words", State::array()));
            expect_words_apart(program->state());
            if (!first_step)
                continue;
            go_to_first_step();
            expect_words_apart(program->state());
        }
}

} // namespace
