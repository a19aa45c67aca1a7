"""Who flies the cases of a campaign: processes of this computer, or a cluster."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from proxops.campaigns.ask import Ask
from proxops.campaigns.case import crashed
from proxops.campaigns.job import Job
from proxops.core.errors import InputError, WorkerError

Answer = dict[str, Any]


class Executor(Protocol):
    """Flies cases of one job, batch after batch."""

    def fly(self, asks: Sequence[Ask], stop: Callable[[], bool]) -> Iterator[Answer]:
        """An answer to each, as they come in any order; ends early once `stop` is true.

        An answer is a case as plain data with its `timing`, or says why there is none: `impossible`
        to draw, a `problem` of the job, a `failure` of workers, or that the case has `crashed` its
        workers.
        """


def grouped(asks: Sequence[Ask], at_once: int) -> list[Sequence[Ask]]:
    """Cases that a worker flies at once."""
    return [asks[first : first + at_once] for first in range(0, len(asks), at_once)]


def settled(job: Job, ask: Ask, answer: Answer) -> tuple[dict[str, Any], dict[str, float]]:
    """Case and timing of an answer; InputError or WorkerError if the campaign cannot go on."""
    for kind in ("impossible", "problem"):
        if kind in answer:
            raise InputError(answer[kind])
    if "failure" in answer:
        raise WorkerError(answer["failure"])
    if "crashed" in answer:
        return crashed(ask.case_of(job.scenario), answer["crashed"], answer["tries"]), {}
    timing = answer.pop("timing", {})
    return answer, timing
