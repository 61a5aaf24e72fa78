#include "display.h"
#include "tests/waiting.h"

#include <X11/XKBlib.h>
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <ostream>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>

namespace test {

namespace {

// A test may query a window while it closes, which is no error.
int ignore_error(_XDisplay*, XErrorEvent*)
{
    return 0;
}

// Ends the server and waits for its end. Xvfb can miss a signal that comes just before it waits for its clients, so the
// signal is repeated.
void end(pid_t server)
{
    constexpr int attempts = 100;
    for (int i = 0; i < attempts; ++i) {
        if (i % 20 == 0)
            kill(server, SIGTERM);
        if (waitpid(server, nullptr, WNOHANG) != 0)
            return;
        std::this_thread::sleep_for(std::chrono::milliseconds(i < 20 ? 10 : 50));
    }
    kill(server, SIGKILL);
    waitpid(server, nullptr, 0);
}

// When Xvfb is ready, it writes the number of its display to a pipe.
std::pair<pid_t, std::string> start_server(Size size)
{
    int ends[2];
    if (pipe(ends) != 0)
        throw std::runtime_error("no pipe for Xvfb");
    const std::string screen = std::to_string(size.width) + "x" + std::to_string(size.height) + "x24";
    const std::string fd = std::to_string(ends[1]);
    const pid_t server = fork();
    if (server == 0) {
        ::close(ends[0]);
        const int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
        execlp("Xvfb", "Xvfb", "-displayfd", fd.c_str(), "-screen", "0", screen.c_str(), "-nolisten", "tcp", "-noreset",
               static_cast<char*>(nullptr));
        _exit(127);
    }
    ::close(ends[1]);
    std::string number;
    char c = 0;
    while (read(ends[0], &c, 1) == 1 && c != '\n')
        number += c;
    ::close(ends[0]);
    if (number.empty()) {
        end(server);
        throw std::runtime_error("Xvfb did not start: is the package xvfb installed?");
    }
    return {server, ":" + number};
}

} // namespace

std::ostream& operator<<(std::ostream& stream, const Rgb& colour)
{
    return stream << "rgb(" << colour.red << ", " << colour.green << ", " << colour.blue << ")";
}

void Display::Closer::operator()(_XDisplay* display) const
{
    XCloseDisplay(display);
}

Display::Display(Size size)
{
    std::tie(server_, name_) = start_server(size);
    x_.reset(XOpenDisplay(name_.c_str()));
    if (!x_) {
        end(server_);
        throw std::runtime_error("Xvfb runs on " + name_ + " but does not answer");
    }
    XSetErrorHandler(ignore_error);
}

Display::~Display()
{
    x_.reset();
    end(server_);
}

WindowId Display::window_of(pid_t process) const
{
    const Atom property = XInternAtom(x_.get(), "_NET_WM_PID", False);
    Window root = 0, parent = 0, found = 0;
    Window* children = nullptr;
    unsigned int count = 0;
    if (XQueryTree(x_.get(), DefaultRootWindow(x_.get()), &root, &parent, &children, &count) == 0)
        return 0;
    for (unsigned int i = 0; i < count; ++i) {
        Atom type = 0;
        int format = 0;
        unsigned long items = 0, rest = 0;
        unsigned char* data = nullptr;
        XGetWindowProperty(x_.get(), children[i], property, 0, 1, False, XA_CARDINAL, &type, &format, &items, &rest,
                           &data);
        XWindowAttributes attributes{};
        // Xlib returns 32-bit properties as longs.
        if (items == 1 && static_cast<pid_t>(*reinterpret_cast<long*>(data)) == process &&
            XGetWindowAttributes(x_.get(), children[i], &attributes) != 0 && attributes.map_state == IsViewable)
            found = children[i];
        if (data != nullptr)
            XFree(data);
    }
    if (children != nullptr)
        XFree(children);
    return found;
}

void Display::place(WindowId window, Point corner) const
{
    XMoveWindow(x_.get(), window, corner.x, corner.y);
    XSetInputFocus(x_.get(), window, RevertToParent, CurrentTime);
    XSync(x_.get(), False);
}

void Display::resize(WindowId window, Size size) const
{
    XResizeWindow(x_.get(), window, static_cast<unsigned>(size.width), static_cast<unsigned>(size.height));
    XSync(x_.get(), False);
}

void Display::close(WindowId window) const
{
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = window;
    event.xclient.message_type = XInternAtom(x_.get(), "WM_PROTOCOLS", False);
    event.xclient.format = 32;
    event.xclient.data.l[0] = static_cast<long>(XInternAtom(x_.get(), "WM_DELETE_WINDOW", False));
    XSendEvent(x_.get(), window, False, NoEventMask, &event);
    XSync(x_.get(), False);
}

Size Display::size_of(WindowId window) const
{
    XWindowAttributes attributes{};
    XGetWindowAttributes(x_.get(), window, &attributes);
    return {attributes.width, attributes.height};
}

void Display::move_pointer(WindowId window, Point point) const
{
    XWarpPointer(x_.get(), None, window, 0, 0, 0, 0, point.x, point.y);
    XSync(x_.get(), False);
}

void Display::button(bool down) const
{
    XTestFakeButtonEvent(x_.get(), 1, down ? True : False, CurrentTime);
    XSync(x_.get(), False);
}

void Display::scroll(bool up) const
{
    for (const Bool down : {True, False})
        XTestFakeButtonEvent(x_.get(), up ? 4 : 5, down, CurrentTime);
    XSync(x_.get(), False);
}

void Display::press(const std::string& key, bool with_control) const
{
    const KeySym symbol = XStringToKeysym(key.c_str());
    const KeyCode code = XKeysymToKeycode(x_.get(), symbol);
    if (code == 0)
        throw std::runtime_error("no key for " + key);
    const bool shifted = XkbKeycodeToKeysym(x_.get(), code, 0, 0) != symbol;
    const auto hold = [&](bool down) {
        if (with_control)
            XTestFakeKeyEvent(x_.get(), XKeysymToKeycode(x_.get(), XK_Control_L), down ? True : False, CurrentTime);
        if (shifted)
            XTestFakeKeyEvent(x_.get(), XKeysymToKeycode(x_.get(), XK_Shift_L), down ? True : False, CurrentTime);
    };
    hold(true);
    XTestFakeKeyEvent(x_.get(), code, True, CurrentTime);
    XTestFakeKeyEvent(x_.get(), code, False, CurrentTime);
    hold(false);
    XSync(x_.get(), False);
}

void Display::press_while(const std::string& held, const std::string& key) const
{
    const KeyCode holder = XKeysymToKeycode(x_.get(), XStringToKeysym(held.c_str()));
    XTestFakeKeyEvent(x_.get(), holder, True, CurrentTime);
    press(key);
    XTestFakeKeyEvent(x_.get(), holder, False, CurrentTime);
    XSync(x_.get(), False);
}

void Display::press_slowly(const std::string& key) const
{
    const KeyCode code = XKeysymToKeycode(x_.get(), XStringToKeysym(key.c_str()));
    for (const bool down : {true, false}) {
        XTestFakeKeyEvent(x_.get(), code, down ? True : False, CurrentTime);
        XSync(x_.get(), False);
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
    }
}

void Display::drop(WindowId window, const std::string& path) const
{
    _XDisplay* x = x_.get();
    const auto atom = [x](const char* name) { return XInternAtom(x, name, False); };
    const Atom selection = atom("XdndSelection"), uris = atom("text/uri-list");
    const Window source = XCreateSimpleWindow(x, DefaultRootWindow(x), 0, 0, 1, 1, 0, 0, 0);
    XSetSelectionOwner(x, selection, source, CurrentTime);
    const auto send = [&](const char* type, std::array<long, 5> data) {
        XEvent event{};
        event.xclient.type = ClientMessage;
        event.xclient.window = window;
        event.xclient.message_type = atom(type);
        event.xclient.format = 32;
        std::copy(data.begin(), data.end(), event.xclient.data.l);
        XSendEvent(x, window, False, NoEventMask, &event);
        XSync(x, False);
    };
    const long from = static_cast<long>(source), version = 5L << 24;
    send("XdndEnter", {from, version, static_cast<long>(uris), 0, 0});
    send("XdndPosition", {from, 0, 100L << 16 | 100, CurrentTime, static_cast<long>(atom("XdndActionCopy"))});
    send("XdndDrop", {from, 0, CurrentTime, 0, 0});
    const std::string text = "file://" + path + "\r\n";
    XEvent event{};
    if (!happens([&] { return XCheckTypedWindowEvent(x, source, SelectionRequest, &event) == True; }))
        throw std::runtime_error("the window does not ask for what was dropped");
    const XSelectionRequestEvent& request = event.xselectionrequest;
    XChangeProperty(x, request.requestor, request.property, uris, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
    XEvent answer{};
    answer.xselection.type = SelectionNotify;
    answer.xselection.requestor = request.requestor;
    answer.xselection.selection = request.selection;
    answer.xselection.target = request.target;
    answer.xselection.property = request.property;
    answer.xselection.time = request.time;
    XSendEvent(x, request.requestor, False, NoEventMask, &answer);
    XSync(x, False);
}

Rgb Display::pixel(WindowId window, Point point) const
{
    XImage* image = XGetImage(x_.get(), window, point.x, point.y, 1, 1, AllPlanes, ZPixmap);
    if (image == nullptr)
        throw std::runtime_error("the pixel lies outside the screen");
    const unsigned long value = XGetPixel(image, 0, 0);
    XDestroyImage(image);
    return {static_cast<int>(value >> 16 & 255), static_cast<int>(value >> 8 & 255), static_cast<int>(value & 255)};
}

} // namespace test
