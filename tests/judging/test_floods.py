"""However much a child sends, the judge does not grow with it."""

import json
import os
import subprocess
import sys

# beginning, middle, how often, end: each about as large as an answer may be
FLOODS = {
    "header": ('{"ended": [', "[],", 5_000_000, "[]]}"),
    "answers": ('{"answers": [', "{},", 5_000_000, "{}]}"),
    "rows": ('{"answers": [{"rows": [', "1,", 8_000_000, "1]}]}"),
    "one row": ('{"answers": [{"rows": [["ok", [', "[],", 5_000_000, "[]], []]]}]}"),
    "missing": ('{"answers": [{"missing": [', '"ab",', 3_000_000, '"ab"]}]}'),
    "unknown key": ('{"answers": [{"rows": [], "more": [', "[],", 5_000_000, "[]]}]}"),
}
GROWTH = """
import json, resource, sys
sys.path.insert(0, {here!r})
from fake_child import call, frame, outcome_of
from practice.judging.program import Program

ONE = Program([call([0, 1])])
outcome_of(frame({{"ended": "well"}}), ONE)
grown = {{}}
for name, (begin, middle, times, end) in json.loads(sys.argv[1]).items():
    flood = (begin + middle * times + end).encode()
    sent = frame(flood) if name == "header" else frame({{"ended": "well"}}, flood)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert outcome_of(sent, ONE) is not None
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    grown[name] = more >> (20 if sys.platform == "darwin" else 10)
print(json.dumps(grown))
"""


def test_no_flood_makes_the_judge_grow_by_100_mb():
    """In a fresh process, and beside the 16 MB of the flood itself."""
    command = [sys.executable, "-c", GROWTH.format(here=os.path.dirname(__file__)), json.dumps(FLOODS)]
    grown = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert set(grown) == set(FLOODS)
    assert max(grown.values()) < 100, grown
