"""Continuity-aware generation: the gate, the opening, the shooting loop with bounded repair, the rank."""
