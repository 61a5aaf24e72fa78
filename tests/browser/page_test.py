#!/usr/bin/env python3
"""tests/browser/page_test.py PROGRAM [TEST ...]: a page that plays, opened as a file in a real Chromium."""
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

# Positions are multiples of 1/8 pixel here, so more pixels at edges are off than in the window's own page.
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

# The middle of the tip whose words begin so, in pixels of the window.
PLACE = """(() => {
    const {recording, canvas} = players[0], view = players[0].view(), box = canvas.getBoundingClientRect();
    const area = recording.lists[recording.tips[players[0].moment]].findLast(one => recording.textOf(one.words).startsWith('%s'));
    const at = (low, high, begin, pixels, size) => ((low + high) / 2 * view.scale + begin) * size / pixels;
    return [box.left + at(area.left, area.right, view.left, canvas.width, box.width),
            box.top + at(area.top, area.bottom, view.top, canvas.height, box.height)];
})()"""


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
        for where in ({}, {"width": 412, "height": 915, "density": 2.625, "touch": True}):
            with self.subTest(where):
                page = self.open(**where)
                page.press("Home")
                x, y = page.value(PLACE % "Lane 5 ")
                page.tap(x, y) if where else page.click(x, y)
                page.until("!document.querySelector('.tip').hidden")
                self.assertTrue(page.value("document.querySelector('.tip').textContent").startswith("Lane 5 "))

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
