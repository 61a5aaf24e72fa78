// A screen that nobody sees: an X server of its own, and the hands and eyes of a test on it.
#pragma once

#include <sys/types.h>

#include <iosfwd>
#include <memory>
#include <string>

struct _XDisplay; // Xlib itself stays out of this header: its macros (None, Bool, Status) break others

namespace test {

using WindowId = unsigned long; // as X numbers windows

struct Point {
    int x = 0, y = 0;
};

struct Size {
    int width = 0, height = 0;
};

struct Rgb {
    int red = 0, green = 0, blue = 0;
    friend bool operator==(const Rgb&, const Rgb&) = default;
};

std::ostream& operator<<(std::ostream& stream, const Rgb& colour);

// Xvfb on a free display, ended with this object. Throws std::runtime_error when it does not start.
class Display {
public:
    explicit Display(Size size);
    ~Display();
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;

    const std::string& name() const { return name_; } // ":3"

    // The top-level window of the process; 0 while there is none on the screen.
    WindowId window_of(pid_t process) const;

    // There is no window manager: the test places, sizes and closes the window as one would.
    void place(WindowId window, Point corner) const;
    void resize(WindowId window, Size size) const;
    void close(WindowId window) const;
    Size size_of(WindowId window) const;

    // Points are pixels of the window.
    void move_pointer(WindowId window, Point point) const;
    void button(bool down) const;
    void scroll(bool up) const;
    // A key by its X name ("space", "Right", "question"), with Shift where the layout wants it, or with Control.
    void press(const std::string& key, bool with_control = false) const;
    // A key while another one is held: "Alt_L", "Shift_L".
    void press_while(const std::string& held, const std::string& key) const;
    // A key held for some frames: ImGui's own fields miss keys that go down and up between two frames.
    void press_slowly(const std::string& key) const;

    // Drops a file onto the window, as a file manager does (the XDND protocol). Throws std::runtime_error when the
    // window does not ask for it.
    void drop(WindowId window, const std::string& path) const;

    Rgb pixel(WindowId window, Point point) const;

private:
    struct Closer {
        void operator()(_XDisplay* display) const;
    };

    pid_t server_ = -1;
    std::string name_;
    std::unique_ptr<_XDisplay, Closer> x_;
};

} // namespace test
