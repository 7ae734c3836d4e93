"""Who is in the story: names, what they look like, and what else they are called."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from storyengine.language.reading import words as w
from storyengine.language.reading.segments import Segment
from storyengine.language.reading.tokens import split_sentences, tokenize
from storyengine.language.reading.verbs import verb_forms


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whom the brief introduces by name."""

    name: str
    look: str = ""
    gender: str = ""
    aliases: tuple[str, ...] = ()


_NAME = r"[A-ZÀ-Þ][\w'’À-ÿ-]+"
_TITLED = (
    r"(?:(?:Mr|Mrs|Ms|Dr|Prof|St)\.?\s+|(?:Captain|Aunt|Uncle|Nurse|Sister|Brother|Old|Frau|Herr|Miss|Madame|Grandfather|"
    rf"Grandmother|Doctor|Professor|Officer|Sergeant)\s+)*{_NAME}(?:\s+{_NAME})?"
)


def proper_names(idea: str, required: Collection[str]) -> tuple[str, ...]:
    """Every name in a text: required, capitalised inside a sentence, or acting at the start of one."""
    found: dict[str, int] = {}
    for name in required:
        if re.match(_NAME, name) and not re.match(r"(?:the|a|an)\s", name, re.IGNORECASE):
            found[name] = found.get(name, 0) + 1
    for paragraph in idea.split("\n"):
        for sentence in split_sentences(paragraph):
            _names_in(sentence, found)
    spoken = set(re.findall(r"(?<![A-Za-z])[a-z]+(?:-[a-z]+)*", idea))
    return tuple(name for name in found if name in required or len(name.split()) > 1 or name.lower() not in spoken)


def _names_in(sentence: str, found: dict[str, int]) -> None:
    tokens = tokenize(sentence)
    previous = ""
    for position, token in enumerate(tokens):
        lower = token.lower.removesuffix("'s")
        closed = w.DETERMINERS | w.PRONOUNS | w.PREPOSITIONS | w.SUBORDINATORS | w.CONJUNCTIONS | w.AUXILIARIES
        plain = (
            not token.is_capitalised
            or token.is_shouted
            or lower in closed
            or w.is_adverb(lower)
            or lower in ("shot", "shots", "int", "ext")
        )
        starts = position == 0 or tokens[position - 1].text in '.!?:"“(-–—|)'
        if plain or w.number_word(lower) is not None or not token.text[0].isalpha():
            previous = ""
            continue
        following = tokens[position + 1].lower if position + 1 < len(tokens) else ""
        acts_alone = any(form.form == "s" for form in verb_forms(following)) or following in ("is", "was")
        acting = acts_alone or any(form.form == "past" for form in verb_forms(following))
        if following == "," and position + 2 < len(tokens) and tokens[position + 2].lower in ("a", "an"):
            acts_alone = acting = True
        common = (
            (verb_forms(lower) and lower not in w.FEMALE_NAMES | w.MALE_NAMES)
            or w.is_place_noun(lower)
            or lower in w.ADJECTIVES
        )
        known = lower in w.FEMALE_NAMES | w.MALE_NAMES or lower in w.TITLES
        if (
            starts
            and not known
            and (
                common
                or not acting
                or (w.is_plural(lower) and not acts_alone)
                or lower in w.LIQUIDS | w.ABSTRACT | w.PEOPLE
            )
        ):
            previous = ""
            continue
        name = token.text.removesuffix("'s").removesuffix("'")
        if previous:
            found.pop(previous, None) if found.get(previous, 0) <= 1 else None
            name = f"{previous} {name}"
        found[name] = found.get(name, 0) + 1
        previous = name if not token.text.endswith("'s") else ""


def find_people(idea: str, segments: tuple[Segment, ...], names: tuple[str, ...]) -> list[Person]:
    """People whom the text introduces: `Ewa (baker, white jacket)`, `Mina, a student …`, entries of a cast list."""
    looks: dict[str, str] = {}
    for segment in segments:
        if segment.kind == "cast":
            _from_cast(segment.text, looks)
    for match in re.finditer(
        rf"(?:(?P<role>[a-z][a-z -]+?)\s+(?:called|named)\s+)?(?P<name>{_TITLED})\s*\((?P<look>[^)]{{3,160}})\)", idea
    ):
        if not re.search(r"\bshots?\b|INT|EXT", match["look"]):
            look = re.sub(r"^(?:she|he|they)(?:'s|'ve| has| have)?(?: got)?\s+", "", match["look"].strip())
            looks.setdefault(_known(match["name"], names), f"{match['role'] or ''} {look}".strip())
    apposed = rf"(?P<name>{_TITLED}),\s+(?P<look>an?\s+[^,;:.()]+(?:,\s+(?:in|with|wearing)\s[^,;:.()]+)*)"
    for match in re.finditer(apposed, idea):
        name = _known(match["name"], names)
        if name in names and match["name"].split()[-1].lower() not in w.DETERMINERS:
            looks.setdefault(name, _until_verb(match["look"]))
    for introduced in _INTRODUCED:
        for match in re.finditer(introduced, idea):
            if match["name"] in names and _describes(match["look"]):
                looks.setdefault(match["name"], " ".join(match["look"].split()))
    people = []
    for name, look in looks.items():
        people.append(Person(name, look, gender_in(name, look)))
    return people


_INTRODUCED = (
    rf"(?P<name>{_NAME})\s+[a-z][^.:;]{{2,80}}:\s+(?P<look>[^.;:]+)",
    rf"(?P<name>{_NAME})\s+[a-z][^.:;,]{{2,60}},\s+(?P<look>an?\s[^.;:]+)",
    rf"\b(?:He|She)\s+is\s+(?P<name>{_NAME}),\s+(?P<look>[^.;:]+)",
)
"""`Lien makes the hoops: a slight woman …`, `Oumar minds the pumps, a stocky man …`, `He is Ignatius, tall, …`."""


def _describes(text: str) -> bool:
    """Whether words tell how somebody looks: no verb acts on anything, and there is a person, or hair or clothes in
    some colour, told without one."""
    spoken = [word.lower() for word in re.findall(r"[\w'-]+", text)]
    person = any(w.is_person_noun(word) for word in spoken[:6])
    bare = spoken[:1] not in (["a"], ["an"]) and any(map(w.is_colour, spoken))
    return _until_verb(text) == text and (person or bare)


def _until_verb(look: str) -> str:
    """The description up to a verb that tells something: `a baker in white opens …` ends before it."""
    words = look.split()
    for position, word in enumerate(words[1:], start=1):
        told = any(form.form == "s" for form in verb_forms(word.lower())) and words[position + 1 : position + 2]
        if told and words[position + 1].lower() in w.DETERMINERS:
            return " ".join(words[:position])
    return look


def _known(name: str, names: tuple[str, ...]) -> str:
    return next((known for known in names if known.split()[-1] == name.split()[-1]), name)


def _from_cast(text: str, looks: dict[str, str]) -> None:
    for sentence in split_sentences(text):
        sentence = sentence.strip(" .-*•")
        called = re.match(
            rf"(?P<role>(?:a|an|the)\s+[^,()]+?)\s+(?:called|named)\s+(?P<name>{_TITLED})[\s,:(–-]*(?P<look>.*)$",
            sentence,
            re.IGNORECASE,
        )
        plain = re.match(rf"(?P<name>{_TITLED})\s*(?:[,:(–—-]|\bis\b)\s*(?P<look>.*)$", sentence)
        if called and called["name"][:1].isupper():
            looks.setdefault(called["name"], f"{called['role']}, {called['look']}".strip(" ,.)"))
        elif plain:
            looks.setdefault(plain["name"], plain["look"].strip(" ,.)"))


def gender_in(name: str, text: str) -> str:
    """`f`, `m`, or empty."""
    words = re.findall(r"[a-z]+", text.lower())
    for word in words:
        if word in w.FEMALE_NOUNS or word in ("she", "her"):
            return "f"
        if word in w.MALE_NOUNS or word in ("he", "his"):
            return "m"
    first = [part.lower().strip(".") for part in name.split()]
    if any(part in w.FEMALE_NAMES or part in ("mrs", "ms", "miss", "frau", "madame", "aunt") for part in first):
        return "f"
    if any(part in w.MALE_NAMES or part in ("mr", "herr", "uncle") for part in first):
        return "m"
    return ""
