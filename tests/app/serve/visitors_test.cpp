// Visitors without a network: the messages that their pages receive.
#include "app/platform/offscreen.h"
#include "app/serve/visitors.h"

#include "temporary_folder.h"
#include "tests/waiting.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace app {

namespace {

class RecordedLine final : public Line {
public:
    RecordedLine() { inflateInit2(&stream_, -15); }
    void send(Outgoing message) override
    {
        const std::lock_guard lock(mutex_);
        if (message.text)
            messages_.push_back(std::move(message));
        else
            binary_.push_back(inflated(message.bytes));
    }
    ~RecordedLine() override { inflateEnd(&stream_); }
    void close(const std::string& why) override
    {
        const std::lock_guard lock(mutex_);
        closed_ = why;
    }
    std::size_t count(char kind) const // number of binary messages of this kind
    {
        const std::lock_guard lock(mutex_);
        return static_cast<std::size_t>(
            std::ranges::count_if(binary_, [&](const std::string& one) { return one[0] == kind; }));
    }
    std::string last_place() const
    {
        const std::lock_guard lock(mutex_);
        std::string place;
        for (const Outgoing& one : messages_)
            if (const auto json = nlohmann::json::parse(one.bytes); json["kind"] == "place")
                place = json["place"];
        return place;
    }
    std::string file() const // name of the last downloaded file
    {
        const std::lock_guard lock(mutex_);
        std::string name;
        for (const std::string& one : binary_)
            if (one[0] == 2)
                name = one.substr(2, static_cast<unsigned char>(one[1]));
        return name;
    }
    std::string closed() const
    {
        const std::lock_guard lock(mutex_);
        return closed_;
    }

private:
    // Decompresses the next part of the stream, as the browser does, and drops the message's length.
    std::string inflated(std::string compressed)
    {
        std::string result;
        std::array<unsigned char, 65536> buffer;
        stream_.next_in = reinterpret_cast<unsigned char*>(compressed.data());
        stream_.avail_in = static_cast<uInt>(compressed.size());
        do {
            stream_.next_out = buffer.data();
            stream_.avail_out = static_cast<uInt>(buffer.size());
            inflate(&stream_, Z_SYNC_FLUSH);
            result.append(reinterpret_cast<const char*>(buffer.data()), buffer.size() - stream_.avail_out);
        } while (stream_.avail_out == 0);
        return result.substr(4);
    }

    mutable std::mutex mutex_;
    std::vector<Outgoing> messages_; // JSON
    std::vector<std::string> binary_;
    z_stream stream_{};
    std::string closed_;
};

class VisitorsTest : public testing::Test {
protected:
    VisitorsTest()
    {
        for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
            setenv(variable, folder_.path().c_str(), 1);
        setenv("GEMMSCOPE_NO_MEASURING", "1", 1);
        options_.window.show = parse_patch("stage=naive");
        options_.window.backend = "cpu";
        options_.window.worker.in_process = true;
        options_.folder = folder_.path() / "visitors";
        options_.most = 2;
    }
    void serve()
    {
        visitors_ = std::make_unique<Visitors>(options_);
        drawing_ = std::jthread([this](const std::stop_token& stop) {
            const Offscreen offscreen;
            visitors_->run(stop);
        });
    }
    struct Page {
        std::shared_ptr<RecordedLine> line = std::make_shared<RecordedLine>();
        std::optional<Visitors::Id> id;
    };
    Page open(const std::string& place, Role role = Role::alone)
    {
        Page page;
        page.id = visitors_->enter(page.line, role);
        if (page.id) {
            Hello hello;
            hello.place = place;
            send(page, hello);
        }
        return page;
    }
    void send(const Page& page, Input input) { visitors_->receive(*page.id, std::move(input)); }
    // Reports every frame as shown until the page's place contains these words.
    bool shows(const Page& page, const std::string& words)
    {
        return test::happens(
            [&] {
                send(page, ShownFrame{page.line->count(1)});
                return page.line->last_place().find(words) != std::string::npos;
            },
            std::chrono::milliseconds(10));
    }
    // Presses the right arrow until the page receives a place that contains these words. The server does not send a
    // page the place that the page asked for, so the step must change. A key that is pressed before that place is shown
    // changes the step of the place before.
    bool arrives(const Page& page, const std::string& words)
    {
        return test::happens(
            [&] {
                send(page, ShownFrame{page.line->count(1)});
                if (page.line->last_place().find(words) != std::string::npos)
                    return true;
                press(page, "ArrowRight");
                return false;
            },
            std::chrono::milliseconds(50));
    }
    void press(const Page& page, const std::string& key, Modifiers modifiers = {})
    {
        for (const bool down : {true, false})
            send(page, KeyStroke{key, down, false, modifiers});
    }

    kernels::TemporaryFolder folder_;
    VisitorOptions options_;
    std::unique_ptr<Visitors> visitors_;
    std::jthread drawing_;
};

TEST_F(VisitorsTest, EachHasAPlaceOfItsOwn)
{
    serve();
    const Page one = open("stage=naive view=flow"), other = open("stage=coalesced view=global step=3");
    EXPECT_TRUE(shows(one, "stage=naive"));
    EXPECT_TRUE(shows(other, "stage=coalesced view=global step=3"));
    press(other, "ArrowRight");
    EXPECT_TRUE(shows(other, "step=4"));
    EXPECT_NE(one.line->last_place().find("stage=naive"), std::string::npos);
    send(one, GoTo{"stage=coalesced view=flow step=2"});
    EXPECT_TRUE(arrives(one, "stage=coalesced view=flow step="));
    EXPECT_FALSE(visitors_->enter(one.line)) << "the server is full";
    visitors_->leave(*other.id);
    EXPECT_TRUE(test::happens([&] { return visitors_->count() == 1; }));
    EXPECT_TRUE(visitors_->enter(one.line));
}

TEST_F(VisitorsTest, APageThatTakesNoFramesGetsNoMore)
{
    serve();
    const Page page = open("stage=naive view=flow step=0");
    ASSERT_TRUE(arrives(page, "stage=naive view=flow step=10"));
    // Once no frame arrives for a while, all pressed keys have been drawn.
    std::size_t sent = 0;
    ASSERT_TRUE(test::happens(
        [&] {
            const std::size_t before = std::exchange(sent, page.line->count(1));
            send(page, ShownFrame{sent});
            return sent == before;
        },
        std::chrono::milliseconds(300)));
    const std::string place = page.line->last_place();
    const int step = std::stoi(place.substr(place.rfind("step=") + 5));
    for (int i = 0; i < 10; ++i)
        press(page, "ArrowRight");
    ASSERT_TRUE(test::happens([&] { return page.line->count(1) == sent + Visitor::most_unseen; }));
    for (int i = 0; i < 10; ++i)
        press(page, "ArrowRight");
    std::this_thread::sleep_for(std::chrono::milliseconds(300)); // without flow control more frames would arrive now
    EXPECT_EQ(page.line->count(1), sent + Visitor::most_unseen);
    EXPECT_TRUE(shows(page, "step=" + std::to_string(step + 20))) << "no key was lost";
}

TEST_F(VisitorsTest, WhoFloodsIsCutOffAndTheOthersNoticeNothing)
{
    serve();
    const Page page = open("stage=naive view=flow step=1"), other = open("stage=naive view=flow step=1");
    ASSERT_TRUE(shows(other, "step=1"));
    for (std::size_t i = 0; page.line->closed().empty() && i < 100'000; ++i)
        press(page, "b");
    EXPECT_NE(page.line->closed(), "");
    EXPECT_TRUE(test::happens([&] { return visitors_->count() == 1; }));
    press(other, "ArrowRight");
    EXPECT_TRUE(shows(other, "step=2"));
    EXPECT_EQ(other.line->closed(), "");
}

TEST_F(VisitorsTest, ALinkShowsNoFileOfThisMachine)
{
    const std::filesystem::path file = folder_.path() / "secret.cu";
    std::ofstream(file) << "// gemmscope: grid 1 block 32\n__global__ void secret() {}\n";
    options_.kernels = true; // a visitor may run uploaded files, but not this one
    serve();
    const Page page = open("file=" + file.string());
    EXPECT_TRUE(shows(page, "stage=naive")) << "the initial place of a visitor";
    send(page, GoTo{"file=" + file.string() + " view=banks"});
    send(page, GoTo{"stage=coalesced view=flow step=1"});
    EXPECT_TRUE(arrives(page, "stage=coalesced view=flow step="));
}

TEST_F(VisitorsTest, WhatIsSavedIsDownloadedAndOpensAgain)
{
    serve();
    const Page page = open("stage=coalesced view=flow step=3");
    ASSERT_TRUE(shows(page, "step=3"));
    press(page, "s", {.control = true});
    ASSERT_TRUE(test::happens(
        [&] {
            send(page, ShownFrame{page.line->count(1)});
            return page.line->count(2) == 1;
        },
        std::chrono::milliseconds(10)));
    EXPECT_TRUE(page.line->file().ends_with(".gscope") || page.line->file().ends_with(".gstate")) << page.line->file();
    const auto in_folder = std::filesystem::recursive_directory_iterator(options_.folder);
    EXPECT_EQ(std::ranges::count_if(in_folder, [](const auto& one) { return one.is_regular_file(); }), 0);
}

TEST_F(VisitorsTest, FollowersAreWhereTheLeaderIs)
{
    options_.most = 4;
    serve();
    const Page leader = open("stage=naive view=flow step=1", Role::leader);
    ASSERT_TRUE(arrives(leader, "stage=naive view=flow step=3"));
    const Page early = open("stage=coalesced view=global step=5", Role::follower);
    // Reports the frames of all pages as shown until the first and the last page have the same place, or different
    // ones.
    const auto become = [&](const std::vector<Page>& pages, bool same) {
        return test::happens(
            [&] {
                for (const Page& page : pages)
                    send(page, ShownFrame{page.line->count(1)});
                const std::string first = pages.front().line->last_place(), last = pages.back().line->last_place();
                return !first.empty() && !last.empty() && (first == last) == same;
            },
            std::chrono::milliseconds(10));
    };
    EXPECT_TRUE(become({leader, early}, true)) << "the follower's own link has no effect";
    press(early, "End"); // the follower goes elsewhere
    EXPECT_TRUE(become({leader, early}, false));
    press(leader, "Home");
    EXPECT_TRUE(shows(leader, "stage=naive view=flow step=0"));
    EXPECT_EQ(early.line->last_place().find("step=0"), std::string::npos) << "the follower stays elsewhere";
    press(early, "Enter");
    EXPECT_TRUE(become({leader, early}, true));
    press(leader, "ArrowRight");
    EXPECT_TRUE(shows(early, "step=1"));
    const Page late = open("", Role::follower);
    EXPECT_TRUE(become({leader, late}, true));
    visitors_->leave(*leader.id);
    EXPECT_TRUE(test::happens([&] { return visitors_->count() == 2; }));
    EXPECT_EQ(late.line->closed(), "");
    const Page again = open("", Role::leader);
    EXPECT_TRUE(become({late, again}, true)) << "a new follower shows the leader's place";
}

TEST_F(VisitorsTest, AKernelIsRefusedUnlessTheServerAllowsIt)
{
    serve();
    const Page page = open("stage=naive view=flow step=1");
    ASSERT_TRUE(shows(page, "step=1"));
    send(page, Upload{"mine.cu", "// gemmscope: grid 1 block 32\n__global__ void mine() {}\n"});
    press(page, "ArrowRight");
    EXPECT_TRUE(shows(page, "stage=naive view=flow step=2")) << "the page still shows the stage of the ladder";
}

} // namespace

} // namespace app
