"""Each thing that can go wrong in a set-up ends in one line that says what to do."""

import pytest
from bootstrap.failures import explain

# Lines as pip 23 and 26 print them.
NO_ROUTE = (
    "WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by 'NewConnectionError("
    "'<pip._vendor.urllib3.connection.HTTPSConnection object>: Failed to establish a new connection: "
    "[Errno -2] Name or service not known')': /simple/alembic/\n"
    "ERROR: Could not find a version that satisfies the requirement alembic==1.20.1 (from versions: none)\n"
    "ERROR: No matching distribution found for alembic==1.20.1\n"
)
TIMED_OUT = (
    "pip._vendor.urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool(host='mirror', port=443): Read timed out."
)
OFFLINE_NOW = "ERROR: Network is unreachable. Check your connection."
CERTIFICATE = "SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed'))"
FULL = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"
SILENT = (
    "ERROR: Could not find a version that satisfies the requirement rich==15.0.0 (from versions: none)\n"
    "ERROR: No matching distribution found for rich==15.0.0\n"
)
TOO_OLD_MIRROR = (
    "ERROR: Could not find a version that satisfies the requirement hypothesis==6.170.17 (from versions: 6.1, 6.2)\n"
    "ERROR: No matching distribution found for hypothesis==6.170.17\n"
)
FORBIDDEN = "ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: '/course/.venv/lib'\n"
OTHER = "some noise\nERROR: Invalid requirement: 'nump=y'\nmore noise"


@pytest.mark.parametrize(
    ("output", "says"),
    [
        (NO_ROUTE, "could not reach its package index"),
        (TIMED_OUT, "could not reach its package index"),
        (OFFLINE_NOW, "could not reach its package index"),
        (CERTIFICATE, "certificate"),
        (FULL, "disk is full"),
        (SILENT, "no network, or a mirror that lacks it"),
        (TOO_OLD_MIRROR, "no hypothesis==6.170.17 for this machine"),
        (FORBIDDEN, "No permission to write /course/.venv/lib"),
        (OTHER, "ERROR: Invalid requirement: 'nump=y'"),
        ("", "no output"),
    ],
)
def test_the_cause_is_named_in_one_line(output, says):
    line = explain(output)
    assert says in line
    assert "\n" not in line


def test_a_full_disk_is_not_taken_for_a_network_fault():
    assert "disk is full" in explain(NO_ROUTE + FULL)


def test_a_chinese_learner_reads_chinese(monkeypatch):
    monkeypatch.setenv("LANG_EDITION", "zh")
    assert explain(FULL) == "磁盘满了。腾出空间后再运行同一条命令。"
