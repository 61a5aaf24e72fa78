"""A page without a browser: a client for the WebSocket of 'gemmscope serve', which can also misbehave."""
import base64
import json
import os
import select
import socket
import ssl
import struct
import time
import urllib.parse
import zlib


class Closed(Exception):
    """The server has closed the connection."""


def connect(link, seconds=10):
    """Connects to the server of a link, encrypted if it begins with https. The certificate is not checked."""
    address = urllib.parse.urlsplit(link)
    plain = socket.create_connection((address.hostname, address.port), timeout=seconds)
    if address.scheme == "http":
        return plain
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(plain, server_hostname=address.hostname)


def varint_at(message, place):
    """Returns a number stored with seven bits per byte, and the position after it."""
    number, shift = 0, 0
    while True:
        number |= (message[place] & 127) << shift
        place, shift = place + 1, shift + 7
        if message[place - 1] < 128:
            return number, place


class WebSocket:
    def __init__(self, link, origin=None):
        address = urllib.parse.urlsplit(link)
        self.socket = connect(link)
        self.socket.sendall((f"GET {address.path}socket?{address.query} HTTP/1.1\r\nHost: {address.netloc}\r\n"
                             f"Origin: {origin or address.scheme + '://' + address.netloc}\r\n"
                             "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                             f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n").encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        self.status = int(head.split()[1])
        self.bytes = 0  # number of received bytes
        self.stream = zlib.decompressobj(-15)

    def fill(self):
        part = self.socket.recv(1 << 16)
        if not part:
            self.close()
            raise Closed
        self.buffer += part

    def send(self, payload, kind=1):
        """kind: 1 for text, 2 for bytes, 10 for the answer to a ping."""
        payload = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        size = len(payload)
        length = bytes([0x80 | size]) if size < 126 else struct.pack("!BH" if size < 65536 else "!BQ",
                                                                     0xfe if size < 65536 else 0xff, size)
        try:
            self.socket.sendall(bytes([0x80 | kind]) + length + bytes(4) + payload)  # a mask of zeros changes nothing
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError) as error:
            self.close()
            raise Closed from error

    def has_input(self, seconds=0):
        waiting = isinstance(self.socket, ssl.SSLSocket) and self.socket.pending() > 0
        return bool(self.buffer) or waiting or bool(select.select([self.socket], [], [], seconds)[0])

    def receive(self):
        """Returns the next message: the JSON value of a text, inflated bytes, or None for a ping, which it answers."""
        kind, payload = self.receive_frame()
        if kind == 8:
            self.close()
            raise Closed
        if kind == 9:
            self.send(payload, 10)
        return json.loads(payload) if kind == 1 else self.stream.decompress(payload)[4:] if kind == 2 else None

    def receive_frame(self):
        try:
            while len(self.buffer) < 2:
                self.fill()
            size, head = self.buffer[1] & 127, 2
            head += {126: 2, 127: 8}.get(size, 0)
            while len(self.buffer) < head:
                self.fill()
            size = size if head == 2 else int.from_bytes(self.buffer[2:head], "big")
            while len(self.buffer) < head + size:
                self.fill()
        except ConnectionResetError as error:
            self.close()
            raise Closed from error
        kind, payload = self.buffer[0] & 15, self.buffer[head:head + size]
        self.buffer = self.buffer[head + size:]
        self.bytes += head + size
        return kind, payload

    def hello(self, place="", width=1600, height=1000):
        self.send({"kind": "hello", "width": width, "height": height, "density": 1, "light": False, "place": place})

    def show(self, message):
        """Acknowledges a frame as drawn, as a page does. Returns whether the message is a frame."""
        if not isinstance(message, bytes) or message[:1] != b"\x01":
            return False
        _, begin = varint_at(message, 1)  # skips the size of the first column, which begins with the frame's number
        number, _ = varint_at(message, begin)
        self.send({"kind": "shown", "number": number})
        return True

    def settle(self, quiet=0.5, seconds=60):
        """Receives frames until none has arrived for a while."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.has_input(quiet):
            self.show(self.receive())

    def expect_frame(self, quiet=0.5, seconds=60):
        """Waits for a frame, which may be late on a busy machine, and receives those after it."""
        end = time.monotonic() + seconds
        while not (self.has_input(max(0, end - time.monotonic())) and self.show(self.receive())):
            assert time.monotonic() < end, f"no frame in {seconds} s"
        self.settle(quiet)

    def close(self):
        self.socket.close()
