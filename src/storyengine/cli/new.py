"""`storyengine new`: a folder with a brief to edit and a profile that works as it is."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from storyengine import documents
from storyengine.backends import Port, available
from storyengine.cli.output import JsonOption, err, out, print_json
from storyengine.errors import InputError, Interrupted
from storyengine.files import write_text
from storyengine.profile import EMBEDDED, PREVIZ, Profile, read_profile
from storyengine.request import MAX_SHOTS, StoryRequest, read_request

KEYS: dict[str, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
}
"""The environment variables that hold a provider's key; the order is the order of preference."""

EXAMPLE_SHOTS = 6
EXAMPLE_IDEA = (
    "Ada, a baker with grey hair in a white apron, takes the round brown loaf from the wooden table and puts it into "
    "the blue basket. She carries the basket to the shop and sets it on the long counter. Then she remembers the brass "
    "key that she left on the wooden table. She goes back to the bakehouse, picks up the key, returns to the shop and "
    "hangs the key on the iron hook."
)
EXAMPLE_PLACES = " Shots 1-2 are in the bakehouse, shot 3 in the shop, shot 4 in the bakehouse, shots 5-6 in the shop."
EXAMPLE_STYLE = "Calm, matte picture-book colours. The bakehouse has warm lamp light; the shop has cool morning light."
EXAMPLE_REQUIRED = ("Ada", "brown loaf", "brass key")
FORBIDDEN = ("on-screen text", "logos and watermarks", "split screens")


def new(
    name: Annotated[Path, typer.Argument(help="The folder to make.", show_default=False)],
    idea: Annotated[
        str | None, typer.Option(help="The story in plain words. [dim]Default: asked for, or an example.[/]")
    ] = None,
    shots: Annotated[int | None, typer.Option(min=1, max=MAX_SHOTS, help="How many shots. [dim]Default: 6.[/]")] = None,
    style: Annotated[str | None, typer.Option(help="The visual style, light included.")] = None,
    title: Annotated[str | None, typer.Option(help="Working title. [dim]Default: the folder's name.[/]")] = None,
    require: Annotated[
        list[str] | None, typer.Option(help="A person or thing that must recur; may be given several times.")
    ] = None,
    forbid: Annotated[list[str] | None, typer.Option(help="What may not appear; may be given several times.")] = None,
    json_output: JsonOption = False,
) -> None:
    """Start a film: a commented brief to edit, and a profile that says who makes it.

    Asks for what is missing when run in a terminal. Nothing is sent anywhere; keys are only looked for in the
    environment and never written.
    """
    folder = name
    files = {file: folder / file for file in ("brief.yaml", "profile.yaml")}
    _refuse_overwriting(folder, list(files.values()))
    asking = sys.stdin.isatty() and not json_output
    if idea is None and asking:
        idea, shots, style = _ask(shots, style)
    request = _request(title or _title(folder), idea, shots or EXAMPLE_SHOTS, style, require, forbid)
    found = {provider: key for provider in KEYS if (key := _key_of(provider))}
    texts = {"brief.yaml": brief_text(request), "profile.yaml": profile_text(found)}
    read_request(documents.parse(texts["brief.yaml"], "brief.yaml"))
    profile = read_profile(documents.parse(texts["profile.yaml"], "profile.yaml"))
    for file, path in files.items():
        write_text(path, texts[file])
    _report(folder, files, found, profile, json_output=json_output)


def _ask(shots: int | None, style: str | None) -> tuple[str | None, int, str | None]:
    """The questions, on a terminal. Enter takes the example's story and style."""
    try:
        idea = typer.prompt("What is the story? (Enter for an example)", default="", show_default=False).strip()
        shots = shots or typer.prompt("How many shots?", default=EXAMPLE_SHOTS, type=int)
        if style is None and idea:
            style = typer.prompt("Which style? (Enter for none)", default="", show_default=False).strip()
    except typer.Abort:
        raise Interrupted("Nothing was made.") from None
    return idea or None, shots, style or None


def _refuse_overwriting(folder: Path, files: list[Path]) -> None:
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; a new folder is needed.", next_step="Choose another name.")
    there = [file for file in files if file.exists()]
    if there:
        raise InputError(
            f"{there[0]} is there already; nothing was changed.", next_step="Choose another name, or move it away."
        )


def _title(folder: Path) -> str:
    words = folder.resolve().name.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _request(
    title: str, idea: str | None, shots: int, style: str | None, require: list[str] | None, forbid: list[str] | None
) -> StoryRequest:
    """The brief from what was said; an example where nothing was."""
    data: dict[str, Any] = {"title": title, "idea": idea, "shots": shots, "style": style}
    data["required_entities"] = require or []
    if idea is None:
        data["idea"] = EXAMPLE_IDEA + (EXAMPLE_PLACES if shots == EXAMPLE_SHOTS else "")
        data["style"] = style or EXAMPLE_STYLE
        data["required_entities"] = require or list(EXAMPLE_REQUIRED)
    data["forbidden_content"] = forbid or list(FORBIDDEN)
    return read_request(documents.Document("the brief", data))


def _key_of(provider: str) -> str | None:
    """The variable that holds a key of this provider; its value is nobody's business here."""
    return next((variable for variable in KEYS[provider] if os.environ.get(variable, "").strip()), None)


def brief_text(request: StoryRequest) -> str:
    """The brief as YAML with a comment on every field."""
    parts = [
        "# The brief: what you want to see. Edit it freely, then run: storyengine plan brief.yaml",
        _entry("title", request.title),
        "",
        "# The story in plain words: who (hair, clothes), with what (colour, material), where, and what happens.",
        '# It helps to say which shots play where: "Shots 1-2 are in the kitchen, shot 3 in the yard."',
        _entry("idea", request.idea),
        "",
        "# How many shots the film has.",
        _entry("shots", request.shots),
        "",
        "# The look of the film. Say how each place is lit; it stays so whenever the film returns there.",
        _entry("style", request.style) if request.style else "# style: Calm, matte picture-book colours.",
        "",
        "# People and things that must recur, in the words of the story.",
        _entry("required_entities", list(request.required_entities))
        if request.required_entities
        else "# required_entities: [Ada, brass key]",
        "",
        "# What may not appear.",
        _entry("forbidden_content", list(request.forbidden_content)),
        "",
        "# The technical form. A shot may have any of the listed lengths, in seconds.",
        _entry("delivery", {"width": 1280, "height": 720, "fps": 24, "durations": [4, 6, 8]}),
    ]
    return "\n".join(parts) + "\n"


def _entry(name: str, value: Any) -> str:
    return documents.to_yaml({name: value}).rstrip("\n")


def profile_text(found: dict[str, str]) -> str:
    """The profile as YAML: real backends where there is a key and a backend for it, else the embedded ones."""
    planner = _best(Port.TEXT, found, EMBEDDED)
    noted = [f"# Found in the environment: {', '.join(found.values())}."] if found else []
    others = ", ".join(available(Port.TEXT))
    return "\n".join(
        [
            "# Who makes the film. Keys are never written here; they are read from the environment.",
            *noted,
            "",
            f"# Makes the plan: {EMBEDDED} (rules, free, offline) or a language model: {others}.",
            "# A model by name: {backend: openai, model: gpt-5.5}. Paid models ask before they are called.",
            f"planner: {planner}",
            "",
            f"# Make pictures and clips, and judge them: {PREVIZ} is the embedded studio, free and offline.",
            f"painter: {_best(Port.PAINTER, found, PREVIZ)}",
            f"animator: {_best(Port.ANIMATOR, found, PREVIZ)}",
            f"judge: {_best(Port.JUDGE, found, PREVIZ)}",
            "",
        ]
    )


def _best(port: Port, found: dict[str, str], otherwise: str) -> str:
    names = available(port)
    return next((provider for provider in found if provider in names), otherwise)


def _report(
    folder: Path, files: dict[str, Path], found: dict[str, str], profile: Profile, *, json_output: bool
) -> None:
    brief = files["brief.yaml"]
    plan = brief.with_name("brief.plan.yaml")
    steps = (("plan", brief), ("check", plan), ("state", plan))
    following = [f"storyengine {command} {shlex.quote(str(file))}" for command, file in steps]
    if json_output:
        chosen = {part: choice.backend for part, choice in profile}
        written = [str(path) for path in files.values()]
        print_json(
            {
                "ok": True,
                "folder": str(folder),
                "files": written,
                "keys": list(found.values()),
                "profile": chosen,
                "next": following,
            }
        )
        return
    console = out()
    console.print(f"[bold green]made[/]  {escape(str(brief))}, {escape(str(files['profile.yaml']))}")
    if found:
        err().print(f"[dim]Found {escape(', '.join(found.values()))}; the profile uses it.[/]")
    else:
        err().print("[dim]No keys found; the profile uses the embedded planner and studio, free and offline.[/]")
    console.print("Edit the brief, then try:")
    for command in following:
        console.print(f"  {escape(command)}")
