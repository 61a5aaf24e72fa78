#!/usr/bin/env python3
"""tests/browser/page_test.py PROGRAM [TEST ...]: tests exported pages that play, opened as files in a real Chromium."""
import base64
import pathlib
import subprocess
import sys
import tempfile
import unittest

from chromium import Chromium
from server import ENVIRONMENT, PROGRAM

EXPORT = [PROGRAM, "export", "--view", "flow", "--stage", "vectorized", "--compare", "swizzled", "--backend", "cpu"]
STEPS = "44-47"

# Positions are multiples of 1/8 pixel here, so more pixels at edges differ than in the window's own page.
MOST_OFF = 32  # of a channel
MOST_DIFFERENT = 0.003  # of all pixels: 0.0010 in both themes (2026-11-28, SwiftShader)

DIFFERENCE = """(async () => {
    const picture = new Image();
    picture.src = 'data:image/png;base64,%s';
    await picture.decode();
    const canvas = document.querySelector('.picture');
    if (picture.width !== canvas.width || picture.height !== canvas.height) return 1;
    const pixels = image => {
        const context = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, canvas.width, canvas.height).data;
    };
    players[0].draw();
    const shown = pixels(canvas), wanted = pixels(picture);
    let different = 0;
    for (let i = 0; i < shown.length; i += 4)
        if ([0, 1, 2].some(channel => Math.abs(shown[i + channel] - wanted[i + channel]) > %d)) ++different;
    return different / (canvas.width * canvas.height);
})()"""

# Returns the middle of the area whose tip begins with these words, in pixels of the window.
PLACE = """(() => {
    const {recording, canvas} = players[0], view = players[0].view(), box = canvas.getBoundingClientRect();
    const area = recording.lists[recording.tips[players[0].moment]].findLast(one => recording.textOf(one.words).startsWith('%s'));
    const at = (low, high, begin, pixels, size) => ((low + high) / 2 * view.scale + begin) * size / pixels;
    return [box.left + at(area.left, area.right, view.left, canvas.width, box.width),
            box.top + at(area.top, area.bottom, view.top, canvas.height, box.height)];
})()"""


PHONE = {"width": 412, "height": 915, "density": 2.625, "touch": True}
PHONE_ON_ITS_SIDE = PHONE | {"width": 915, "height": 412}
FINGER = 44  # smallest width and height of a control for a finger, in units of the page

# A page that embeds the exported one in a frame with these attributes.
HOST = """<!doctype html><title>A blog</title><p>Above.</p>
<iframe name="race" src="race.html" style="width: 900px; height: 700px; border: 0"%s></iframe><p>Below.</p>"""


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.file = pathlib.Path(cls.folder.name) / "race.html"
        subprocess.run([*EXPORT, "--steps", STEPS, "--fps", "10", "--seconds", "2", "-o", cls.file], env=ENVIRONMENT, check=True)
        cls.browser = Chromium().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    def tearDown(self):
        self.browser.close_pages()

    def open(self, scheme="light", **look):
        page = self.browser.page(**look)
        page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        page.open(self.file.as_uri())
        page.until("players[0].drawn !== undefined && players[0].recording.frames.length === players[0].recording.frameCount")
        return page

    def test_it_plays_by_itself_and_needs_nothing_beside_it(self):
        page = self.open()
        page.until("players[0].plays && players[0].moment > 3")
        page.press(" ", text=" ")
        self.assertFalse(page.value("players[0].plays"))
        self.assertEqual([one["entry"]["text"] for one in page.events("Log.entryAdded")], [])
        self.assertEqual(page.events("Runtime.exceptionThrown"), [])
        urls = [one["request"]["url"] for one in page.events("Network.requestWillBeSent")]
        self.assertEqual([url for url in urls if not url.startswith(("file:", "blob:", "data:"))], [])

    def test_steps_and_positions_are_reached_in_both_directions(self):
        page = self.open()
        page.press("Home")
        self.assertEqual(page.value("players[0].recording.steps[players[0].moment]"), 44)
        page.press("ArrowRight")
        self.assertEqual(page.value("players[0].recording.steps[players[0].moment]"), 45)
        page.value("(players[0].slider.value = 20, players[0].slider.dispatchEvent(new Event('input')))")
        self.assertEqual(page.value("players[0].moment"), 20)
        last = page.value("players[0].draw(), players[0].canvas.toDataURL()")
        page.press("ArrowLeft")
        self.assertLess(page.value("players[0].moment"), 20)
        self.assertNotEqual(page.value("players[0].draw(), players[0].canvas.toDataURL()"), last)
        page.press("End")
        self.assertEqual(page.value("players[0].draw(), players[0].canvas.toDataURL()"), last)

    def test_what_is_pointed_at_is_told(self):
        for where in ({}, PHONE):
            with self.subTest(where):
                page = self.open(**where)
                page.press("Home")
                x, y = page.value(PLACE % "Lane 5 ")
                page.tap(x, y) if where else page.click(x, y)
                page.until("!document.querySelector('.tip').hidden")
                self.assertTrue(page.value("document.querySelector('.tip').textContent").startswith("Lane 5 "))

    def test_it_plays_in_another_pages_frame(self):
        for sandbox in ("", ' sandbox="allow-scripts"'):
            with self.subTest(sandbox):
                host = pathlib.Path(self.folder.name) / "host.html"
                host.write_text(HOST % sandbox)
                page = self.browser.page(width=1000, height=900).open(host.as_uri())
                frame = page.frame("race")
                frame.until("players[0].plays && players[0].moment > 3")
                frame.until("players[0].recording.frames.length === players[0].recording.frameCount")
                self.assertTrue(frame.value("document.querySelector('.controls').getBoundingClientRect().bottom < innerHeight"))
                left, top = page.value("(({left, top}) => [left, top])(document.querySelector('iframe').getBoundingClientRect())")
                x, y = frame.middle("[data-do=play]")
                page.click(left + x, top + y)
                frame.until("!players[0].plays")
                page.press("Home")
                frame.until("players[0].moment === 0")
                page.press("ArrowRight")
                frame.until("players[0].recording.steps[players[0].moment] === 45")
                x, y = frame.value(PLACE % "Lane 5 ")
                page.click(left + x, top + y)
                frame.until("document.querySelector('.tip').textContent.startsWith('Lane 5 ')")
                page.press("f", text="f")  # the frame may not use the whole screen, so the page fills the frame
                frame.until("players[0].canvas.getBoundingClientRect().width === innerWidth")
                page.press("Escape")
                frame.until("players[0].canvas.getBoundingClientRect().width < innerWidth")
                for one in (page, frame):
                    self.assertEqual([entry["entry"]["text"] for entry in one.events("Log.entryAdded")], [])
                    self.assertEqual(one.events("Runtime.exceptionThrown"), [])

    def test_a_phone_has_the_picture_from_edge_to_edge_and_controls_for_a_finger(self):
        for where in (PHONE, PHONE | {"width": 360, "height": 640}, PHONE_ON_ITS_SIDE):
            with self.subTest(where):
                page = self.open(**where)
                self.assertEqual(page.value("document.documentElement.scrollWidth"), where["width"], "nothing beside the screen")
                box = page.value("players[0].canvas.getBoundingClientRect().toJSON()")
                if where["width"] < where["height"]:
                    self.assertEqual(box["width"], where["width"])
                else:
                    self.assertGreater(box["height"], 0.85 * where["height"])
                for control in page.value("""[...document.querySelectorAll('.controls > :not(.where)')].map(one => {
                        const {width, height, left, right} = one.getBoundingClientRect();
                        return {name: one.ariaLabel, width, height, left, right};
                    })"""):
                    self.assertGreaterEqual(min(control["width"], control["height"]), FINGER, control)
                    self.assertTrue(0 <= control["left"] and control["right"] <= where["width"], control)

    def test_one_tap_fills_a_phones_screen(self):
        page = self.open(**PHONE)
        page.press("Home")
        page.tap(*page.middle("[data-do=fill]"))
        page.until("players[0].covers && players[0].zoom.factor > 2 && document.fullscreenElement !== null")
        box = page.value("players[0].canvas.getBoundingClientRect().toJSON()")
        self.assertEqual(box["width"], 412)
        self.assertGreater(box["height"], 0.8 * 915)
        view = page.value("players[0].view()")
        self.assertAlmostEqual(view["left"], 0, delta=1)
        self.assertAlmostEqual(view["scale"] * page.value("players[0].recording.height"), box["height"] * 2.625, delta=3)
        x, y = page.value(PLACE.replace("findLast", "find") % "Lane 5 ")  # of the stage at the left
        page.tap(x, y)
        page.until("document.querySelector('.tip').textContent.startsWith('Lane 5 ')")
        page.swipe((300, 400), (200, 400), (100, 400))
        self.assertAlmostEqual(page.value("players[0].view().left"), -200 * 2.625, delta=30)
        page.tap(*page.middle("[data-do=fill]"))
        page.until("!players[0].fills && players[0].zoom.factor === 1 && document.fullscreenElement === null")
        page.until("players[0].canvas.getBoundingClientRect().height < 300")

    def test_a_phone_on_its_side_has_the_controls_beside_the_picture(self):
        page = self.open(**PHONE_ON_ITS_SIDE)
        page.tap(*page.middle("[data-do=fill]"))
        page.until("players[0].fills && players[0].canvas.getBoundingClientRect().height === innerHeight")
        self.assertEqual(page.value("players[0].zoom.factor"), 1)
        self.assertTrue(page.value("""document.querySelector('.controls').getBoundingClientRect().left >=
                                      players[0].canvas.getBoundingClientRect().right"""))

    def test_the_theme_is_the_browsers_until_the_button_is_pressed(self):
        def corner(page):
            return page.value("""(players[0].draw(), (() => {
                const context = new OffscreenCanvas(1, 1).getContext('2d');
                context.drawImage(document.querySelector('.picture'), 0, 0);
                return context.getImageData(0, 0, 1, 1).data[0];
            })())""")

        dark, light = self.open("dark"), self.open("light")
        self.assertLess(corner(dark), 60)
        self.assertGreater(corner(light), 200)
        dark.value("document.querySelector('[data-do=theme]').click()")
        self.assertGreater(corner(dark), 200)

    def test_zoom_keeps_what_is_pointed_at(self):
        page = self.open()
        page.press("Home")
        x, y = page.value(PLACE % "Lane 5 ")
        page.value(f"""(() => {{
            const box = players[0].canvas.getBoundingClientRect();
            players[0].zoomBy(4, {{x: {x} - box.left, y: {y} - box.top}});
        }})()""")
        page.click(x, y)
        page.until("!document.querySelector('.tip').hidden")
        self.assertTrue(page.value("document.querySelector('.tip').textContent").startswith("Lane 5 "))
        page.press("0", text="0")
        self.assertEqual(page.value("players[0].zoom.factor"), 1)

    def test_the_picture_is_that_of_a_png(self):
        wanted = pathlib.Path(self.folder.name) / "wanted.png"
        for scheme in ("light", "dark"):
            with self.subTest(scheme):
                alone = pathlib.Path(self.folder.name) / "alone.html"
                subprocess.run([*EXPORT, "--step", "44", "--scale", "2", "-o", alone], env=ENVIRONMENT, check=True)
                subprocess.run([*EXPORT, "--step", "44", "--scale", "2", "--theme", scheme, "-o", wanted], env=ENVIRONMENT, check=True)
                page = self.browser.page(width=1400, height=1200, density=2)
                page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
                page.open(alone.as_uri())
                page.until("players[0].drawn === 0")
                page.value("(players[0].stage.style = 'width: 1280px; height: 800px; border: 0') && 1")
                page.until("players[0].canvas.width === 2560 && players[0].canvas.height === 1600")
                different = page.value(DIFFERENCE % (base64.b64encode(wanted.read_bytes()).decode(), MOST_OFF))
                print(f"{scheme}: {different:.5f} of all pixels differ")
                self.assertLess(different, MOST_DIFFERENT)

    def test_its_words_are_text(self):
        page = self.open()
        words = page.value("document.body.innerText")
        for part in ("flow, vectorized beside swizzled", "steps 44 to 47", "gemmscope export --show"):
            self.assertIn(part, words)
        self.assertGreater(page.value("document.querySelectorAll('details td').length"), 20)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
