"""Controls the installed Chromium through its DevTools protocol over pipes, without another library."""
import base64
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time

HANG = 120  # seconds after which something is considered hung

PROGRAM = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
# WebGL in software, and no sandbox, because root cannot use it.
ARGUMENTS = ["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader",
             "--enable-unsafe-swiftshader", "--no-first-run", "--disable-background-networking", "--disable-component-update",
             "--disable-dev-shm-usage", "--hide-scrollbars", "about:blank"]


class Chromium:
    """A browser with its own profile, which ends with its with-block."""

    def __enter__(self):
        if PROGRAM is None:
            raise SystemExit("There is no Chromium here: apt-get install chromium.")
        self.profile = tempfile.TemporaryDirectory(prefix="gemmscope-browser-")
        to_read, self.to_write = os.pipe()
        self.from_read, to_answer = os.pipe()

        def take_pipes():
            os.dup2(to_read, 3)
            os.dup2(to_answer, 4)

        # The pipes may already have the numbers 3 or 4 here, so they get larger numbers first.
        to_read, to_answer = (os.dup2(pipe, pipe + 100) for pipe in (to_read, to_answer))
        self.process = subprocess.Popen([PROGRAM, f"--user-data-dir={self.profile.name}", *ARGUMENTS], close_fds=False,
                                        preexec_fn=take_pipes, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)
        os.close(to_read)
        os.close(to_answer)
        self.lock = threading.Condition()
        self.answers, self.events, self.last = {}, [], 0
        self.contexts = []
        threading.Thread(target=self.listen, daemon=True).start()
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.profile.cleanup()

    def listen(self):
        text = b""
        while part := os.read(self.from_read, 1 << 16):
            *whole, text = (text + part).split(b"\0")
            with self.lock:
                for message in map(json.loads, whole):
                    if "id" in message:
                        self.answers[message["id"]] = message
                    else:
                        self.events.append(message)
                self.lock.notify_all()

    def call(self, method, session=None, **parameters):
        with self.lock:
            self.last += 1
            number = self.last
        message = {"id": number, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        os.write(self.to_write, json.dumps(message).encode() + b"\0")
        with self.lock:
            if not self.lock.wait_for(lambda: number in self.answers, HANG):
                raise AssertionError(f"Chromium does not answer {method}.")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def page(self, width=1600, height=1000, density=1, touch=False):
        return Page(self, width, height, density, touch)

    def close_pages(self):
        """Closes all pages, because a page that plays would slow later tests down."""
        while self.contexts:
            self.call("Target.disposeBrowserContext", browserContextId=self.contexts.pop())


class Page:
    def __init__(self, browser, width, height, density, touch):
        self.browser = browser
        context = browser.call("Target.createBrowserContext")["browserContextId"]
        browser.contexts.append(context)
        target = browser.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.context = context
        self.world = {}  # for a frame: the context in which its scripts run
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=density, mobile=touch)
        if touch:
            self.call("Emulation.setTouchEmulationEnabled", enabled=True)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def events(self, method):
        with self.browser.lock:
            return [one["params"] for one in self.browser.events if one.get("sessionId") == self.session and one["method"] == method]

    def open(self, address):
        self.call("Page.navigate", url=address)
        return self

    def value(self, expression):
        """Returns the value of a JavaScript expression. Waits for a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, **self.world)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{expression[:200]}: {answer['exceptionDetails']['exception']['description'][:500]}")
        return answer["result"].get("value")

    def until(self, expression):
        """Waits until the expression is true."""
        end = time.monotonic() + HANG
        while time.monotonic() < end:
            try:
                if self.value(expression):
                    return
            except AssertionError:
                pass  # another page is being loaded
            time.sleep(0.05)
        raise AssertionError(f"never: {expression}; {self.value('location.href')}")

    def frame(self, name):
        """Returns the page in the <iframe> of this name. It is a file or sandboxed, so this page's scripts cannot access
        it."""
        self.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True)
        end = time.monotonic() + HANG
        while time.monotonic() < end:
            for session in [self.session] + [one["sessionId"] for one in self.events("Target.attachedToTarget")]:
                found = Page.__new__(Page)
                found.browser, found.session, found.context, found.world = self.browser, session, self.context, {}
                found.call("Runtime.enable")
                for made in found.events("Runtime.executionContextCreated"):
                    found.world = {"uniqueContextId": made["context"]["uniqueId"]}
                    try:
                        if found.value(f"window.name === {json.dumps(name)} && location.href !== 'about:blank'"):
                            return found
                    except AssertionError:
                        pass  # a context of a closed page
            time.sleep(0.05)
        raise AssertionError(f"There is no frame {name}.")

    def press(self, key, modifiers=0, text=None):
        """modifiers: 1 Alt, 2 Control, 4 Meta, 8 Shift."""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, modifiers=modifiers, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, modifiers=modifiers)

    def click(self, x, y):
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="none" if kind == "mouseMoved" else "left", clickCount=1)

    def tap(self, x, y):
        self.swipe((x, y))

    def swipe(self, *way):
        """Moves a finger from the first to the last of these points."""
        for number, (x, y) in enumerate(way):
            self.call("Input.dispatchTouchEvent", type="touchMove" if number > 0 else "touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def middle(self, selector):
        """Returns the middle of an element, in units of the page's window."""
        return self.value(f"""(() => {{
            const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];
        }})()""")

    def drop(self, file):
        data = {"items": [], "files": [str(file)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.call("Input.dispatchDragEvent", type=kind, x=300, y=300, data=data)

    def downloads_to(self, folder):
        self.browser.call("Browser.setDownloadBehavior", behavior="allow", browserContextId=self.context, downloadPath=str(folder))

    def picture(self, file):
        pathlib.Path(file).write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
