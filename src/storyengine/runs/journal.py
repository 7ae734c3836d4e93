"""The journal: what was done, what was paid, and what is on its way. SQLite, one writer.

`JournalReader` may be open in any number of processes while one `Journal` writes. Rows are grouped into one
transaction until `commit`: losing an uncommitted row of free work costs a repetition, so those wait for
company; every transition of a paid call is committed before the next thing happens.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import anyio.lowlevel

from storyengine.errors import FolderError, StoryEngineError
from storyengine.runs.digest import canonical, digest
from storyengine.runs.folder import folder_errors, sync_folder
from storyengine.runs.rows import Call, CallState, Effect, Record, StepRow, damaged, seal, unseal
from storyengine.runs.secrecy import redact, redact_value

SCHEMA_VERSION = 1

_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, started REAL NOT NULL, ended REAL);
CREATE TABLE steps (
  key TEXT PRIMARY KEY, kind TEXT NOT NULL, version TEXT NOT NULL, effect TEXT NOT NULL, inputs TEXT NOT NULL,
  params TEXT NOT NULL, digest TEXT, size INTEGER, run INTEGER NOT NULL, at REAL NOT NULL, seal TEXT NOT NULL);
CREATE TABLE slots (slot TEXT PRIMARY KEY, key TEXT NOT NULL);
CREATE TABLE calls (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, key TEXT NOT NULL, attempt INTEGER NOT NULL,
  slot TEXT NOT NULL, provider TEXT NOT NULL, stage TEXT NOT NULL, state TEXT NOT NULL, job TEXT, digest TEXT,
  size INTEGER, estimate INTEGER NOT NULL, actual INTEGER, reason TEXT NOT NULL, run INTEGER NOT NULL,
  at REAL NOT NULL, seal TEXT NOT NULL);
CREATE INDEX calls_by_key ON calls (key, attempt);
CREATE TABLE records (
  id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, body TEXT NOT NULL, run INTEGER NOT NULL,
  at REAL NOT NULL, seal TEXT NOT NULL);
CREATE TRIGGER records_stay BEFORE UPDATE ON records BEGIN SELECT RAISE(ABORT, 'records are final'); END;
CREATE TRIGGER records_last BEFORE DELETE ON records BEGIN SELECT RAISE(ABORT, 'records are final'); END;
"""
_STEP = "key, kind, version, effect, inputs, params, digest, size, run, at, seal"
_CALL = "name, key, attempt, slot, provider, stage, state, job, digest, size, estimate, actual, reason, run, at, seal"


class JournalReader:
    """Reads a journal, also while another process writes it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with journal_errors(path):
            self._db = _connect_to_read(path)
            _check_version(self._db, path)

    def step(self, key: str) -> StepRow | None:
        """The row of this step, finished or begun."""
        found = self._rows(f"SELECT {_STEP} FROM steps WHERE key = ?", key)
        return _step_row(found[0]) if found else None

    def steps(self) -> list[StepRow]:
        return [_step_row(row) for row in self._rows(f"SELECT {_STEP} FROM steps ORDER BY rowid")]

    def in_slot(self, slot: str) -> StepRow | None:
        """The step that last finished, or was last found finished, under this name."""
        key = self.key_in_slot(slot)
        return self.step(key) if key else None

    def key_in_slot(self, slot: str) -> str | None:
        """Key of the step that this name last stood for."""
        found = self._rows("SELECT key FROM slots WHERE slot = ?", redact(slot))
        return str(found[0][0]) if found else None

    def slots(self) -> dict[str, str]:
        """Key of the step that each name last stood for."""
        return dict(self._rows("SELECT slot, key FROM slots ORDER BY rowid"))

    def call(self, key: str) -> Call | None:
        """The newest attempt at this paid step."""
        query = f"SELECT {_CALL} FROM calls WHERE key = ? ORDER BY attempt DESC LIMIT 1"
        found = self._rows(query, key)
        return _call_row(found[0]) if found else None

    def calls(self) -> list[Call]:
        """Every attempt at every paid call, in the order they were begun."""
        return [_call_row(row) for row in self._rows(f"SELECT {_CALL} FROM calls ORDER BY id")]

    def records(self, kind: str) -> list[Record]:
        """Every record of this kind, oldest first."""
        query = "SELECT id, kind, body, run, at, seal FROM records WHERE kind = ? ORDER BY id"
        return [_record(row) for row in self._rows(query, kind)]

    def all_records(self) -> list[Record]:
        query = "SELECT id, kind, body, run, at, seal FROM records ORDER BY id"
        return [_record(row) for row in self._rows(query)]

    def worked_seconds(self) -> float:
        """How long processes have worked on the project. A run that was killed counts for nothing: nobody knows."""
        return float(self._rows("SELECT COALESCE(SUM(ended - started), 0.0) FROM runs WHERE ended IS NOT NULL")[0][0])

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _rows(self, query: str, *values: object) -> list[Any]:
        with journal_errors(self.path):
            return self._db.execute(query, values).fetchall()


class Journal(JournalReader):
    """The one writer. Holds uncommitted rows until `commit`, or until somebody awaits `committed`.

    After the first failed write it refuses all others: what is on disk is then the truth, and the next
    run starts from it.
    """

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time) -> None:
        self.path = path
        self._clock = clock
        self._written = self._durable = 0
        self._broken: StoryEngineError | None = None
        write_ahead = path.with_name(path.name + "-wal")
        torn = write_ahead.exists() and write_ahead.stat().st_size > 0
        with journal_errors(path):
            self._db = sqlite3.connect(path, isolation_level=None, timeout=5)
            try:
                _prepare(self._db, path)
            except BaseException:
                self._db.close()
                raise
        self.project = str(self._rows("SELECT value FROM meta WHERE name = 'project'")[0][0])
        last = self._rows("SELECT ended FROM runs ORDER BY id DESC LIMIT 1")
        self.was_cut_short = torn or bool(last and last[0][0] is None)
        """Whether the last run ended without closing the journal: its last rows may be missing."""
        self.run = self._insert("INSERT INTO runs (started) VALUES (?)", clock())
        self.commit()
        # Into the main file: should the write-ahead log get lost, this run still shows as not ended.
        self._rows("PRAGMA wal_checkpoint(TRUNCATE)")
        self._first_write = self._written

    def begin_step(self, row: StepRow) -> None:
        """A paid step that is about to be called."""
        self._write_step(replace(row, run=self.run, at=self._clock()))

    def finish_step(self, row: StepRow, slot: str) -> None:
        """A step whose artifact lies in the store."""
        self._write_step(replace(row, run=self.run, at=self._clock()))
        self.stands_for(slot, row.key)

    def stands_for(self, slot: str, key: str) -> None:
        """This name stands for this step now."""
        self._insert("INSERT OR REPLACE INTO slots (slot, key) VALUES (?, ?)", redact(slot), key)

    def write_call(self, call: Call) -> Call:
        """A new attempt, or a new state of one. Returns it as written."""
        call = replace(call, slot=redact(call.slot), reason=redact(call.reason), run=self.run, at=self._clock())
        update = ", ".join(f"{name} = excluded.{name}" for name in _CALL.split(", ") if name != "name")
        marks = ", ".join("?" * len(_CALL.split(", ")))
        self._insert(
            f"INSERT INTO calls ({_CALL}) VALUES ({marks}) ON CONFLICT (name) DO UPDATE SET {update}",
            *(getattr(call, name) for name in _CALL.split(", ")[:-1]),
            seal("call", call),
        )
        return call

    def append(self, kind: str, body: object) -> int:
        """Write a record that nothing can change or remove. Returns its number; commit makes it durable."""
        text = canonical(redact_value(body)).decode()
        return self._insert(
            "INSERT INTO records (kind, body, run, at, seal) VALUES (?, ?, ?, ?, ?)",
            kind,
            text,
            self.run,
            self._clock(),
            digest("journal.record", [kind, text]),
        )

    def forget(self, keys: Sequence[str]) -> None:
        """Drop finished free steps, so that they are done again when somebody asks for them."""
        for key in keys:
            self._insert("DELETE FROM steps WHERE key = ? AND effect = ?", key, Effect.PURE)

    def worked_seconds(self) -> float:
        """The same, with this run."""
        started = self._rows("SELECT started FROM runs WHERE id = ?", self.run)[0][0]
        return super().worked_seconds() + self._clock() - float(started)

    @property
    def pending(self) -> int:
        """Writes that a crash would lose."""
        return self._written - self._durable

    def commit(self) -> None:
        """Make everything written so far durable."""
        if self._broken:
            raise self._broken
        if self._db.in_transaction:
            with self._writing():
                self._db.execute("COMMIT")
        self._durable = self._written

    async def committed(self) -> None:
        """Return once everything this task wrote is durable. Tasks that are ready now share one fsync."""
        mine = self._written
        await anyio.lowlevel.checkpoint()
        if self._durable < mine or self._broken:
            self.commit()

    def close(self) -> None:
        """Commit, keep a copy of the journal where it changed, and mark this run as ended."""
        try:
            if not self._broken:
                self.commit()
                if self._written > self._first_write:
                    self._keep_copy()
                self._insert("UPDATE runs SET ended = ? WHERE id = ?", self._clock(), self.run)
                self.commit()
        finally:
            self._db.close()

    def _keep_copy(self) -> None:
        """The copy is taken before the run is marked as ended: whoever restores it has a run cut short."""
        temporary = self.path.with_name("journal.backup.tmp")
        with journal_errors(self.path), folder_errors("write", temporary):
            temporary.unlink(missing_ok=True)
            with sqlite3.connect(temporary) as copy:
                self._db.backup(copy)
            copy.close()
            handle = os.open(temporary, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
            os.replace(temporary, self.path.with_name("journal.backup"))
            sync_folder(self.path.parent)

    def _write_step(self, row: StepRow) -> None:
        row = replace(row, params=redact_value(row.params))
        self._insert(
            f"INSERT OR REPLACE INTO steps ({_STEP}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            row.key,
            row.kind,
            row.version,
            row.effect,
            canonical(row.inputs).decode(),
            canonical(row.params).decode(),
            row.digest,
            row.size,
            row.run,
            row.at,
            seal("step", row),
        )

    def _insert(self, statement: str, *values: object) -> int:
        if self._broken:
            raise self._broken
        with self._writing():
            if not self._db.in_transaction:
                self._db.execute("BEGIN IMMEDIATE")
            done = self._db.execute(statement, values)
        self._written += 1
        return done.lastrowid or 0

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            with journal_errors(self.path):
                yield
        except StoryEngineError as error:
            self._broken = error
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise


@contextmanager
def journal_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite says into an error that tells the reader what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "full" in text:
            found, next_step = "the disk is full", "Free some space and run the same command again."
        elif "readonly" in text or "unable to open" in text:
            found, next_step = "it cannot be written or opened", "Check the folder and its permissions."
        elif "locked" in text:
            found, next_step = "another program holds it", "Close that program and run the same command again."
        else:
            found, next_step = text, "Check the disk and run the same command again; what is committed is kept."
        raise FolderError(f"Cannot use the journal {path}: {found}.", next_step=next_step) from error
    except sqlite3.DatabaseError as error:
        raise damaged(str(error)) from error


def _connect_to_read(path: Path) -> sqlite3.Connection:
    if not path.exists():
        raise FolderError(f"There is no project in {path.parent.parent}.", next_step="Check the path.")
    address = f"{path.resolve().as_uri()}?mode=ro"
    writable = os.access(path.parent, os.W_OK) and not os.statvfs(path.parent).f_flag & os.ST_RDONLY
    if not writable and not path.with_name(path.name + "-wal").exists():
        # Without a write-ahead log SQLite would want to make one, even to read.
        address += "&immutable=1"
    return sqlite3.connect(address, uri=True, isolation_level=None, timeout=5)


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    db.execute("PRAGMA synchronous = FULL")
    if db.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
        raise FolderError(
            f"The file system of {path.parent} does not support SQLite's write-ahead log.",
            next_step="Use a local disk, not a network one.",
        )
    verdict = [row[0] for row in db.execute("PRAGMA integrity_check(3)")]
    if verdict != ["ok"]:
        raise damaged("; ".join(verdict))
    if db.execute("PRAGMA user_version").fetchone()[0] == 0:
        project = secrets.token_hex(8)
        db.executescript(
            f"BEGIN; {_SCHEMA} INSERT INTO meta VALUES ('project', '{project}');"
            f"PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
        )
        sync_folder(path.parent)
    _check_version(db, path)


def _check_version(db: sqlite3.Connection, path: Path) -> None:
    found = db.execute("PRAGMA user_version").fetchone()[0]
    if found != SCHEMA_VERSION:
        raise FolderError(
            f"The journal {path} has the format {found}; this StoryEngine reads {SCHEMA_VERSION}.",
            next_step="Use the StoryEngine version that wrote it, or a newer one.",
        )


def _step_row(row: Sequence[Any]) -> StepRow:
    try:
        parts = (*row[:3], Effect(row[3]), json.loads(row[4]), json.loads(row[5]), *row[6:10])
    except ValueError as error:
        raise damaged(f"the step {str(row[0])[:12]} cannot be read") from error
    step = StepRow(*parts)
    unseal("step", step, row[10])
    return step


def _call_row(row: Sequence[Any]) -> Call:
    try:
        named: dict[str, Any] = dict(zip(_CALL.split(", "), row, strict=True))
        found = named.pop("seal")
        call = Call(**{**named, "state": CallState(row[6])})
    except ValueError as error:
        raise damaged(f"the call {str(row[0])[:12]} cannot be read") from error
    unseal("call", call, found)
    return call


def _record(row: Sequence[Any]) -> Record:
    if digest("journal.record", [row[1], row[2]]) != row[5]:
        raise damaged(f"record {row[0]} does not match its seal")
    return Record(row[0], row[1], json.loads(row[2]), row[3], row[4])
