// An invisible screen for a test: an X server with mouse, keyboard and access to pixels.
#pragma once

#include <sys/types.h>

#include <iosfwd>
#include <memory>
#include <string>

struct _XDisplay; // Xlib is not included: its macros (None, Bool, Status) break other headers

namespace test {

using WindowId = unsigned long; // X's id of a window

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

// Xvfb on a free display. It ends with this object. The constructor throws std::runtime_error if it does not start.
class Display {
public:
    explicit Display(Size size);
    ~Display();
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;

    const std::string& name() const { return name_; } // ":3"

    // Returns the top-level window of the process, or 0 if none is on the screen yet.
    WindowId window_of(pid_t process) const;

    // There is no window manager, so the test itself places, resizes and closes the window.
    void place(WindowId window, Point corner) const;
    void resize(WindowId window, Size size) const;
    void close(WindowId window) const;
    Size size_of(WindowId window) const;

    // Points are in pixels of the window.
    void move_pointer(WindowId window, Point point) const;
    void button(bool down) const;
    void scroll(bool up) const;
    // Presses a key by its X name ("space", "Right", "question"), with Shift if the layout needs it. With Control if
    // requested.
    void press(const std::string& key, bool with_control = false) const;
    // Presses a key while another one is held: "Alt_L", "Shift_L".
    void press_while(const std::string& held, const std::string& key) const;
    // Holds a key for some frames, because ImGui's own fields miss keys that go down and up between two frames.
    void press_slowly(const std::string& key) const;

    // Drops a file on the window, as a file manager does (by the XDND protocol). Throws std::runtime_error if the
    // window does not request the file.
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
