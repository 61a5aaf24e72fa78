"""Runs 'gemmscope serve' as a process, with the program that the first argument names."""
import http.client
import os
import pathlib
import signal
import subprocess
import sys
import urllib.parse

PROGRAM = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else pathlib.Path("build/app/gemmscope").resolve()
# As in the window's tests, no stage is verified or timed automatically.
ENVIRONMENT = os.environ | {"GEMMSCOPE_NO_MEASURING": "1"}


class Server:
    def __init__(self, *options):
        self.process = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--backend", "cpu", "--theme", "dark", *options], env=ENVIRONMENT,
                                        stdout=subprocess.PIPE, text=True)
        self.link = self.process.stdout.readline().split()[-1]
        # For a class the second line has the link for followers.
        self.followers = self.process.stdout.readline().split()[-1] if "--class" in options else None
        self.address = urllib.parse.urlsplit(self.link)

    def at(self, place):
        return self.link + "#" + urllib.parse.quote(place)

    def status(self, target, **headers):
        connection = http.client.HTTPConnection(self.address.netloc)
        connection.request("GET", target, headers={name.replace("_", "-"): value for name, value in headers.items()})
        status = connection.getresponse().status
        connection.close()
        return status

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(60)
        self.process.stdout.close()
        return status
