#!/usr/bin/env python3
"""Measures `inertial serve` over HTTP on this machine, with only Python's standard library.

usage: serve_load.py [--program PATH] stream [--seconds 600] [--rate 100] [--pages 20] [--batch 1] [--tls]
       serve_load.py [--program PATH] hostile [--count 10000] [--open] [--slow 10000]
       serve_load.py [--program PATH] kills [--runs 200]

stream:  a phone posts at the given rate while pages listen. Prints the losses, the median and 99th percentile of the latency
         from post to page, the server's memory after a tenth of the time and at the end, and the machine's stalls: the delay
         of a thread that sleeps for a millisecond. --tls: encrypted, with a certificate made by openssl.
hostile: requests that must be refused or must have no effect; prints their statuses and the server's memory. --open: with a
         token in the path, and requests without it. --slow: only connections that begin a request and never end it.
kills:   SIGKILL during recordings: they contain all acknowledged messages, and each gets its report.
"""

import argparse
import base64
import collections
import http.client
import json
import os
import pathlib
import random
import re
import selectors
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[3]
BASE = 1_700_000_000_000_000_000


class Server:
    """The running command, in its own folder."""

    def __init__(self, program, *arguments, tls=False):
        self.folder = tempfile.TemporaryDirectory(prefix="serve-load-")
        self.program = program
        self.context = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        if tls:
            files = [f"{self.folder.name}/{name}.pem" for name in ("certificate", "key")]
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                            "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
                            "-out", files[0], "-keyout", files[1]], check=True, stderr=subprocess.DEVNULL)
            arguments = [*arguments, "--certificate", files[0], "--key", files[1]]
            self.context = ssl.create_default_context(cafile=files[0])
        self.process = subprocess.Popen([program, "serve", "--port", str(self.port), *arguments], cwd=self.folder.name,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.path = urllib.parse.urlparse(self.process.stdout.readline().split()[-1]).path

    def memory(self):
        """Returns the resident memory in megabytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self.context.wrap_socket(connection, server_hostname="127.0.0.1") if self.context else connection

    def sender(self):
        if self.context:
            return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=60, context=self.context)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait(60)
        self.process.stdout.close()

    def recordings(self):
        return sorted((pathlib.Path(self.folder.name) / "recordings").glob("*.push.jsonl"))


def message(number, samples, rate):
    """Returns a batch of a slowly rotating phone with the samples of the given indices."""
    payload = []
    for place in samples:
        stamp = BASE + place * 1_000_000_000 // rate
        for name, values in [("gyroscopeuncalibrated", (0.1, 0.02, 0.3)), ("accelerometeruncalibrated", (0.01, 0.02 * (place % 3), -1.0)),
                             ("magnetometeruncalibrated", (20.0, 0.1, -40.0))]:
            payload.append({"name": name, "time": stamp, "values": dict(zip("xyz", values))})
    return json.dumps({"messageId": number, "sessionId": "s", "deviceId": "phone", "payload": payload}).encode()


def head(path, port, length, more=""):
    return (f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n{more}"
            f"Content-Length: {length}\r\n\r\n").encode()


class Stalls(threading.Thread):
    """The wake-up delays of a thread: a lower bound of the latency of any server on the machine."""

    def __init__(self):
        super().__init__(daemon=True)
        self.late = []
        self.start()

    def run(self):
        while True:
            begin = time.monotonic()
            time.sleep(0.001)
            self.late.append(time.monotonic() - begin - 0.001)


class Pages(threading.Thread):
    """WebSockets that record the arrival time of each row."""

    def __init__(self, server, count):
        super().__init__(daemon=True)
        self.selector = selectors.DefaultSelector()
        self.rows = [0] * count
        self.arrivals = []
        self.is_ending = False
        for place in range(count):
            connection = server.connect()
            key = base64.b64encode(os.urandom(16)).decode()
            connection.sendall((f"GET {server.path}stream HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\n"
                                f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode())
            greeting = b""
            while b"\r\n\r\n" not in greeting:
                greeting += connection.recv(65536)
            rest = bytearray(greeting.split(b"\r\n\r\n", 1)[1])
            connection.setblocking(False)
            self.selector.register(connection, selectors.EVENT_READ, (place, rest))

    def run(self):
        while not self.is_ending:
            for key, _ in self.selector.select(0.2):
                place, buffer = key.data
                try:
                    piece = key.fileobj.recv(1 << 18)
                    # Data that is already decrypted does not wake the selector.
                    while getattr(key.fileobj, "pending", int)():
                        piece += key.fileobj.recv(1 << 18)
                except (BlockingIOError, ssl.SSLWantReadError):
                    continue
                if not piece:
                    self.selector.unregister(key.fileobj)
                    continue
                buffer += piece
                self.take(place, buffer, time.monotonic(), key.fileobj)

    def take(self, place, buffer, now, connection):
        while len(buffer) >= 2:
            size, start = buffer[1] & 127, 2
            if size == 126:
                size, start = int.from_bytes(buffer[2:4], "big"), 4
            elif size == 127:
                size, start = int.from_bytes(buffer[2:10], "big"), 10
            if len(buffer) < start + size:
                return
            if buffer[0] & 15 == 9:
                # A connection that does not answer a ping is closed.
                connection.send(bytes([0x8A, 0x80, 0, 0, 0, 0]))
            text = bytes(buffer[start:start + size])
            del buffer[:start + size]
            if text.startswith(b'{"type":"rows"'):
                times = re.findall(rb"\[(-?[0-9.e-]+),", text)
                self.rows[place] += len(times)
                for moment in times:
                    self.arrivals.append((float(moment), now))


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def stream(server, options):
    stalls, pages = Stalls(), Pages(server, options.pages)
    pages.start()
    connection = server.sender()
    begin = time.monotonic()
    posted, answers, number, place = {}, collections.Counter(), 0, 0
    memory = None
    total = int(options.seconds * options.rate)
    while place < total:
        batch = range(place, min(place + options.batch, total))
        time.sleep(max(0, begin + place / options.rate - time.monotonic()))
        number += 1
        body = message(number, batch, options.rate)
        now = time.monotonic()
        for sample in batch:
            posted[sample] = now
        connection.request("POST", f"{server.path}push", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        answers[answer.status] += 1
        place += len(batch)
        if memory is None and place > total / 10:
            memory = server.memory()
    deadline = time.monotonic() + 10
    while min(pages.rows, default=total) < total and time.monotonic() < deadline:
        time.sleep(0.05)
    end_memory = server.memory()
    pages.is_ending = True
    pages.join()
    took = time.monotonic() - begin
    times = [(moment, now - posted[round(moment * options.rate)]) for moment, now in pages.arrivals
             if round(moment * options.rate) in posted]
    waits, settled = [wait for _, wait in times], [wait for moment, wait in times if moment > 1.1]
    print(f"{total} samples at {options.rate} Hz in {took:.0f} s, {number} posts, {options.pages} pages; answers {dict(answers)}")
    print(f"rows at the pages: {min(pages.rows)} to {max(pages.rows)} of {total}")
    print(f"post to page: median {percentile(waits, 0.5) * 1000:.1f} ms, 99 % {percentile(waits, 0.99) * 1000:.1f} ms, "
          f"most {max(waits) * 1000:.0f} ms; behind the first second, whose rows wait until the filter has settled: "
          f"99 % {percentile(settled, 0.99) * 1000:.1f} ms, most {max(settled) * 1000:.0f} ms")
    print(f"load of the machine: {' '.join(f'{load:.1f}' for load in os.getloadavg())}")
    print(f"the machine's own stalls: 99 % {percentile(stalls.late, 0.99) * 1000:.1f} ms, most {max(stalls.late) * 1000:.0f} ms")
    print(f"memory: {memory:.1f} MB after a tenth, {end_memory:.1f} MB at the end ({(end_memory / memory - 1) * 100:+.1f} %)")
    server.end()
    lines = sum(len(path.read_text().splitlines()) - 1 for path in server.recordings())
    print(f"recorded: {lines} of {number} messages")


def ask(server, data):
    """Sends bytes and returns the status of the answer, or 0 without an answer."""
    try:
        with server.connect() as connection:
            connection.sendall(data)
            answer = connection.recv(4096)
            return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0
    except OSError:
        return 0


def slow(server, options):
    """Opens as many connections as one address may have; each sends one byte per second of an endless request."""
    statuses, memory, begun, begin = collections.Counter(), server.memory(), 0, time.monotonic()
    selector = selectors.DefaultSelector()
    last = 0.0
    while begun < options.slow or selector.get_map():
        while begun < options.slow and len(selector.get_map()) < 120:
            connection = server.connect()
            connection.sendall(head(f"{server.path}push", server.port, 1000))
            selector.register(connection, selectors.EVENT_READ, time.monotonic())
            begun += 1
        if time.monotonic() - last > 1:
            last = time.monotonic()
            for key in list(selector.get_map().values()):
                try:
                    key.fileobj.send(b" ")
                except OSError:
                    pass
        for key, _ in selector.select(0.2):
            try:
                answer = key.fileobj.recv(4096)
            except OSError:
                answer = b""
            statuses[int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0] += 1
            selector.unregister(key.fileobj)
            key.fileobj.close()
    print(f"slow: {dict(sorted(statuses.items()))} in {time.monotonic() - begin:.0f} s, "
          f"memory {memory:.1f} to {server.memory():.1f} MB")


def hostile(server, options):
    if options.slow:
        slow(server, options)
        return server.end()
    generator = random.Random(5)
    good = message(1, range(100), 100)
    port, push = server.port, f"{server.path}push"

    def wild():
        return bytes(generator.randrange(256) for _ in range(generator.randrange(1, 300))) + b"\r\n\r\n"

    def damaged():
        body = bytearray(good)
        body[generator.randrange(len(body))] = generator.randrange(256)
        return head(push, port, len(body)) + bytes(body)

    kinds = {
        "malformed": lambda: head(push, port, 9) + b'{"payload', "damaged": damaged,
        "oversized": lambda: head(push, port, 1 << 40), "random": wild,
        "cross-origin": lambda: head(push, port, len(good), "Origin: http://evil.example\r\n") + good,
        "another host": lambda: head(push, port, len(good)).replace(b"127.0.0.1", b"evil.example") + good,
        "a path elsewhere": lambda: f"GET {server.path}recordings/..%2f..%2fetc%2fpasswd HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode(),
        "replayed": lambda: head(push, port, len(good)) + good,
    }
    if server.path != "/":
        kinds["without the token"] = lambda: head("/push", port, len(good)) + good
    for name, make in kinds.items():
        before = server.memory()
        statuses = collections.Counter()
        begin = time.monotonic()
        for place in range(options.count):
            statuses[ask(server, make())] += 1
            time.sleep(max(0, begin + place / 2000 - time.monotonic()))
        print(f"{name}: {dict(sorted(statuses.items()))}, memory {before:.1f} to {server.memory():.1f} MB", flush=True)
    before = server.memory()
    for _ in range(options.count):
        try:
            with server.connect() as connection:
                connection.sendall(head(push, port, 1000)[:generator.randrange(1, 90)])
        except OSError:
            pass
    print(f"begun and left: memory {before:.1f} to {server.memory():.1f} MB")
    fine = ask(server, head(push, port, len(good)) + good)
    print(f"then a message: {fine}, the server {'runs' if server.process.poll() is None else 'has ended'}")
    server.end()


def kills(program, options):
    lost, unread = 0, 0
    for run in range(options.runs):
        server = Server(program)
        connection = server.sender()
        timer = threading.Timer(random.uniform(0.15, 0.9), lambda: server.process.send_signal(signal.SIGKILL))
        timer.start()
        acknowledged, number = [], 0
        try:
            while True:
                number += 1
                connection.request("POST", f"{server.path}push", message(number, range(5 * number, 5 * number + 5), 100))
                answer = connection.getresponse()
                answer.read()
                if answer.status == 200:
                    acknowledged.append(number)
        except (OSError, http.client.HTTPException):
            pass
        server.process.wait()
        recorded = set()
        for path in server.recordings():
            for line in path.read_text().split("\n")[1:]:
                try:
                    recorded.add(json.loads(line)["messageId"])
                except (ValueError, KeyError):
                    pass
        lost += len(set(acknowledged) - recorded)
        if len(acknowledged) > 40:
            made = subprocess.run([program, "report", str(server.recordings()[0]), "-o", f"{server.folder.name}/r.html"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            if made.returncode:
                unread += 1
                print(f"run {run}: {made.stderr.strip()}")
        server.process.stdout.close()
        server.folder.cleanup()
        if (run + 1) % 20 == 0:
            print(f"{run + 1} kills: {lost} acknowledged messages lost, {unread} reports not made", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(ROOT / ".build/release/inertial"))
    parts = parser.add_subparsers(dest="part", required=True)
    part = parts.add_parser("stream")
    for name, value in [("seconds", 600.0), ("rate", 100), ("pages", 20), ("batch", 1)]:
        part.add_argument(f"--{name}", type=type(value), default=value)
    part.add_argument("--tls", action="store_true", help="encrypted")
    part = parts.add_parser("hostile")
    part.add_argument("--count", type=int, default=10_000)
    part.add_argument("--open", action="store_true", help="with a token in the path")
    part.add_argument("--slow", type=int, default=0, help="so many slow senders, and nothing else")
    part = parts.add_parser("kills")
    part.add_argument("--runs", type=int, default=200)
    options = parser.parse_args()
    if options.part == "kills":
        return kills(options.program, options)
    more = ["--public", "https://phone.example.org"] if options.part == "hostile" and options.open else []
    server = Server(options.program, *more, tls=options.part == "stream" and options.tls)
    return stream(server, options) if options.part == "stream" else hostile(server, options)


if __name__ == "__main__":
    sys.exit(main())
