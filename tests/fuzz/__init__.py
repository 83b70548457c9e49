"""Fuzzing by coverage: inputs that are changed again and again, towards parts of the code that none has reached yet.

`make fuzz` runs the targets under atheris on the debug build, so that the compiled core is watched, too. What is in
`corpus` is where it begins, and is replayed by every run of the tests.
"""
