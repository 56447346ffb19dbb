"""The log of nbgrader's commands, in which names that students chose drive no terminal."""

import copy
import logging

from tornado.log import LogFormatter

from practice.judging.failure import legible


class Legible(LogFormatter):
    """Application.logging_config: tornado's formatter, which nbgrader's commands use, with every message legible."""

    def format(self, record: logging.LogRecord) -> str:
        record = copy.copy(record)
        record.msg, record.args = legible(record.getMessage(), None), None
        if record.exc_info:
            record.exc_text = legible(self.formatException(record.exc_info), None)
        return super().format(record)
