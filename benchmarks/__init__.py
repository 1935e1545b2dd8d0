"""Speed and memory, as ratios to something measured in the same run; one file per question.

`python -m benchmarks` runs all of them, `python -m benchmarks moments` those whose name starts so.
"""
