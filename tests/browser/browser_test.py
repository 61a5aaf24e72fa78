#!/usr/bin/env python3
"""tests/browser/browser_test.py PROGRAM [TEST ...]: tests 'gemmscope serve' in a real Chromium."""
import base64
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from chromium import HANG, Chromium
from server import ENVIRONMENT, PROGRAM, Server

# Pixels differ if a channel differs by more than this. Positions have a resolution of 1/32 pixel, so edges differ
# slightly.
MOST_OFF = 24
MOST_DIFFERENT = 0.002  # of all pixels: 0.0012 of the view occupancy, fewer of the others (2026-11-27, SwiftShader)

# Returns the share of the canvas's pixels that differ from a picture, both as Chromium renders them.
DIFFERENCE = """(async () => {
    const picture = new Image();
    picture.src = '%s';
    await picture.decode();
    const canvas = document.getElementById('picture');
    if (picture.width !== canvas.width || picture.height !== canvas.height) return 1;
    const pixels = image => {
        const context = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, canvas.width, canvas.height).data;
    };
    const shown = pixels(canvas), wanted = pixels(picture);
    let different = 0;
    for (let i = 0; i < shown.length; i += 4)
        if ([0, 1, 2].some(channel => Math.abs(shown[i + channel] - wanted[i + channel]) > %d)) ++different;
    return different / (canvas.width * canvas.height);
})()"""


def place(page):
    return page.value("decodeURIComponent(location.hash.slice(1).replace(/\\+/g, ' '))")


def shows(page, words):
    """Waits until the place in the address contains these words."""
    page.until(f"decodeURIComponent(location.hash.slice(1).replace(/\\+/g, ' ')).includes({json.dumps(words)})")


def picture_when_still(page):
    """Returns the picture after a second without a new frame."""
    shown = -1
    while shown != (shown := page.value("window.page.shown")):
        time.sleep(1)
    return page.call("Page.captureScreenshot", format="png")["data"]


def hash_when_still(page):
    picture_when_still(page)
    return page.value("location.hash")


def press_and_wait(page, key, **modifiers):
    """Presses a key, and waits until the window has drawn a frame for it and is still."""
    before = page.value("window.page.shown")
    page.press(key, **modifiers)
    page.until(f"window.page.shown > {before}")
    hash_when_still(page)


# Positions of buttons in the export form, from the upper left corner of the picture's area, at scale 1.
FORM_WIDTH, FORM_TOP = 520, 60
FORM_GIF, FORM_SCALE_1 = (298, 45), (120, 120)

# Positions on a phone's page: the play button, and the second choice of the question in the class test.
PLAY, SECOND_CHOICE = (76, 850), (204, 690)

# 32 lanes read every second word of 256 bytes.
KERNEL = """// gemmscope: grid=1 block=32 args=A,C size=64
__global__ void mine(const float* a, float* c) { c[threadIdx.x] = a[2 * threadIdx.x]; }
"""


def gif_pictures(gif):
    """Returns the number of pictures in a GIF, and its size."""
    def behind_blocks(at):
        while gif[at] != 0:
            at += gif[at] + 1
        return at + 1

    assert gif[:6] == b"GIF89a" and gif[-1:] == b";", gif[:6]
    colours = gif[10]
    at, pictures = 13 + (3 << (colours & 7) + 1 if colours & 128 else 0), 0
    while gif[at:at + 1] != b";":
        if gif[at:at + 1] == b"!":  # an extension block
            at = behind_blocks(at + 2)
        else:
            assert gif[at:at + 1] == b",", at
            own = gif[at + 9]
            at = behind_blocks(at + 11 + (3 << (own & 7) + 1 if own & 128 else 0))
            pictures += 1
    return pictures, struct.unpack("<HH", gif[6:10])


class BrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.browser = Chromium().__enter__()
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()
        assert cls.server.stop() == 0

    def tearDown(self):
        self.browser.close_pages()

    def open(self, where, **look):
        page = self.browser.page(**look).open(self.server.at(where))
        page.until("window.page?.placed === true")
        return page

    def screenshot(self, where, *options):
        """Returns a picture of the same place, drawn by the program itself, and its description."""
        picture, described = (pathlib.Path(self.folder.name) / name for name in ("wanted.png", "wanted.json"))
        subprocess.run([PROGRAM, "screenshot", "--show", where, "--backend", "cpu", "--theme", "dark", "-o", picture, "--describe",
                        described, *options], env=ENVIRONMENT, check=True)
        return picture, json.loads(described.read_text())

    def difference(self, page, picture):
        url = "data:image/png;base64," + base64.b64encode(picture.read_bytes()).decode()
        return page.value(DIFFERENCE % (url, MOST_OFF))

    def test_others_are_refused(self):
        token = self.server.address.query
        upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13",
                   "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ=="}
        own = f"http://{self.server.address.netloc}"
        self.assertEqual(self.server.status("/?" + token), 200)
        self.assertEqual(self.server.status("/"), 403)
        self.assertEqual(self.server.status("/?token=" + "0" * 32), 403)
        for outside in ("/../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/page.js/../../x"):
            self.assertEqual(self.server.status(outside), 404, outside)
        self.assertEqual(self.server.status("/socket?" + token, Origin=own, **upgrade), 101)
        self.assertEqual(self.server.status("/socket?" + token, Origin="http://evil.example", **upgrade), 403)
        self.assertEqual(self.server.status("/socket", Origin=own, **upgrade), 403)

    def test_the_picture_is_that_of_the_program(self):
        for where in ("stage=vectorized view=flow step=10", "stage=vectorized compare=swizzled view=banks step=2",
                      "stage=naive view=occupancy step=1"):
            with self.subTest(where):
                page = self.open(where)
                shows(page, where.split(" ")[0])
                picture, _ = self.screenshot(where, "--size", "1600x1000")
                page.until("window.page.socket.bufferedAmount === 0")
                end = 40
                while (different := self.difference(page, picture)) >= MOST_DIFFERENT and end > 0:
                    end -= 1  # derived data may still be missing
                self.assertLess(different, MOST_DIFFERENT, place(page))

    def test_it_plays_and_comes_back_to_the_same_place(self):
        page = self.open("stage=vectorized view=flow step=10")
        page.press("ArrowRight")
        shows(page, "step=11")
        frame = page.value("window.page.shown")
        page.press(" ", text=" ")
        page.until(f"window.page.shown > {frame + 60}")  # some seconds, after which the step has ended
        page.press(" ", text=" ")
        page.until("!location.hash.includes('step=11')")
        where = place(page)
        page.call("Page.reload")
        page.until("window.page?.placed === true")
        self.assertEqual(place(page), where)

    def test_back_and_forward_are_the_browsers(self):
        page = self.open("stage=vectorized view=flow step=10")
        page.press("2", text="2")
        page.until("!location.hash.includes('view=flow')")
        there = place(page)
        page.value("history.back()")
        shows(page, "view=flow")
        page.value("history.forward()")
        shows(page, there)

    def test_a_click_on_a_lane_chooses_it(self):
        where = "stage=vectorized view=flow step=10"
        page = self.open(where)
        _, described = self.screenshot(where, "--size", "1600x1000")
        lanes = next(one for one in described["drawn"] if one["name"] == "flow lanes")  # 32 lanes side by side
        page.click(lanes["x"] + lanes["w"] * 5.5 / 32, lanes["y"] + lanes["h"] / 2)
        shows(page, "lane=5")

    def test_a_lost_connection_is_found_again_with_its_place(self):
        page = self.open("stage=coalesced view=flow step=3")
        page.press("ArrowRight")
        shows(page, "step=4")
        frames = page.value("(window.before = window.page.frames) && 1")
        page.value("window.page.socket.close()")
        page.until("window.page.frames !== window.before && window.page.shown === window.page.waiting?.number")
        page.press("ArrowRight")
        shows(page, "step=5")
        self.assertEqual(frames, 1)
        self.assertTrue(page.value("document.getElementById('notice').hidden"))

    def test_a_server_that_stops_says_so(self):
        other = Server()
        page = self.browser.page().open(other.at("stage=naive view=flow step=1"))
        page.until("window.page?.placed === true")
        self.assertEqual(other.stop(), 0)
        page.until("!document.getElementById('notice').hidden")

    def downloaded(self, pattern):
        """Waits for the downloaded file, which has another name while it is incomplete."""
        folder = pathlib.Path(self.folder.name)
        end = time.monotonic() + HANG
        while not (made := list(folder.glob(pattern))) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertTrue(made, pattern)
        return made[0]

    def test_what_is_saved_is_downloaded_and_opens_where_it_is_dropped(self):
        page = self.open("stage=coalesced view=flow step=7")
        page.downloads_to(self.folder.name)
        page.press("s", modifiers=2)
        saved = self.downloaded("*.gstate")
        other = self.open("stage=naive view=flow step=1")
        other.drop(saved)
        shows(other, "stage=coalesced view=flow step=7")

    def test_a_picture_that_is_downloaded_is_the_programs(self):
        where = "stage=vectorized view=banks step=2"
        page = self.open(where)
        page.downloads_to(self.folder.name)
        hash_when_still(page)
        press_and_wait(page, "e", modifiers=2)
        page.press("Enter")
        made = self.downloaded("banks_vectorized*.png")
        width, height = struct.unpack(">II", made.read_bytes()[16:24])
        self.assertEqual((width % 2, height % 2), (0, 0), "scale 2")
        wanted = pathlib.Path(self.folder.name) / "wanted_export.png"
        subprocess.run([PROGRAM, "export", "--show", where, "--backend", "cpu", "--theme", "dark", "--scale", "2", "--size",
                        f"{width // 2}x{height // 2}", "-o", wanted], env=ENVIRONMENT, check=True)
        self.assertEqual(made.read_bytes(), wanted.read_bytes())

    def begin_gif(self, where):
        """Starts an export of the steps from this place on, at scale 1."""
        page = self.open(where)
        page.downloads_to(self.folder.name)
        _, described = self.screenshot(where, "--size", "1600x1000")
        area = described["region"]
        left, top = area["x"] + (area["w"] - FORM_WIDTH) / 2, area["y"] + FORM_TOP
        hash_when_still(page)
        press_and_wait(page, "e", modifiers=2)
        for x, y in (FORM_GIF, FORM_SCALE_1):
            page.click(left + x, top + y)
        hash_when_still(page)
        page.press("Enter")
        return page, area

    def test_an_animation_is_downloaded_with_all_its_pictures(self):
        _, area = self.begin_gif("stage=naive view=flow step=2")
        pictures, (width, height) = gif_pictures(self.downloaded("flow_naive*.gif").read_bytes())
        self.assertGreaterEqual(pictures, 20)
        self.assertEqual((width, height), (int(area["w"]), int(area["h"])))

    def test_an_animation_under_way_is_given_up_by_its_visitor(self):
        page, _ = self.begin_gif("stage=coalesced view=flow step=2")
        begun = page.value("window.page.shown")
        page.until(f"window.page.shown > {begun + 5}")  # the export has made progress
        page.press("Escape")  # ends the export
        hash_when_still(page)
        page.press("Escape")  # closes the form
        page.press("ArrowRight")
        shows(page, "step=3")
        self.assertEqual(list(pathlib.Path(self.folder.name).glob("flow_coalesced*")), [])

    def test_a_click_and_a_key_change_the_stage(self):
        where = "stage=vectorized view=flow step=10"
        page = self.open(where)
        _, described = self.screenshot(where, "--size", "1600x1000")
        rung = next(one for one in described["widgets"] if one["name"] == "stage:naive")
        page.click(rung["x"] + rung["w"] / 2, rung["y"] + rung["h"] / 2)
        shows(page, "stage=naive")
        page.press("ArrowDown")
        shows(page, "stage=strided_b")

    def test_a_dropped_kernel_runs_where_it_may(self):
        source = pathlib.Path(self.folder.name) / "mine.cu"
        source.write_text(KERNEL)
        server = Server("--allow-kernels")
        page = self.browser.page().open(server.at("stage=coalesced view=flow step=7"))
        page.until("window.page?.placed === true")
        page.drop(source)
        page.downloads_to(self.folder.name)
        hash_when_still(page)
        page.press("t", modifiers=2)  # the figures as a table
        table = self.downloaded("*mine*.csv").read_text()
        self.assertIn("1 request · 8 sectors", table)
        self.assertEqual(server.stop(), 0)

    def test_a_visitors_kernel_does_not_run(self):
        source = pathlib.Path(self.folder.name) / "mine.cu"
        source.write_text("// gemmscope: grid 1 block 32\n__global__ void mine() {}\n")
        page = self.open("stage=coalesced view=flow step=7")
        page.drop(source)
        page.press("ArrowRight")
        shows(page, "stage=coalesced view=flow step=8")

    def test_a_phone_shows_the_picture(self):
        page = self.open("stage=vectorized view=flow step=10", width=412, height=915, density=2.625, touch=True)
        self.assertEqual(page.value("document.getElementById('picture').width"), 1082)
        page.press("ArrowRight")
        shows(page, "step=11")
        frame = page.value("window.page.shown")
        page.tap(*PLAY)
        page.until(f"window.page.shown > {frame + 60}")
        page.tap(*PLAY)
        page.until("!location.hash.includes('step=11')")

    def test_a_class_follows_its_leader_and_answers(self):
        quiz = pathlib.Path(self.folder.name) / "quiz.json"
        quiz.write_text(json.dumps({"format": 1, "questions": ["wavefronts"], "seed": 3, "count": 1}))
        server = Server("--class", "--stage", "naive", "--lesson", quiz)
        leader = self.browser.page(width=1280, height=800).open(server.link)
        leader.until("window.page?.placed === true")
        leader.until("location.hash.startsWith('#') && !location.hash.includes('stage=naive')")  # the question is elsewhere
        leader.press("Escape")  # closes the quiz, whose place is not shared
        follower = self.browser.page(width=412, height=915, density=2.625, touch=True).open(server.followers)
        follower.until("window.page?.placed === true")
        leader.press("End")
        leader.press("ArrowLeft")
        follower.until(f"location.hash === {json.dumps(hash_when_still(leader))}")
        follower.press("Home")  # goes to another place
        shows(follower, "step=0")
        there = hash_when_still(leader)
        self.assertNotIn("step=0", place(leader))
        follower.press("Enter")
        follower.until(f"location.hash === {json.dumps(there)}")

        leader.call("Page.reload")  # a leader who reconnects still leads, with the quiz
        leader.until("window.page?.placed === true")
        follower.press("2", text="2")  # there is no question yet, so the key selects a view
        follower.until(f"location.hash !== {json.dumps(there)}")
        follower.press("Enter")
        leader.until(f"location.hash !== {json.dumps(there)}")  # the quiz is made, and its question is elsewhere
        asked = hash_when_still(leader)
        leader.press("Enter")
        follower.until(f"location.hash === {json.dumps(asked)}")
        downloads = pathlib.Path(self.folder.name) / "of_the_follower"
        downloads.mkdir()
        follower.downloads_to(downloads)
        before = picture_when_still(leader)
        for key, modifiers in (("S", 2 + 8), ("t", 2), ("e", 2), ("Enter", 0)):  # recording, table, export form
            follower.press(key, modifiers=modifiers)
            hash_when_still(follower)
        self.assertEqual(list(downloads.iterdir()), [], "nothing has what the question hides")
        shown = leader.value("window.page.shown")
        follower.tap(*SECOND_CHOICE)
        leader.until(f"window.page.shown > {shown}")
        self.assertNotEqual(picture_when_still(leader), before, "the answer arrives as a bar")
        leader.press("Enter")
        follower.until(f"location.hash !== {json.dumps(asked)}")
        follower.until(f"location.hash === {json.dumps(hash_when_still(leader))}")
        follower.press("S", modifiers=2 + 8)
        self.downloaded("of_the_follower/*.gscope")  # now it may
        self.assertEqual(server.stop(), 0)

    def test_the_page_keeps_to_its_policy(self):
        page = self.open("stage=vectorized view=flow step=10")
        self.assertEqual([one["entry"]["text"] for one in page.events("Log.entryAdded")], [])
        self.assertEqual(page.events("Runtime.exceptionThrown"), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
