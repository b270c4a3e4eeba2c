"""Sends a canonical CSV as Sensor Logger pushes it, one message after the other.

usage: push.py LOG PAGE [SECONDS]      prints a line for each answer: its status, the message's number, the text of what failed

Ends at the first answer that is no 200, or when the server has ended. With SECONDS messages come at that pace.
"""

import http.client
import json
import sys
import time
import urllib.parse


def messages(path, span=0.05):
    """The bodies of a log's messages of equal duration, in seconds."""
    names = {"acceleration": "accelerometeruncalibrated", "rotationRate": "gyroscopeuncalibrated",
             "magneticField": "magnetometeruncalibrated"}
    with open(path) as file:
        header = file.readline().strip().split(",")
        rows = [line.rstrip("\n").split(",") for line in file]
    columns = {stem: [header.index(stem + axis) for axis in "XYZ"] for stem in names if stem + "X" in header}
    place, number = 0, 0
    while place < len(rows):
        begin = float(rows[place][0])
        payload = []
        while place < len(rows) and float(rows[place][0]) < begin + span - 1e-9:
            row = rows[place]
            stamp = 1_700_000_000_000_000_000 + round(float(row[0]) * 1e9)
            for stem, axes in columns.items():
                if row[axes[0]]:
                    payload.append({"name": names[stem], "time": stamp,
                                    "values": dict(zip("xyz", (float(row[axis]) for axis in axes)))})
            place += 1
        number += 1
        yield number, json.dumps({"messageId": number, "sessionId": "s1", "deviceId": "phone", "payload": payload})


def main():
    url = urllib.parse.urlparse(sys.argv[2])
    pace = float(sys.argv[3]) if len(sys.argv) > 3 else 0
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
    begin = time.monotonic()
    for number, body in messages(sys.argv[1]):
        if pace:
            time.sleep(max(0, begin + number * pace - time.monotonic()))
        try:
            connection.request("POST", url.path + "push", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read().decode().strip()
        except (OSError, http.client.HTTPException):
            return
        print(answer.status, number, "" if answer.status == 200 else text, flush=True)
        if answer.status != 200:
            return


if __name__ == "__main__":
    main()
