"""Row 6: parameters fitted on some motions, or on one participant, and evaluated on the others."""

import json
import os
import re
import tempfile
from pathlib import Path
from statistics import median

from parts.flagship_parts import INERTIAL, Row, note, run, short

PARAMETERS = "gyroscopeNoise,velocityNoise,motionWeight,magneticNoise,disturbanceWeight,biasNoise"
BUDGET = os.environ.get("BUDGET", "60")


def motion(trial):
    """Returns the motion of a BROAD trial: '06_undisturbed_fast_rotation_with_breaks_A' is 'undisturbed_fast_rotation'."""
    name = re.sub(r"^\d+_|_[ABC]$|_\d+cm$", "", Path(trial).stem)
    return re.sub(r"_\d+cm$|_[ABC]$", "", name).replace("_with_breaks", "")


def tuning_rows(broad, tyrex):
    trials = sorted(Path(broad).glob("*.hdf5"))
    phones = sorted(path.parent for path in Path(tyrex).glob("*/ground-truth.csv"))
    return tuned("BROAD, each kind of motion left out", broad, [(t.stem, motion(t)) for t in trials], []) + tuned(
        "phones, each person left out", tyrex, [(p.name, p.name.split("_")[0]) for p in phones],
        ["--align", "frame", "--align-clock", "--skip", "60"])


def tuned(name, folder, groups, flags):
    note(f"{name}: {len(set(g for _, g in groups))} groups")
    with tempfile.TemporaryDirectory() as scratch:
        table = Path(scratch) / "groups.csv"
        table.write_text("".join(f"{stem},{group}\n" for stem, group in groups))
        document = json.loads(run(
            "nice", INERTIAL, "tune", folder, "--filter", "kalman", "--parameters", PARAMETERS, "--budget", BUDGET,
            "--groups", str(table), "--leave-one-out", "--json", *flags))
    report = document["report"]
    if not report["startIsDefault"]:
        raise RuntimeError("the search did not begin with the defaults")
    held = [entry for fold in report["folds"] for entry in fold["recordings"]]
    folds = [
        dict(leftOut=fold["recordings"][0]["group"], recordings=len(fold["recordings"]),
             trained=fold["trainingError"], trainedDefault=fold["startTrainingError"],
             leftOutFitted=fold["validationError"], leftOutDefault=fold["startValidationError"], **fold["settings"])
        for fold in report["folds"]]
    medians = [median(e[key] for e in held) for key in ("error", "startError")]
    return [Row(
        6, f"{name}: mean total of the left-out trials", document["meanValidationError"], "°", None, None,
        f"trained on {short(document['meanTrainingError'])}°; "
        f"left out with the defaults {short(document['meanStartError'])}°; "
        f"medians {short(medians[0])}° and {short(medians[1])}°; better than the defaults on "
        f"{document['improvedRecordings']} of {document['recordings']}; {len(folds)} folds, {BUDGET} evaluations "
        f"each of {len(PARAMETERS.split(','))} parameters", folds)]
