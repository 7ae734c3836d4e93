"""The studio behind the ports: a painter and an animator that know only what they are told and shown.

reading (prompt → request) → compose (request → scene) → staging (scene → moment) → drawing (moment → pixels)
"""
