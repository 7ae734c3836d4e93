"""Change: look, understand, change one thing, keep the rest.

In reading order:

    target      what a change is about: a shot, its opening, a character, a prop or a place
    record      what the author changed so far, as one frozen value
    projects    which project a command means, and what it remembers
    forecast    what making the film now would change, why, and for how much
    cuts        every film that was delivered, and how to bring one back
    pinning     which bytes a pin means
    reasons     why this take, why this gate mode, why a shot is stale
    verifying   clips made anywhere, held against a plan
"""
