"""Mutants of every format that registers in ``tests/fuzz``: no traceback, no hang, no end of the process, no NaN in JSON, bounded memory.

``python -m tests.fuzz 10000`` runs more; ``GEARWRIGHT_FUZZ=5000`` does so here.
"""

from __future__ import annotations

import os

import pytest

from tests.fuzz import formats, run

MUTANTS = int(os.environ.get("GEARWRIGHT_FUZZ", "200"))


@pytest.mark.parametrize("name", sorted(formats()))
def test_mutants_end_in_a_sentence_or_a_result(name: str) -> None:
    finds = run(name, MUTANTS)
    assert finds.found == [] and finds.ran == round(MUTANTS * formats()[name].share)
    assert 0 < finds.refused < finds.ran, "damage that always or never shows tests nothing"
