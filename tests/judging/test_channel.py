"""Frames on a pipe: whole or not at all, within a time and a size."""

import os
import struct
import time

import pytest
from fake_child import channel_that_says, frame

from practice.judging.channel import MAX_FRAME, Channel, ChildGone


def test_a_frame_arrives_as_it_was_sent():
    header = {"ended": "well", "call": 3, "said": "行"}
    with channel_that_says(frame(header, b"body") + frame({})) as channel:
        assert channel.receive(5) == (header, b"body")
        assert channel.receive(5) == ({}, b"")


def test_a_frame_larger_than_a_pipe_arrives_whole():
    body = os.urandom(1 << 20) * 4
    with channel_that_says(frame({}, body)) as channel:
        assert channel.receive(20) == ({}, body)


@pytest.mark.parametrize("cut", [0, 1, 7, 8, 9, 13])
def test_a_stream_that_ends_inside_a_frame_is_a_child_gone(cut):
    with channel_that_says(frame({"a": 1}, b"body")[:cut]) as channel, pytest.raises(ChildGone):
        channel.receive(5)


@pytest.mark.parametrize("cut", [0, 7, 8, 13])
def test_a_stream_that_stops_inside_a_frame_is_a_timeout(cut):
    with channel_that_says(frame({"a": 1}, b"body")[:cut], stays=True) as channel, pytest.raises(TimeoutError):
        channel.receive(0.05)


@pytest.mark.parametrize("sizes", [(MAX_FRAME + 1, 0), (0, MAX_FRAME + 1), (2**32 - 1, 2**32 - 1), (MAX_FRAME, 1)])
def test_a_frame_over_the_limit_is_refused_before_it_is_read(sizes):
    with channel_that_says(struct.pack("<II", *sizes), stays=True) as channel, pytest.raises(ChildGone, match="limit"):
        channel.receive(5)


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"1",
        b'"x"',
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b'{"a": 1e999}',
        b'{"a": ' + b"9" * 5000 + b"}",
        b'{"a": "\\ud800"}',
        b'{"a": "\xff"}',
        b"{1: 2}",
        b"{'a': 1}",
        b'{"a": 1} {"b": 2}',
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b'{"a": ' + b"[" * 100_000,
        os.urandom(64),
    ],
    ids=lambda header: repr(header[:12]),
)
def test_a_header_that_is_no_json_object_is_a_child_gone(header):
    with channel_that_says(frame(header)) as channel, pytest.raises(ChildGone):
        channel.receive(5)


@pytest.fixture
def deaf():
    """A channel to a child that never reads, and the end that it would read from."""
    hears, to_child = os.pipe()
    from_child, says = os.pipe()
    channel = Channel(os.fdopen(to_child, "wb", buffering=0), os.fdopen(from_child, "rb", buffering=0))
    yield channel, hears
    channel.close()
    os.close(says)


def test_sending_to_a_child_that_reads_nothing_ends_in_time(deaf):
    channel, hears = deaf
    with pytest.raises(TimeoutError):
        channel.send({}, bytes(1 << 20), seconds=0.05)
    os.close(hears)


def test_sending_to_a_child_that_has_gone_says_so(deaf):
    channel, hears = deaf
    os.close(hears)
    with pytest.raises(ChildGone):
        channel.send({"run": []}, seconds=5)


def test_a_child_that_sends_drop_by_drop_has_one_deadline_for_the_whole_frame():
    hears, to_child = os.pipe()
    from_child, says = os.pipe()
    channel = Channel(os.fdopen(to_child, "wb", buffering=0), os.fdopen(from_child, "rb", buffering=0))
    os.write(says, frame({"a": 1}, bytes(100))[:-1])
    begun = time.monotonic()
    with pytest.raises(TimeoutError):
        channel.receive(0.1)
    assert time.monotonic() - begun >= 0.1
    channel.close()
    os.close(hears), os.close(says)
