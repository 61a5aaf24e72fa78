#!/usr/bin/env python3
"""tests/browser/network_test.py PROGRAM [TEST ...]: tests 'gemmscope serve' with misbehaving clients and encryption."""
import http.client
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from server import PROGRAM, Server
from websocket import Closed, WebSocket, connect

PLACE = "stage=naive view=flow"


def seconds_of(request):
    start = time.monotonic()
    request()
    return time.monotonic() - start


def is_closed_within(stream, seconds):
    """Returns whether the server closes an idle connection within this time."""
    stream.settimeout(seconds)
    try:
        while stream.recv(1 << 16):
            pass
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False
    return True


class HostileClients(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("--visitors", "4")

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0

    def visitor(self):
        visitor = WebSocket(self.server.link)
        visitor.hello(PLACE)
        visitor.expect_frame()
        return visitor

    def expect_served(self, visitor):
        """Checks that an earlier visitor still gets frames without delay."""
        visitor.send({"kind": "key", "key": "ArrowRight", "down": True})
        visitor.send({"kind": "key", "key": "ArrowRight", "down": False})
        visitor.expect_frame()

    def test_half_requests_are_ended_and_hinder_nobody(self):
        visitor = self.visitor()
        half = [connect(self.server.link) for _ in range(100)]
        for number, stream in enumerate(half):
            stream.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nX: "[:number % 24])
        self.assertLess(seconds_of(lambda: self.server.status("/")), 2)
        self.expect_served(visitor)
        time.sleep(10)
        for stream in half:
            self.assertTrue(is_closed_within(stream, 5))
            stream.close()
        self.expect_served(visitor)
        visitor.close()

    def test_an_endless_header_is_ended(self):
        stream = connect(self.server.link)
        with self.assertRaises((BrokenPipeError, ConnectionResetError)):
            stream.sendall(b"GET / HTTP/1.1\r\n")
            for _ in range(1000):
                stream.sendall(b"X: " + b"a" * 10_000 + b"\r\n")
                time.sleep(0.001)
        stream.close()

    def test_who_floods_is_cut_off_alone(self):
        visitor, flood = self.visitor(), self.visitor()
        with self.assertRaises(Closed):
            for _ in range(20_000):
                flood.send({"kind": "move", "x": 1, "y": 1})
            while True:
                flood.receive()
        self.expect_served(visitor)
        visitor.close()

    def test_who_sends_nonsense_is_cut_off_alone(self):
        visitor = self.visitor()
        for nonsense, kind in ((b"nonsense", 1), (b"\xff\xfe", 1), (b"\x00", 2), (b"{}", 1), (b"[" * 60_000, 1)):
            wrong = self.visitor()
            with self.assertRaises(Closed):
                wrong.send(nonsense, kind)
                while True:
                    wrong.receive()
        self.expect_served(visitor)
        visitor.close()

    def test_who_reads_nothing_gets_no_more(self):
        """The server draws no more frames for a page that does not acknowledge earlier ones."""
        visitor, deaf = self.visitor(), self.visitor()
        deaf.send({"kind": "key", "key": " ", "down": True})
        deaf.send({"kind": "key", "key": " ", "down": False})
        time.sleep(3)  # a playing page would get about sixty frames
        frames = 0
        while deaf.has_input(0.5):
            frames += isinstance(deaf.receive(), bytes)
        self.assertLess(frames, 10)
        self.expect_served(visitor)
        for one in (visitor, deaf):
            one.close()

    def test_beyond_the_most_visitors_a_sentence(self):
        visitors = [self.visitor() for _ in range(4)]
        fifth = WebSocket(self.server.link)
        self.assertIn("As many visitors", fifth.receive()["why"])
        visitors.pop().close()
        for one in (*visitors, fifth):
            one.close()
        end = time.monotonic() + 20
        while True:  # the server soon notices the closed connections
            try:
                self.visitor().close()
                break
            except (Closed, AssertionError):
                self.assertLess(time.monotonic(), end)

    def test_a_thousand_connections_in_a_second(self):
        visitor = self.visitor()
        start = time.monotonic()
        for _ in range(1000):
            connect(self.server.link).close()
        self.assertLess(time.monotonic() - start, 20)
        self.expect_served(visitor)
        self.assertLess(seconds_of(lambda: self.server.status("/")), 2)
        visitor.close()


class Encryption(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.certificate, cls.key, cls.other_key = (pathlib.Path(cls.folder.name) / name for name in ("cert.pem", "key.pem", "other.pem"))
        for key in (cls.other_key, cls.key):
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                            "-subj", "/CN=localhost", "-keyout", key, "-out", cls.certificate], check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_pages_and_sockets_are_encrypted(self):
        server = Server("--cert", self.certificate, "--key", self.key)
        self.assertTrue(server.link.startswith("https://"))
        stream = connect(server.link)
        self.assertIn(stream.version(), ("TLSv1.2", "TLSv1.3"))
        stream.sendall(f"GET /?{server.address.query} HTTP/1.0\r\nHost: {server.address.netloc}\r\n\r\n".encode())
        answer = http.client.HTTPResponse(stream)
        answer.begin()
        self.assertEqual(answer.status, 200)
        self.assertIn("Secure", answer.headers["Set-Cookie"])
        stream.close()
        visitor = WebSocket(server.link)
        visitor.hello(PLACE)
        visitor.expect_frame()
        visitor.close()
        plain = connect(server.link.replace("https", "http"))
        plain.sendall(f"GET /?{server.address.query} HTTP/1.0\r\n\r\n".encode())
        self.assertNotIn(b"200", plain.recv(1000)[:20])
        plain.close()
        self.assertEqual(server.stop(), 0)

    def expect_refused(self, words, *options):
        done = subprocess.run([PROGRAM, "serve", "--port", "0", "--backend", "cpu", *options], capture_output=True, text=True,
                              check=False, timeout=60)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(words, done.stderr)

    def test_wrong_files_are_refused(self):
        self.expect_refused("--cert", "--cert", "/nowhere.pem", "--key", self.key)
        self.expect_refused("--key", "--cert", self.certificate, "--key", self.other_key)
        self.expect_refused("--key", "--cert", self.certificate)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
