#!/usr/bin/env python3
"""Measures the latency, the memory and the cost of a kill for a stream through `inertial fuse - --follow`.

usage: follow_latency.py [--minutes 10] [--rate 100] [--inertial .build/release/inertial] [--only latency|kills|flood|strangers]

A sender writes canonical lines at a fixed rate, and the time from each line to its row is measured. The same lines go
through `cat`, which shows the latency of the machine, as does the fraction of time that the host of a virtual machine
took. Then the command is repeatedly killed and restarted on the same file: every sent line must have its row. The other two
parts run only on request: `flood` sends the lines of the given minutes as fast as they are read, and `strangers` sends them
as datagrams while another sender sends rows, headers and empty datagrams to the same port. Every line must have its row, and
no row may come from the other sender.
"""
import argparse, math, os, re, signal, socket, subprocess, tempfile, threading, time


def line(index, rate):
    t = index / rate
    return f"{t!r},{0.05 * math.sin(3 * t)!r},0.02,-1,0.001,0,{0.5 * math.cos(2 * t)!r},20,5,-40\n".encode()


def memory(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(row.split()[1]) for row in status if row.startswith("VmRSS"))


def stolen():
    """Returns the time taken by the host and the total time, in ticks; (0, 1) if the system does not report them."""
    try:
        with open("/proc/stat") as file:
            ticks = [int(word) for word in file.readline().split()[1:9]]
        return ticks[7], sum(ticks)
    except OSError:
        return 0, 1


class Piped:
    """A command with piped lines, and the times of each line's input and output."""

    def __init__(self, command, count, header_rows):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
        self.sent, self.seen = [0.0] * count, [0.0] * count
        self.row = -header_rows
        self.thread = threading.Thread(target=self.receive)
        self.thread.start()

    def receive(self):
        while self.row < len(self.seen):
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            now = time.perf_counter()
            if not piece:
                return
            for _ in range(piece.count(b"\n")):
                if self.row >= 0:
                    self.seen[self.row] = now
                self.row += 1

    def send(self, index, text):
        self.sent[index] = time.perf_counter()
        self.process.stdin.write(text)

    def close(self):
        self.process.stdin.close()
        self.thread.join(5)
        self.process.wait()

    def late(self, since):
        """Returns the latency of each line sent after `since`, in milliseconds; None without a row."""
        return [1000 * (b - a) if a > since and b > 0 else None for a, b in zip(self.sent, self.seen)]


def figures(late):
    if not late:
        return "none"
    late = sorted(late)
    return f"median {late[len(late) // 2]:.3f}, 99 % {late[int(0.99 * len(late))]:.3f}, most {late[-1]:.3f}"


def latencies(arguments):
    count, sizes = int(arguments.minutes * 60 * arguments.rate), []
    before = stolen()
    follow = Piped([arguments.inertial, "fuse", "-", "--follow"], count, header_rows=1)
    plain = Piped(["cat"], count, header_rows=0)
    start = time.perf_counter()
    for index in range(count):
        time.sleep(max(0, start + index / arguments.rate - time.perf_counter()))
        text = line(index, arguments.rate)
        # The order alternates, because the second waits for the first's write.
        for command in (follow, plain) if index % 2 == 0 else (plain, follow):
            command.send(index, text)
        if index % int(10 * arguments.rate) == 0:
            sizes.append(memory(follow.process.pid))
    follow.close()
    plain.close()
    after = stolen()
    # The rows of the first second come after the filter has settled.
    pairs = [(a, b) for a, b in zip(follow.late(start + 2), plain.late(start + 2)) if a is not None and b is not None]
    calm = [a for a, b in pairs if b <= 1]
    share = 100 * (after[0] - before[0]) / max(1, after[1] - before[1])
    print(f"{count} lines at {arguments.rate:g} Hz, {sum(b > 0 for b in follow.seen)} rows; "
          f"the host took {share:.1f} % of the time")
    print(f"latency ms: {figures([a for a, _ in pairs])}")
    print(f"of cat:     {figures([b for _, b in pairs])}")
    print(f"where cat took at most 1 ms ({100 * len(calm) / max(1, len(pairs)):.1f} % of lines): {figures(calm)}")
    print(f"memory MB: {sizes[min(1, len(sizes) - 1)] / 1024:.1f} after 10 s, {sizes[-1] / 1024:.1f} at the end, most {max(sizes) / 1024:.1f}")


def kills(arguments):
    with tempfile.TemporaryDirectory() as folder:
        pipe, out = os.path.join(folder, "pipe"), os.path.join(folder, "out.csv")
        os.mkfifo(pipe)
        end = os.open(pipe, os.O_RDWR)
        count = int(arguments.minutes * 60 * arguments.rate)

        def begin():
            return subprocess.Popen(
                [arguments.inertial, "fuse", "-", "--follow", "-o", out, "--resume"], stdin=open(pipe, "rb"),
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        process, killed, start = begin(), 0, time.perf_counter()
        for index in range(count):
            time.sleep(max(0, start + index / arguments.rate - time.perf_counter()))
            os.write(end, line(index, arguments.rate))
            # Every seven seconds, between two lines, when the last line's row is due.
            if index % int(7 * arguments.rate) == int(6 * arguments.rate):
                time.sleep(0.005)
                process.send_signal(signal.SIGKILL)
                process.wait()
                killed += 1
                process = begin()
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        process.wait()
        os.close(end)
        with open(out) as file:
            times = [float(row.split(",")[0]) for row in file.read().splitlines()[1:]]
        lost = count - len(set(times))
        print(f"{killed} kills in {count} lines: {len(times)} rows, {lost} lines without a row, "
              f"{'in order' if times == sorted(times) else 'out of order'}")


def tell(path, count, sizes, seconds):
    """Prints how many sent lines have rows in a file. Their times increase; a stranger's rows have negative times."""
    rows = mixed = rising = 0
    last = -1.0
    with open(path) as file:
        next(file)
        for row in file:
            time_of_row = float(row[:row.index(",")])
            rows += 1
            mixed += time_of_row < 0
            rising += time_of_row > last
            last = time_of_row
    print(f"{count} lines in {seconds:.0f} s ({count / seconds:.0f} a second): {rows} rows, {count - rows} lost, {mixed} mixed, "
          f"{'in order' if rising == rows else 'out of order'}")
    # The first tenth includes the filter's start and the first buffers.
    later = sizes[len(sizes) // 10:]
    print(f"memory MB: {later[0] / 1024:.1f} after a tenth, {later[-1] / 1024:.1f} at the end, most {max(sizes) / 1024:.1f}")
    return rows == count and mixed == 0 and rising == rows


def flood(arguments):
    count, sizes = int(arguments.minutes * 60 * arguments.rate), []
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.csv")
        process = subprocess.Popen(
            [arguments.inertial, "fuse", "-", "--follow", "-o", out], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        start = time.perf_counter()
        for first in range(0, count, 1000):
            process.stdin.write(b"".join(line(index, arguments.rate) for index in range(first, min(count, first + 1000))))
            if first % max(1000, count // 200 // 1000 * 1000) == 0:
                sizes.append(memory(process.pid))
        process.stdin.close()
        status = process.wait()
        return tell(out, count, sizes, time.perf_counter() - start) and status == 0


def strangers(arguments):
    count, sizes = int(arguments.minutes * 60 * arguments.rate), []
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.csv")
        process = subprocess.Popen(
            [arguments.inertial, "fuse", "udp://:0", "--follow", "-o", out], stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        port = int(re.search(r":(\d+)$", process.stderr.readline().strip()).group(1))
        told = []
        listener = threading.Thread(target=lambda: told.extend(process.stderr))
        listener.start()
        ours, theirs = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        place = ("127.0.0.1", port)
        # A header in another order, rows with other times, an invalid line, the end of a stream, and a large datagram.
        hostile = [b"rotationRateX,time\n", b"-5,9,9,9,9,9,9,9,9,9\n", b"", b"\xff" * 1400, b"-4,1\n" * 200]
        start = time.perf_counter()
        for index in range(count):
            time.sleep(max(0, start + index / arguments.rate - time.perf_counter()))
            ours.sendto(line(index, arguments.rate), place)
            theirs.sendto(hostile[index % len(hostile)], place)
            if index % max(1, count // 200) == 0:
                sizes.append(memory(process.pid))
        seconds = time.perf_counter() - start
        ours.sendto(b"", place)
        status = process.wait()
        listener.join()
        print("".join(row for row in told if "others" in row or "lost" in row), end="")
        return tell(out, count, sizes, seconds) and status == 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--rate", type=float, default=100)
    parser.add_argument("--inertial", default=".build/release/inertial")
    parser.add_argument("--only", choices=["latency", "kills", "flood", "strangers"],
                        help="one of the parts, each with its minutes")
    chosen = parser.parse_args()
    if chosen.only in (None, "latency"):
        latencies(chosen)
    if chosen.only in (None, "kills"):
        kills(chosen)
    if chosen.only in ("flood", "strangers") and not {"flood": flood, "strangers": strangers}[chosen.only](chosen):
        raise SystemExit(1)
