"""How often the evaluator errs: random scenes whose truth the renderer knows, judged from bare frames.

    words → story (plan, contract, references) → scene with planted errors → frames, questions and their truth
    frames and questions → judge in a process of its own → verdicts → precision, recall, UNKNOWN rate

Nothing is imported here: `bare`, which runs beside the evaluator, must not pull in the studio.
"""
