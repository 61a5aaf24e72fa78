#include "cudart/protocol.h"

#include <cerrno>
#include <sys/socket.h>

namespace cudart {

namespace {

constexpr uint64_t longest_frame = uint64_t{1} << 30;

void send_all(int socket, const char* bytes, std::size_t count)
{
    while (count > 0) {
        const ssize_t sent = send(socket, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            throw std::runtime_error("The other process is gone.");
        bytes += sent;
        count -= static_cast<std::size_t>(sent);
    }
}

void receive_all(int socket, char* bytes, std::size_t count)
{
    while (count > 0) {
        const ssize_t received = recv(socket, bytes, count, 0);
        if (received < 0 && errno == EINTR)
            continue;
        if (received <= 0)
            throw std::runtime_error("The other process is gone.");
        bytes += received;
        count -= static_cast<std::size_t>(received);
    }
}

// A message of one byte with a file descriptor attached.
struct DescriptorMessage {
    char byte = 0;
    iovec data{&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr header{};

    DescriptorMessage()
    {
        header.msg_iov = &data;
        header.msg_iovlen = 1;
        header.msg_control = control;
        header.msg_controllen = sizeof control;
    }
};

} // namespace

void send_frame(int socket, uint32_t call, const std::string& bytes)
{
    const Frame frame{.call = call, .bytes = bytes.size()};
    send_all(socket, reinterpret_cast<const char*>(&frame), sizeof frame);
    send_all(socket, bytes.data(), bytes.size());
}

ReceivedFrame receive_frame(int socket)
{
    Frame frame;
    receive_all(socket, reinterpret_cast<char*>(&frame), sizeof frame);
    if (frame.bytes > longest_frame)
        throw std::runtime_error("A message is too long.");
    ReceivedFrame result{.call = frame.call, .bytes = std::string(frame.bytes, '\0')};
    receive_all(socket, result.bytes.data(), result.bytes.size());
    return result;
}

void send_descriptor(int socket, int descriptor)
{
    DescriptorMessage message;
    cmsghdr* const control = CMSG_FIRSTHDR(&message.header);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(control), &descriptor, sizeof descriptor);
    if (sendmsg(socket, &message.header, MSG_NOSIGNAL) != 1)
        throw std::runtime_error("The other process is gone.");
}

int receive_descriptor(int socket)
{
    DescriptorMessage message;
    if (recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC) != 1)
        throw std::runtime_error("The other process is gone.");
    const cmsghdr* const control = CMSG_FIRSTHDR(&message.header);
    if (control == nullptr || control->cmsg_type != SCM_RIGHTS)
        throw std::runtime_error("No file came along.");
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(control), sizeof descriptor);
    return descriptor;
}

} // namespace cudart
