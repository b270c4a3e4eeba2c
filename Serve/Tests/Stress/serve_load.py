#!/usr/bin/env python3
"""Measures `inertial serve` over HTTP on this machine, with only Python's standard library.

usage: serve_load.py [--program PATH] stream [--seconds 600] [--rate 100] [--pages 20] [--batch 1] [--tls]
       serve_load.py [--program PATH] hostile [--count 10000] [--open] [--slow 10000]
       serve_load.py [--program PATH] kills [--runs 200]
       serve_load.py [--program PATH] crowd [--seconds 10] [--only NAME]
       serve_load.py [--program PATH] numbers [--count 1000000] [--seed 1]
       serve_load.py [--program PATH] sources [--count 1000] [--seed 1]
       serve_load.py [--program PATH] faults [--numbers 40]

stream:  a phone posts at the given rate while pages listen. Prints the losses, the median and 99th percentile of the latency
         from post to page, the server's memory after a tenth of the time and at the end, and the machine's stalls: the delay
         of a thread that sleeps for a millisecond. --tls: encrypted, with a certificate made by openssl.
hostile: requests that must be refused or must have no effect; prints their statuses and the server's memory. --open: with a
         token in the path, and requests without it. --slow: only connections that begin a request and never end it.
kills:   SIGKILL during recordings: they contain all acknowledged messages, and each gets its report.
crowd:   a phone posts at 100 Hz while other clients do what they should not (the functions after CROWD). Prints the time
         within which 99 % of its posts are answered with 200, and the server's memory before and at its peak.
numbers: messages with wild values in all numeric fields; prints the statuses, the memory after a tenth and at the end.
sources: the server reads from phones (phyphox, SensorServer) that answer with wild numbers, lengths and heads.
faults:  each fsync, write, open and close of the server fails in turn, recordings disappear, and a second server starts in
         the same folder; after SIGKILL, every acknowledged message must be in a recording.
The exit status is 1 if a phone is not served, a server has ended, or an acknowledged message is lost.
"""

import argparse
import base64
import collections
import hashlib
import http.client
import json
import multiprocessing
import os
import pathlib
import random
import re
import selectors
import signal
import shutil
import socket
import ssl
import struct
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

    def __init__(self, program, *arguments, tls=False, folder=None, environment=None):
        self.folder = folder or tempfile.TemporaryDirectory(prefix="serve-load-")
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
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        env={**os.environ, **(environment or {})})
        first = self.process.stdout.readline().split()
        # A server that a fault ends at its start has no address.
        self.path = urllib.parse.urlparse(first[-1]).path if first else None

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

    def connect_fails(self):
        """Returns whether no connection can be opened: the server has ended."""
        try:
            self.connect().close()
            return False
        except OSError:
            return True

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait(60)
        self.process.stdout.close()

    def recordings(self):
        return sorted((pathlib.Path(self.folder.name) / "recordings").glob("*.push.jsonl"))


def message(number, samples, rate, device="phone", session="s"):
    """Returns a batch of a slowly rotating phone with the samples of the given indices."""
    payload = []
    for place in samples:
        stamp = BASE + place * 1_000_000_000 // rate
        for name, values in [("gyroscopeuncalibrated", (0.1, 0.02, 0.3)), ("accelerometeruncalibrated", (0.01, 0.02 * (place % 3), -1.0)),
                             ("magnetometeruncalibrated", (20.0, 0.1, -40.0))]:
            payload.append({"name": name, "time": stamp, "values": dict(zip("xyz", values))})
    return json.dumps({"messageId": number, "sessionId": session, "deviceId": device, "payload": payload}).encode()


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
                device = re.search(rb'"device":"([^"]*)"', text).group(1).decode()
                times = re.findall(rb"\[(-?[0-9.e-]+),", text)
                self.rows[place] += len(times)
                for moment in times:
                    self.arrivals.append((device, float(moment), now))


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


class Browser:
    """The live page in headless Chromium as it starts, which records the arrival time of each row."""

    SCRIPT = """(() => { const { receive } = inertial; window.arrivals = [];
      inertial.receive = (message) => { if (message.type === "rows") {
          const now = performance.timeOrigin + performance.now();
          for (const row of message.rows) arrivals.push([message.device, row[0], now]); }
        receive.call(inertial, message); }; })()"""

    def __init__(self, server):
        sys.path.insert(0, str(ROOT / "Tests/Tools/Figures/Report/Browser"))
        import browser
        self.browser = browser.Browser()
        # The browser would report each message of a WebSocket to this program.
        self.browser.call("Network.disable")
        self.browser.call("Page.navigate", url=f"http://127.0.0.1:{server.port}{server.path}")
        deadline = time.monotonic() + 60
        while not self.browser.run("Boolean(window.inertial?.hello)") and time.monotonic() < deadline:
            time.sleep(0.1)
        self.browser.run(self.SCRIPT)

    def arrivals(self):
        """The device, the time and the arrival of each row, on this program's monotonic clock."""
        offset = time.monotonic() - time.time()
        found = self.browser.run("arrivals")
        self.browser.close()
        return [(device, moment, now / 1000 + offset) for device, moment, now in found]


def stream(server, options):
    stalls, pages = Stalls(), Pages(server, options.pages)
    pages.start()
    shown = Browser(server) if options.browser else None
    total = int(options.seconds * options.rate)
    posted, answers, counts = {}, collections.Counter(), [0] * options.phones
    memories = []

    def post(connection, phone, place):
        batch = range(place, min(place + options.batch, total))
        counts[phone] += 1
        body = message(counts[phone], batch, options.rate, f"phone {phone + 1}")
        now = time.monotonic()
        for sample in batch:
            posted[f"d{phone + 1}", sample] = now
        connection.request("POST", f"{server.path}push", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        answers[answer.status] += 1

    def run(connection, phone):
        for place in range(options.batch, total, options.batch):
            # The phones are not in step.
            time.sleep(max(0, begin + (place + phone / options.phones) / options.rate - time.monotonic()))
            post(connection, phone, place)
            if phone == 0 and not memories and place > total / 10:
                memories.append(server.memory())

    connections = [server.sender() for _ in range(options.phones)]
    for phone, connection in enumerate(connections):
        post(connection, phone, 0)
    begin = time.monotonic()
    phones = [threading.Thread(target=run, args=(connection, phone)) for phone, connection in enumerate(connections)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    wanted = total * options.phones
    deadline = time.monotonic() + 10
    while min(pages.rows, default=wanted) < wanted and time.monotonic() < deadline:
        time.sleep(0.05)
    memories.append(server.memory())
    pages.is_ending = True
    pages.join()
    took = time.monotonic() - begin
    print(f"{options.phones} phones with {total} samples at {options.rate} Hz in {took:.0f} s, {sum(counts)} posts, "
          f"{options.pages} pages; answers {dict(answers)}")
    arrivals = {"sockets": pages.arrivals} | ({"browser": shown.arrivals()} if shown else {})
    for reader, rows in arrivals.items():
        times = [(moment, now - posted[device, round(moment * options.rate)]) for device, moment, now in rows
                 if (device, round(moment * options.rate)) in posted]
        if not times:
            continue
        waits, settled = [wait for _, wait in times], [wait for moment, wait in times if moment > 1.1]
        print(f"{reader}: {len(rows)} rows, {wanted} samples; post to page: median {percentile(waits, 0.5) * 1000:.1f} ms, "
              f"99 % {percentile(waits, 0.99) * 1000:.1f} ms, most {max(waits) * 1000:.0f} ms; after the first second, whose "
              f"rows wait until the filter has settled: 99 % {percentile(settled, 0.99) * 1000:.1f} ms, most "
              f"{max(settled) * 1000:.0f} ms")
    print(f"load of the machine: {' '.join(f'{load:.1f}' for load in os.getloadavg())}")
    print(f"the machine's own stalls: 99 % {percentile(stalls.late, 0.99) * 1000:.1f} ms, most {max(stalls.late) * 1000:.0f} ms")
    print(f"memory: {memories[0]:.1f} MB after a tenth, {memories[-1]:.1f} MB at the end ({(memories[-1] / memories[0] - 1) * 100:+.1f} %)")
    server.end()
    lines = sum(len(path.read_text().splitlines()) - 1 for path in server.recordings())
    print(f"recorded: {lines} of {sum(counts)} messages")


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


# MARK: A phone in a crowd

CROWD = {}


def crowd_of(function):
    CROWD[function.__name__.replace("_", " ")] = function
    return function


def endless(server, step):
    """Repeats a step on a separate connection; opens another one when the server ends it."""
    while True:
        try:
            with server.connect() as connection:
                while True:
                    step(connection)
        except OSError:
            time.sleep(0.001)


@crowd_of
def nothing(server):
    """The phone alone."""
    time.sleep(3600)


@crowd_of
def pipelines(server):
    """Requests that arrive together, with unread answers, on 16 connections."""
    text = f"GET {server.path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode() * 1000
    together(16, lambda: endless(server, lambda connection: connection.sendall(text)))


@crowd_of
def read_pipelines(server):
    """Requests that arrive together, with answers that are read, on 8 connections."""
    text = f"GET {server.path}devices HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode() * 200

    def step(connection):
        connection.sendall(text)
        connection.settimeout(0.05)
        try:
            while connection.recv(1 << 20):
                pass
        except TimeoutError:
            pass
        connection.settimeout(60)

    together(8, lambda: endless(server, step))


@crowd_of
def unread_downloads(server):
    """Unread downloads of 100 MB, on 100 connections."""
    text = f"GET {server.path}recordings/large.push.jsonl HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()

    def step(connection):
        connection.sendall(text)
        time.sleep(5)

    together(100, lambda: endless(server, step))


@crowd_of
def long_pushes(server):
    """Messages of 2.8 MB on 8 connections."""
    body = message(1, range(9500), 100, device="long")
    text = head(f"{server.path}push", server.port, len(body)) + body

    def step(connection):
        connection.sendall(text)
        if not connection.recv(4096):
            raise OSError

    together(8, lambda: endless(server, step))


@crowd_of
def unread_pings(server):
    """Pings of WebSockets with unread answers, on 8 connections."""
    pings = (bytes([0x89, 0x80 | 125]) + bytes(4) + bytes(125)) * 500

    def one():
        while True:
            try:
                with server.connect() as connection:
                    connection.sendall(handshake(server))
                    connection.recv(10)
                    while True:
                        connection.sendall(pings)
            except OSError:
                time.sleep(0.001)

    together(8, one)


@crowd_of
def unread_pages(server):
    """Readers of the live stream that read nothing: 200 WebSockets and 200 readers of samples."""
    text = f"GET {server.path}samples HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
    held = []
    for place in range(400):
        try:
            held.append(server.connect())
            held[-1].sendall(handshake(server) if place % 2 else text)
        except OSError:
            pass
    time.sleep(3600)


@crowd_of
def idle_connections(server):
    """1,000 connections that send nothing, or half a head."""
    held = []
    while True:
        try:
            held.append(server.connect())
            if len(held) % 2:
                held[-1].sendall(b"GET / HTTP/1.1\r\nHost:")
        except OSError:
            pass
        if len(held) > 1000:
            held.pop(0).close()
            time.sleep(0.01)


@crowd_of
def many_recordings(server):
    """Lists of a folder with 20,000 recordings, and downloads of one, on 8 connections."""
    texts = [f"GET {server.path}recordings{more} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
             for more in ("", "/0.push.jsonl")]

    def step(connection):
        for text in texts:
            connection.sendall(text)
            if not connection.recv(1 << 20):
                raise OSError

    together(8, lambda: endless(server, step))


@crowd_of
def many_devices(server):
    """Sixteen devices on one connection, and more of them on others, before the phone begins and all the time."""
    numbers = iter(range(1, 1 << 60))

    def step(connection):
        number = next(numbers)
        body = message(number, [number], 100, device=f"other {number % 16}")
        connection.sendall(head(f"{server.path}push", server.port, len(body)) + body)
        if not connection.recv(4096):
            raise OSError

    together(4, lambda: endless(server, step))


@crowd_of
def stolen_device(server):
    """Other sessions under the phone's own device id."""
    numbers = iter(range(1, 1 << 60))

    def step(connection):
        number = next(numbers)
        body = message(number, [number], 100, session=f"stolen {number // 20}")
        connection.sendall(head(f"{server.path}push", server.port, len(body)) + body)
        if not connection.recv(4096):
            raise OSError
        time.sleep(0.01)

    endless(server, step)


def handshake(server):
    key = base64.b64encode(os.urandom(16)).decode()
    return (f"GET {server.path}stream HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode()


def together(count, work):
    threads = [threading.Thread(target=work, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def crowd(program, options):
    """Measures a phone beside each kind of other clients."""
    is_bad = False
    for name, attack in CROWD.items():
        if options.only and options.only != name:
            continue
        server = Server(program)
        recordings = pathlib.Path(server.folder.name) / "recordings"
        if attack is unread_downloads:
            (recordings / "large.push.jsonl").write_bytes(b"x" * 100_000_000)
        if attack is many_recordings:
            for place in range(20_000):
                (recordings / f"{place}.push.jsonl").write_bytes(b"{}\n")
        before = server.memory()
        others = multiprocessing.Process(target=attack, args=(server,), daemon=True)
        others.start()
        time.sleep(1)
        waits, statuses, peak, stalls = [], collections.Counter(), before, Stalls()
        begin = time.monotonic()
        connection = None
        for number in range(1, int(100 * options.seconds)):
            time.sleep(max(0, begin + number / 100 - time.monotonic()))
            start = time.monotonic()
            while True:
                try:
                    connection = connection or server.sender()
                    connection.request("POST", f"{server.path}push", message(number, [number], 100),
                                       {"Content-Type": "application/json"})
                    answer = connection.getresponse()
                    answer.read()
                    statuses[answer.status] += 1
                    if answer.status == 200:
                        break
                except (OSError, http.client.HTTPException):
                    statuses["no answer"] += 1
                connection.close()
                connection = None
                if time.monotonic() > start + 10:
                    break
                time.sleep(0.001)
            waits.append(time.monotonic() - start)
            if number % 10 == 0:
                peak = max(peak, server.memory())
            if time.monotonic() > begin + 3 * options.seconds:
                break
        others.kill()
        others.join()
        own = [path for path in server.recordings() if b'"device":"phone","session":"s"' in path.open("rb").readline()]
        wait = percentile(waits, 0.99) * 1000
        is_alive = server.process.poll() is None
        is_bad = is_bad or wait > 100 or not is_alive or statuses[200] < len(waits)
        print(f"{name}: 50 % {percentile(waits, 0.5) * 1000:.1f} ms, 99 % {wait:.1f} ms, most {max(waits) * 1000:.0f} ms of "
              f"{len(waits)} posts, {dict(statuses)}; {len(own)} recording{'s' * (len(own) != 1)} of the phone; memory "
              f"{before:.0f} to {peak:.0f} MB; the machine's own stalls: 99 % {percentile(stalls.late, 0.99) * 1000:.1f} ms"
              f"{'' if is_alive else '; the server has ended'}", flush=True)
        server.end(signal.SIGKILL)
        server.folder.cleanup()
    sys.exit(is_bad)


# MARK: Wild numbers

EDGES = ["0", "-0", "1", "-1", "0.1", "1e-320", "5e-324", "1e308", "1.8e308", "-1e308", "1e999", "-1e999", "1e15", "1e16",
         "9007199254740993", "2147483648", "4294967296", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
         "18446744073709551616", "99999999999999999999", "1700000000", "1700000000000", "1700000000000000", "978307200000000000",
         "4200000000000000000", "4197484800000000000", "null", "true", "\"1\"", "\"\"", "\"nan\"", "[]", "{}", "1e-7", "123456.789"]
NAMES = ["accelerometer", "accelerometeruncalibrated", "totalacceleration", "gravity", "gyroscope", "gyroscopeuncalibrated",
         "magnetometer", "magnetometeruncalibrated", "orientation", "barometer", "temperature", "location", "heartrate", "battery",
         "annotation", "pedometer", "light", "microphone", "wrist motion", "headphone", "brightness", "network", "unknown"]
KEYS = ["x", "y", "z", "qx", "qy", "qz", "qw", "roll", "pitch", "yaw", "relativeAltitude", "pressure", "temperature", "latitude",
        "longitude", "altitude", "speed", "bearing", "horizontalAccuracy", "verticalAccuracy", "bpm", "batteryLevel", "text",
        "steps", "lux", "dBFS", "millisecond_press_duration"]


def wild(chance, plain=0.3):
    """Returns the JSON text of a number, which may be none."""
    kind = chance.random()
    if kind < plain:
        return repr(chance.gauss(0, 1))
    if kind < plain + 0.4:
        return chance.choice(EDGES)
    if kind < plain + 0.5:
        return str(chance.getrandbits(chance.randrange(1, 80)) * chance.choice([1, -1]))
    value = struct.unpack("d", struct.pack("Q", chance.getrandbits(64)))[0]
    return repr(value) if value == value and abs(value) != float("inf") else "1e400"


def wild_message(chance, number, clock):
    """Returns a message of which any number may be wild, and the next time of its clock, in nanoseconds."""
    readings = []
    is_wild = chance.random() < 0.5
    jump = chance.random()
    if jump < 0.02:
        clock += chance.choice([-1, 1]) * chance.randrange(1, 10**chance.randrange(1, 19))
        clock = min(max(clock, 978_307_200_000_000_000), 4_190_000_000_000_000_000)
    for _ in range(chance.choice([0, 1, 3, 6, 6, 6, 30])):
        clock += chance.choice([0, 3_333_333, 3_333_333, 3_333_333])
        name = chance.choice(NAMES[:8] if chance.random() < 0.8 else NAMES)
        stamp = wild(chance, 0) if chance.random() < 0.01 else str(clock)
        keys = ["x", "y", "z"] if name in NAMES[:8] else chance.sample(KEYS, chance.randrange(0, 8))
        values = ",".join(f'"{key}":{wild(chance, 0.3) if is_wild else repr(chance.gauss(0, 1))}' for key in keys)
        more = f',"accuracy":{wild(chance)}' if chance.random() < 0.2 else ""
        readings.append(f'{{"name":"{name}","time":{stamp},"values":{{{values}}}{more}}}')
    identifier = wild(chance, 0) if chance.random() < 0.05 else str(number)
    device, session = (wild(chance, 0) if chance.random() < 0.001 else f'"d{chance.randrange(4)}"' for _ in range(2))
    unit = chance.choice(['', '', '"accelerationUnit":"g",', '"accelerationUnit":"m/s^2","accelerationSign":"gravity",'])
    text = f'{{{unit}"messageId":{identifier},"sessionId":{session},"deviceId":{device},"payload":[{",".join(readings)}]}}'
    return text.encode(), clock


def numbers_worker(server, seed, count, results):
    chance, clock, statuses, connection = random.Random(seed), BASE, collections.Counter(), None
    for number in range(count):
        body, clock = wild_message(chance, number, clock)
        try:
            connection = connection or server.sender()
            connection.request("POST", f"{server.path}push", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            statuses[answer.status] += 1
        except (OSError, http.client.HTTPException):
            statuses["no answer"] += 1
            connection = None
            if server.connect_fails():
                break
    results.put(statuses)


def numbers(server, options):
    """Sends wild messages on several connections, while a page reads the results."""
    results, workers, begin = multiprocessing.Queue(), 8, time.monotonic()
    processes = [multiprocessing.Process(target=numbers_worker, daemon=True,
                                         args=(server, f"{options.seed} {place}", options.count // workers, results))
                 for place in range(workers)]
    pages = Pages(server, 1)
    pages.start()
    for process in processes:
        process.start()
    memories, done = [], collections.Counter()
    ended = 0
    while ended < workers:
        time.sleep(0.5)
        if server.process.poll() is not None:
            break
        memories.append(server.memory())
        while not results.empty():
            done += results.get()
            ended += 1
    is_alive = server.process.poll() is None
    tenth, last = (memories[len(memories) // 10], memories[-1]) if memories else (0, 0)
    print(f"numbers: {sum(done.values())} messages in {time.monotonic() - begin:.0f} s, seed {options.seed}: {dict(done)}; memory "
          f"{tenth:.1f} MB after a tenth, {last:.1f} MB at the end, {max(memories, default=0):.1f} MB at most; the server "
          f"{'runs' if is_alive else 'has ended'}", flush=True)
    pages.is_ending = True
    server.end(signal.SIGKILL)
    sys.exit(not is_alive or done["no answer"] > 0)


def wild_answer(chance, path):
    """Returns what a phone answers to a request: usually an answer of phyphox with wild numbers, or a wild head."""
    axes = [f"{sensor}{axis}" for sensor in "agm" for axis in "xyzt"]
    if path.startswith("/config"):
        inputs = [{"source": source, "outputs": [{axis: f"{sensor}{axis}"} for axis in "xyzt"]}
                  for source, sensor in [("accelerometer", "a"), ("gyroscope", "g"), ("magnetic_field", "m")]]
        text = json.dumps({"inputs": inputs})
    else:
        count = chance.choice([0, 1, 5, 50])
        rows = {axis: ",".join(wild(chance, 0.6) for _ in range(count)) for axis in axes}
        buffers = ",".join(f'"{axis}":{{"buffer":[{row}]}}' for axis, row in rows.items())
        session = wild(chance, 0) if chance.random() < 0.02 else '"s"'
        text = f'{{"buffer":{{{buffers}}},"status":{{"session":{session},"measuring":true}}}}'
    body = text.encode()
    kind = chance.random() if not path.startswith("/config") else 1
    if kind < 0.02:
        return f"HTTP/1.1 200 OK\r\nContent-Length: {wild(chance, 0)}\r\n\r\n".encode() + body
    if kind < 0.05:
        chunks = b"".join(f"{chance.choice(EDGES + ['7FFFFFFFFFFFFFFF', 'FFFFFFFFFFFFFFFF', '-5', '3'])}\r\n".encode() + b"abc\r\n" for _ in range(3))
        return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks
    if kind < 0.06:
        return b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200_000
    if kind < 0.07:
        return f"HTTP/1.1 {wild(chance, 0)} OK\r\n\r\n".encode()
    return f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def sources(program, options):
    """Lets the server read from wild phones, many one after another."""
    chance, asked, ended, memories = random.Random(options.seed), 0, 0, []
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    listener.settimeout(15)
    address = f"127.0.0.1:{listener.getsockname()[1]}"
    server, restart = None, 0
    while asked < options.count:
        if server is None or server.process.poll() is not None:
            if server is not None and (server.process.returncode < 0 or server.process.returncode > 2):
                ended += 1
            kind = chance.choice(["phyphox", "phyphox", "phyphox", "ws"])
            server = Server(program, "--from", f"{kind}://{address}")
            restart = asked + 100
        try:
            client, _ = listener.accept()
        except TimeoutError:
            server.end(signal.SIGKILL)
            server = None
            continue
        with client:
            client.settimeout(2)
            try:
                request = client.recv(65536).decode("latin-1")
                asked += 1
                if "websocket" in request.lower():
                    key = re.search(r"(?i)sec-websocket-key: *(\S+)", request).group(1)
                    accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
                    client.sendall(f"HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n".encode())
                    for _ in range(chance.randrange(1, 400)):
                        sensor = chance.choice(["accelerometer", "gyroscope", "magnetic_field", "light"])
                        text = (f'{{"type":"android.sensor.{sensor}","timestamp":{wild(chance, 0)},'
                                f'"values":[{",".join(wild(chance) for _ in range(chance.randrange(5)))}]}}').encode()
                        size = bytes([len(text)]) if len(text) < 126 else bytes([126]) + len(text).to_bytes(2, "big")
                        client.sendall(bytes([0x81]) + size + text)
                        asked += 1
                    client.sendall(bytes([0x81, 127]) + chance.getrandbits(64).to_bytes(8, "big"))
                else:
                    client.sendall(wild_answer(chance, request.split(" ")[1] if " " in request else "/"))
            except (OSError, IndexError, AttributeError):
                pass
        if server.process.poll() is None:
            memories.append(server.memory())
            if asked > restart:
                server.end(signal.SIGKILL)
                server.folder.cleanup()
                server = None
    print(f"sources: {asked} answers, seed {options.seed}: {ended} servers ended by a trap; memory at most {max(memories):.1f} MB")
    if server:
        server.end(signal.SIGKILL)
    sys.exit(ended > 0)


# MARK: Faults

def acknowledge(server, first, count, again=20):
    """Sends messages, again if they are refused; returns the numbers of the acknowledged ones with their times."""
    acknowledged = {}
    for number in range(first, first + count):
        for _ in range(again):
            try:
                connection = server.sender()
                connection.request("POST", f"{server.path}push", message(number, range(5 * number, 5 * number + 5), 100),
                                   {"Content-Type": "application/json"})
                answer = connection.getresponse()
                answer.read()
                connection.close()
            except (OSError, http.client.HTTPException):
                return acknowledged
            if answer.status == 200:
                acknowledged[number] = time.monotonic()
                break
    return acknowledged


def recorded(folder):
    """Returns the numbers of the messages in all recordings of a folder, and the number of damaged lines."""
    found, damaged = set(), 0
    for path in (pathlib.Path(folder) / "recordings").glob("*.push.jsonl"):
        lines = path.read_text().split("\n")
        for line in lines[1:-1]:
            try:
                found.add(json.loads(line).get("messageId"))
            except ValueError:
                damaged += 1
    return found, damaged


def faults(program, options):
    shim = f"{tempfile.mkdtemp()}/faults.so"
    source = ROOT / "Tests/Support/Faults/faults.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-w", "-o", shim, str(source), "-ldl"], check=True)
    lost, damaged, runs, unused = 0, 0, 0, 0
    for call in ("fsync", "write", "open", "close"):
        for number in range(1, options.numbers + 1):
            folder = tempfile.TemporaryDirectory(prefix="serve-load-")
            mark = f"{folder.name}/mark"
            server = Server(program, folder=folder, environment={
                "LD_PRELOAD": shim, "INERTIAL_FAULT_CALL": call, "INERTIAL_FAULT_NUMBER": str(number),
                "INERTIAL_FAULT_MARK": mark, "INERTIAL_FAULT_ERROR": str(random.Random(number).choice([5, 28]))})
            acknowledged = acknowledge(server, 1, 20) if server.path else {}
            server.end(signal.SIGKILL)
            found, bad = recorded(folder.name)
            if server.path and len(acknowledged) < 20:
                print(f"{call} {number}: only {len(acknowledged)} of 20 messages are acknowledged", flush=True)
                lost += 20 - len(acknowledged)
            lost, damaged, runs = lost + len(set(acknowledged) - found), damaged + bad, runs + 1
            is_used = os.path.exists(mark)
            folder.cleanup()
            if not is_used:
                unused += 1
                break
    print(f"faults: {runs} runs, {unused} of them beyond the last call: {lost} acknowledged messages lost, {damaged} damaged lines", flush=True)
    chance, missing, refused = random.Random(1), 0, 0
    for _ in range(options.numbers):
        server = Server(program)
        acknowledged = acknowledge(server, 1, 5)
        removed = time.monotonic()
        for path in server.recordings():
            way = chance.choice(["delete", "truncate", "replace", "rename"])
            if way == "delete":
                path.unlink()
            elif way == "truncate":
                os.truncate(path, chance.randrange(200))
            elif way == "rename":
                path.rename(f"{path}.away")
            else:
                path.unlink()
                path.write_text("other\n")
        removed = time.monotonic()
        other = subprocess.run([program, "serve", "--port", "0"], cwd=server.folder.name, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, timeout=60)
        refused += other.returncode not in (0, -9) and "another server" in other.stdout
        acknowledged |= acknowledge(server, 6, 15)
        server.end(signal.SIGKILL)
        found, bad = recorded(server.folder.name)
        missing += len([number for number, moment in acknowledged.items() if moment > removed and number not in found])
        missing += 20 - len(acknowledged)
        damaged += bad
        server.folder.cleanup()
    print(f"disappearing recordings: {options.numbers} runs: {missing} messages acknowledged later are lost; "
          f"{refused} of {options.numbers} second servers in the folder refused")
    shutil.rmtree(os.path.dirname(shim))
    sys.exit(lost + damaged + missing > 0 or refused < options.numbers)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(ROOT / ".build/release/inertial"))
    parts = parser.add_subparsers(dest="part", required=True)
    part = parts.add_parser("stream")
    for name, value in [("seconds", 600.0), ("rate", 100), ("pages", 20), ("batch", 1), ("phones", 1)]:
        part.add_argument(f"--{name}", type=type(value), default=value)
    part.add_argument("--tls", action="store_true", help="encrypted")
    part.add_argument("--browser", action="store_true", help="the page in Chromium, too")
    part = parts.add_parser("hostile")
    part.add_argument("--count", type=int, default=10_000)
    part.add_argument("--open", action="store_true", help="with a token in the path")
    part.add_argument("--slow", type=int, default=0, help="the number of slow senders, without any other")
    part = parts.add_parser("kills")
    part.add_argument("--runs", type=int, default=200)
    part = parts.add_parser("crowd")
    part.add_argument("--seconds", type=float, default=10.0)
    part.add_argument("--only", choices=list(CROWD))
    for name, count in [("numbers", 1_000_000), ("sources", 1000)]:
        part = parts.add_parser(name)
        part.add_argument("--count", type=int, default=count)
        part.add_argument("--seed", type=int, default=1)
    part = parts.add_parser("faults")
    part.add_argument("--numbers", type=int, default=40)
    options = parser.parse_args()
    alone = {"kills": kills, "crowd": crowd, "sources": sources, "faults": faults}
    if options.part in alone:
        return alone[options.part](options.program, options)
    more = ["--public", "https://phone.example.org"] if options.part == "hostile" and options.open else []
    server = Server(options.program, *more, tls=options.part == "stream" and options.tls)
    return {"stream": stream, "hostile": hostile, "numbers": numbers}[options.part](server, options)


if __name__ == "__main__":
    sys.exit(main())
