"""Several searches side by side: each asks for one evaluation at a time, and what all of them wait for is evaluated as one batch.

A library's optimiser calls a function; here the function waits until every search that still runs has asked, so that the workers of a
campaign get whole batches. What a search does follows from its own answers alone: the order of the work changes nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Generic, TypeVar

from gearwright.errors import RunError

Q = TypeVar("Q")
A = TypeVar("A")


class Enough(RunError):
    """Raised in a search that has used up its evaluations, or whose work was given up."""


class Ask(Generic[Q, A]):
    """What a search calls with a question: its answer, from a batch. Raises Enough after ``most`` questions."""

    def __init__(self, lane: int, post: SimpleQueue[tuple[int, Q | None]], most: int):
        self.lane, self.post, self.most = lane, post, most
        self.asked = 0
        self.answer: SimpleQueue[A | None] = SimpleQueue()

    def __call__(self, question: Q) -> A:
        """Wait for the answer."""
        if self.asked >= self.most:
            raise Enough("all evaluations are used up")
        self.asked += 1
        self.post.put((self.lane, question))
        found = self.answer.get()
        if found is None:
            raise Enough("the work was given up")
        return found


def side_by_side(
    searches: Sequence[Callable[[Ask[Q, A]], None]], most: Sequence[int], evaluate: Callable[[list[Q]], list[A]]
) -> None:
    """Run searches to their ends; ``evaluate`` answers a batch of questions, in the order of the searches.

    What ``evaluate`` raises ends all of them and is raised; so is what a search raises, but for Enough.
    """
    post: SimpleQueue[tuple[int, Q | None]] = SimpleQueue()
    asks = [Ask[Q, A](i, post, m) for i, m in enumerate(most)]
    failed: list[BaseException] = []

    def work(i: int) -> None:
        try:
            searches[i](asks[i])
        except Enough:
            pass
        except BaseException as error:  # raised below, in the thread that waits
            failed.append(error)
        post.put((i, None))

    threads = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(len(searches))]
    for thread in threads:
        thread.start()
    running, waiting = set(range(len(searches))), dict[int, Q]()
    try:
        while running:
            lane, question = post.get()
            if question is None:
                running.discard(lane)
            else:
                waiting[lane] = question
            if waiting and set(waiting) == running and not failed:
                order = sorted(waiting)
                for i, found in zip(order, evaluate([waiting.pop(i) for i in order]), strict=True):
                    asks[i].answer.put(found)
            elif failed:
                break
    finally:
        for ask in asks:
            ask.answer.put(None)
        for thread in threads:
            thread.join(timeout=60.0)
    if failed:
        raise failed[0]
