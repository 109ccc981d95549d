"""A model of one FSDP2 step for hardware and rank counts that are not at hand. No torch; all simulated.

``shapes`` and ``setup`` say what is trained, ``topology`` on what; ``compute`` and ``collectives`` give the
times of the
parts, ``schedule`` plays FSDP2's order of them, ``peak_memory`` the bytes; ``prediction`` puts an interval
on the answer.
``calibration`` fits constants, ``published`` and ``validation`` judge them on results of others.
"""
