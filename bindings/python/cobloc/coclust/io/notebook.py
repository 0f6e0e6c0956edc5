"""Questions in a notebook, by coclust's names."""
from __future__ import annotations


def input_with_default_int(prompt: str, prefill: int) -> int:
    """Ask for a number; an empty answer is the default."""
    answer = input(f"{prompt}: [default: {prefill}] ")
    return int(answer) if answer else prefill


def input_with_default_str(prompt: str, prefill: str) -> str:
    """Ask for a text; an empty answer is the default."""
    return input(f"{prompt}: [default: {prefill}] ") or prefill
