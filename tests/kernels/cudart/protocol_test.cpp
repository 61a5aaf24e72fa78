// The messages between a program and gemmscope, encoded and decoded again.
#include "cudart/protocol.h"

#include <gtest/gtest.h>

#include <array>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using namespace cudart;

TEST(CudartProtocol, QuestionsComeBackWhole)
{
    const LaunchKernel question{.module = 3,
                                .name = "_Z3addPf",
                                .grid = {4, 5, 6},
                                .block = {32, 2, 1},
                                .cluster = {2, 1, 1},
                                .shared_bytes = 60000,
                                .most_shared_bytes = 70000,
                                .cooperative = true,
                                .arguments = std::string("\0\1\2", 3)};
    const auto back = unpacked<LaunchKernel>(packed(question));
    EXPECT_EQ(packed(back), packed(question));
    EXPECT_EQ(back.grid.z, 6u);
    EXPECT_EQ(back.arguments.size(), 3u);
    EXPECT_TRUE(back.cooperative);
    const LoadedModule module{.number = 1, .error = "", .variables = {{"x", 1ull << 40, 16, 4096}, {"y", 2, 3, 4}}};
    EXPECT_EQ(unpacked<LoadedModule>(packed(module)).variables[1].bytes, 3u);
}

TEST(CudartProtocol, BytesThatEndTooEarlyAreRefused)
{
    const std::string bytes = packed(DescribedKernel{.error = "", .parameters = {{0, 8}, {8, 4}}});
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_THROW(unpacked<DescribedKernel>(bytes.substr(0, size)), std::runtime_error) << size;
    EXPECT_NO_THROW(unpacked<DescribedKernel>(bytes));
}

TEST(CudartProtocol, FramesAndDescriptorsCrossASocket)
{
    std::array<int, 2> ends{};
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    send_frame(ends[0], 4, "words");
    const ReceivedFrame frame = receive_frame(ends[1]);
    EXPECT_EQ(frame.call, 4u);
    EXPECT_EQ(frame.bytes, "words");
    std::array<int, 2> pipe_ends{};
    ASSERT_EQ(pipe(pipe_ends.data()), 0);
    send_descriptor(ends[0], pipe_ends[1]);
    const int received = receive_descriptor(ends[1]);
    char byte = 0;
    EXPECT_EQ(write(received, "x", 1), 1);
    EXPECT_EQ(read(pipe_ends[0], &byte, 1), 1);
    EXPECT_EQ(byte, 'x');
    close(ends[0]);
    EXPECT_THROW(receive_frame(ends[1]), std::runtime_error) << "the other end is closed";
    for (const int open : {ends[1], pipe_ends[0], pipe_ends[1], received})
        close(open);
}

} // namespace
