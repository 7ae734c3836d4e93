"""Runs: nothing is done twice, nothing paid is lost. Knows nothing about films.

In reading order:

    digest        the one home of hashing
    folder        locks, durable writes, what the machine says about a folder
    store         artifacts by content
    rows, journal what was done and what was paid, in SQLite
    project       a folder with one store and one journal
    step          steps, their keys and their results
    why           why a step is done again
    limits        resources and the pace of requests
    provider      what a paid service must offer
    ledger        money, reserved and settled
    payment       a paid call, from intent to result
    worker        where a pure step runs
    executor      local threads and processes
    ray_executor  many machines
    runner        decides, journals and pays
    rehearsal     asks for the same steps and does nothing
    progress      events and listeners; terminal draws them
    secrecy       keeps keys out of logs, journal and progress
    tidy          what can be removed from a project
    interrupt     Ctrl-C leaves a clean state
"""
