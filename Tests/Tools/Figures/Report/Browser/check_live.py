"""Opens the page of `inertial serve` in headless Chromium over a log that is played, and does what a reader does.

usage: check_live.py INERTIAL FOLDER [PICTURES]     prints a line for each fault; exit status 1 if there are faults

Files go to FOLDER, pictures of the page to the folder PICTURES.
"""

import csv
import http.client
import json
import pathlib
import re
import signal
import subprocess
import sys
import time
import urllib.request

import browser

OPTIONS = ["--enable-unsafe-swiftshader", "--use-angle=swiftshader", "--disable-accelerated-2d-canvas"]
ROOT = pathlib.Path(__file__).resolve().parents[5]
LOG = ROOT / "Notebooks-data/logs/shake.csv"
DEVICE = "[...inertial.devices.values()].find((d) => d.status?.name === 'shake.csv')"
HASH = """((seen) => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [seen.width, seen.height];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(seen, 0, 0);
  const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) sum = (sum * 31 + data[i] + data[i + 1] * 7 + data[i + 2] * 3) % 2147483647;
  return sum;
})"""


class Server:
    def __init__(self, program, folder, port=0, *more):
        self.process = subprocess.Popen(
            [program, "serve", "--port", str(port), "--from", str(LOG), *more], cwd=folder,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.page = self.process.stdout.readline().split()[1]
        self.port = int(re.search(r":(\d+)/", self.page).group(1))

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait(60)
        self.process.stdout.close()


def fused(program, folder):
    """Quaternions by time, as the filter gives them of the whole log."""
    output = pathlib.Path(folder) / "truth.csv"
    subprocess.run([program, "fuse", str(LOG), "-o", str(output), "--force"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(output) as file:
        return {round(float(row["time"]), 6): [float(row["quaternion" + axis]) for axis in "XYZW"] for row in csv.DictReader(file)}


def go(b, url):
    b.events.clear()
    b.call("Page.navigate", url=url)
    deadline = time.monotonic() + 120
    while "Page.loadEventFired" not in b.events:
        b._note(b._read(deadline))


class Checks:
    def __init__(self):
        self.failures = []

    def expect(self, holds, what):
        if not holds:
            self.failures.append(what)

    def wait(self, b, condition, what, seconds=60):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if b.run(condition):
                return True
            time.sleep(0.02)
        self.failures.append(f"never: {what}")
        return False


def check_attitude(b, checks, truth):
    """The page has and draws the values of the filter."""
    checks.wait(b, f"{DEVICE}?.source.count > 150", "rows come")
    rows = b.run(f"(() => {{ const s = {DEVICE}.source; const t = s.column(0).table.times; return [...t].map((time, i) => "
                 "[time, ...[1, 2, 3, 4].map((c) => s.table.channels[c].at(i))]); })()")
    worst, known = 0, 0
    for moment, *quaternion in rows:
        found = truth.get(round(moment, 6))
        if found:
            known += 1
            worst = max(worst, 1 - abs(sum(a * b for a, b in zip(quaternion, found))))
    checks.expect(known > 100, f"{known} of {len(rows)} rows have a time of the log's")
    checks.expect(worst < 1e-6, f"the attitude differs from the filter's by 1 - |q.q'| = {worst}")
    drawn = b.run(f"(() => {{ const d = {DEVICE}; const q = d.device.state().quaternion; return [d.now.cursor, ...q]; }})()")
    row = min(rows + b.run(f"(() => {{ const d = {DEVICE}; const s = d.source; return [[d.now.cursor, ...[1,2,3,4].map((c) => "
                           "s.value(c, d.now.cursor))]]; })()"), key=lambda row: abs(row[0] - drawn[0]))
    checks.expect(abs(row[0] - drawn[0]) < 0.5, "the device is drawn at the newest time")
    before = b.run(f"{HASH}({DEVICE}.device.labels) + {DEVICE}.now.cursor")
    checks.wait(b, f"{HASH}({DEVICE}.device.labels) + {DEVICE}.now.cursor !== {before}", "the device turns on")


def check_hold(b, checks):
    b.run(f"{DEVICE}.plots[0].node.scrollIntoView()")
    checks.wait(b, f"{DEVICE}.plots[0].isVisible && {DEVICE}.view.end > 3", "the first plot is seen")
    b.run(f"{DEVICE}.holdButton.click()")

    def look():
        time.sleep(0.2)
        return b.run(f"(() => {{ const d = {DEVICE}; return [d.view.from, d.view.to, d.view.cursor, {HASH}(d.plots[0].base)]; }})()")

    # A busy browser draws what was due before the click a little later.
    held = look()
    for _ in range(20):
        before, held = held, look()
        if held == before:
            break
    at = b.run(f"{DEVICE}.source.last")
    checks.wait(b, f"{DEVICE}.source.last > {at} + 1", "rows continue while plots are held")
    now = look()
    checks.expect(held == now, f"a held plot stays: {held} and then {now}")
    b.run(f"{DEVICE}.view.pan(-0.2)")
    checks.expect(b.run(f"{DEVICE}.view.from") <= held[0], "one can look back")
    b.run(f"{DEVICE}.holdButton.click()")
    checks.wait(b, f"{DEVICE}.view.to > {held[1]} + 0.5", "plots continue")


def check_recording(b, checks, server, folder):
    b.run("inertial.nameField.value = 'shaking'; inertial.labelField.value = '<b>hand</b>'; inertial.startButton.click()")
    checks.wait(b, "inertial.recording?.name === 'shaking'", "a recording begins")
    b.run("document.activeElement.blur()")
    light = "inertial.recordingState.querySelector('.light') && inertial.recordingState.textContent"
    checks.wait(b, f"/● Recording shaking [(]<b>hand<.b>[)], [0-9]+ s, [0-9.]+ [kM]B/.test({light})", "a red light with the name, the time and the size")
    b.key("7", "Digit7", "7")
    checks.wait(b, "[...inertial.eventList.children].some((item) => item.dataset.kind === 'mark' && item.textContent.includes('7'))", "a mark by key")
    time.sleep(1)
    b.run("inertial.startButton.click()")
    checks.wait(b, "inertial.recording === null", "the recording ends")
    checks.wait(b, "[...inertial.recordingList.querySelectorAll('a')].some((a) => a.textContent.includes('shaking'))", "it is in the list")
    link = b.run("[...inertial.recordingList.querySelectorAll('a')].find((a) => a.textContent.includes('shaking')).href")
    with urllib.request.urlopen(link, timeout=120) as answer:
        page = answer.read().decode()
    checks.expect("<title>" in page and "block-0-0" in page, "the recording's report opens by its link")
    path = pathlib.Path(folder) / "report.html"
    path.write_text(page)
    return path


def push(port, device, text=None):
    body = json.dumps({"messageId": 1, "sessionId": "x", "deviceId": device, "payload": [
        {"name": "accelerometeruncalibrated", "time": 1_700_000_000_000_000_000 + 10_000_000 * i, "values": {"x": 0, "y": 0, "z": -1}}
        for i in range(300)] + [
        {"name": "gyroscopeuncalibrated", "time": 1_700_000_000_000_000_000 + 10_000_000 * i, "values": {"x": 0, "y": 0, "z": 0}}
        for i in range(300)] + [
        {"name": "magnetometeruncalibrated", "time": 1_700_000_000_000_000_000 + 10_000_000 * i, "values": {"x": 12, "y": 15, "z": -40}}
        for i in range(300)]})
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", "/push", body)
    answer = connection.getresponse()
    answer.read()
    return answer.status


def push_text(port, body):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", "/push", body)
    return connection.getresponse().status


def main():
    program, folder = sys.argv[1], sys.argv[2]
    pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    checks = Checks()
    truth = fused(program, folder)
    server = Server(program, folder)
    try:
        with browser.Browser(*OPTIONS, width=1440, height=1000) as b:
            go(b, server.page)
            check_attitude(b, checks, truth)
            check_hold(b, checks)
            report = check_recording(b, checks, server, folder)
            checks.wait(b, "[...inertial.eventList.children].some((item) => item.dataset.kind === 'shake')", "a shake appears")
            checks.expect(b.run(f"{DEVICE}.marks.find((m) => m.name === 'shake').times.length") > 0, "it is marked in the plots")
            checks.expect(push(server.port, "<img src=x onerror='window.hacked = 1'>") == 200, "a second device is taken")
            checks.wait(b, "inertial.devices.size === 2", "two devices are side by side")
            checks.expect(b.run("window.hacked") is None, "a device's name runs as a script")
            second = f"[...inertial.devices.values()].find((d) => d !== {DEVICE})"
            checks.wait(b, f"{second}.coverage.share === 1 / 96", "the second device's field has one direction")
            checks.expect(1 / 96 < b.run(f"{DEVICE}.coverage.share") < 0.5, "a shaken device has few directions of the field")
            ideal = b.run("""(() => { const coverage = new inertial.parts.FieldCoverage(inertial.theme); coverage.add(NaN, 0, 1); const none = coverage.share;
              for (let index = 0; index < 4000; index += 1) { const z = 1 - (index + 0.5) / 2000; const r = Math.sqrt(1 - z * z);
                coverage.add(r * Math.cos(2.4 * index), r * Math.sin(2.4 * index), z); if (index === 1999) coverage.half = coverage.share; }
              return [none, coverage.half, coverage.share]; })()""")
            checks.expect(ideal == [0, 0.5, 1], f"a half and a whole sphere of fields have {ideal}")
            checks.expect(push_text(server.port, "<b>no JSON</b>") == 400, "a push that is no JSON is refused")
            checks.wait(b, "!inertial.refusals.hidden && inertial.refusals.textContent.startsWith('1 message was refused')", "the refused message is shown")
            folded = "[...inertial.devices.values()].map((d) => d.body.hidden)"
            checks.wait(b, f"{folded}.filter(Boolean).length === 1", "the silent device is folded")
            b.run("[...inertial.devices.values()].find((d) => d.body.hidden).foldButton.click()")
            checks.expect(b.run(f"{folded}.filter(Boolean).length") == 0, "a click unfolds it")
            if pictures:
                for scheme in ["light", "dark"]:
                    b.scheme(scheme)
                    b.run("scrollTo(0, 0)")
                    time.sleep(1)
                    b.picture(str(pictures / f"live-wide-{scheme}.png"))
                b.run(f"{DEVICE}.plots[0].node.scrollIntoView()")
                time.sleep(1)
                b.picture(str(pictures / "live-plots-dark.png"))
            b.size(390, 844, True)
            time.sleep(0.5)
            wide = b.run("document.documentElement.scrollWidth")
            checks.expect(wide <= 390, f"the narrow page is {wide} wide")
            if pictures:
                b.run("scrollTo(0, 0)")
                time.sleep(1)
                b.picture(str(pictures / "live-narrow-dark.png"), full=True)
            b.size(1440, 1000)
            allowed = (f"requested http://127.0.0.1:{server.port}/", "GL Driver Message")
            said = [m for m in b.messages if not m.startswith(allowed) and allowed[1] not in m]
            checks.expect(not said, f"the console says {said[:3]}")
            b.run("inertial.nameField.value = 'on'; inertial.startButton.click()")
            checks.wait(b, "inertial.recording?.name === 'on'", "a second recording begins")
            server.end(signal.SIGKILL)
            checks.wait(b, "inertial.state.classList.contains('bad')", "the page shows that the server has ended")
            server = Server(program, folder, server.port)
            checks.wait(b, "inertial.reconnects > 0 && !inertial.state.classList.contains('bad')", "the page connects again")
            checks.wait(b, f"{DEVICE}?.source.count > 50", "rows come again")
            checks.expect(b.run("inertial.recording?.name") == "on", "a restarted server continues the recording under its name")
            b.open(str(report))
            checks.wait(b, "window.inertial?.timePlots?.length > 3", "the report draws its plots")
    finally:
        server.end()
    for failure in checks.failures:
        print(failure)
    sys.exit(1 if checks.failures else 0)


if __name__ == "__main__":
    main()
