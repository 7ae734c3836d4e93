"""Who and what the story is about: every mention becomes one person or thing, with roles, states and looks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from storyengine.language.reading import BriefReading, NounPhrase
from storyengine.language.reading import words as w
from storyengine.language.reading.persons import gender_in
from storyengine.language.reading.verbs import NOUNISH, verb_forms
from storyengine.plan import Attribute, Entity
from storyengine.plan.model import Role
from storyengine.wording import JOINING_WORDS

SURROUNDINGS = w.words(
    "floor ground wall walls grass sea sky corner doorway ceiling air river snow water earth pavement edge sun "
    "rain lesson"
)
_UNFILMED = w.words(
    "way time moment while end beginning start silence work job care attention breath glance step turn night day "
    "morning evening afternoon hour minute second direction head mind face eyes eye hand hands voice smile shift "
    "dawn dusk noon midnight course effort help sound noise distance view sight something nothing anything "
    "everything finger fingers arm arms foot feet lap brim nose end ends tip palm how fro mouth lettering hole "
    "rim keep round place sort pair half halves two time times heel knees pieces need help shoulder shoulders "
    "side neck leg legs flush"
) - w.words("pieces")
_STATE_WORDS = w.words(
    "broken mended torn empty full open shut closed locked lit unlit wet dry clean dirty cracked heavy old new "
    "fresh same other finished fallen sealed unsealed folded hot cold warm raised lowered filled repaired painted "
    "glowing burning own first second third last next"
)
_REMARKS = w.words("shot shots what image dozen others jobs century free closes rung")
"""Words of no thing: `the final image of shot 7`, `dries what she braided`, `a dozen jobs`, `hang free`."""
_GROUPS = w.words("batch rank row gear kit equipment belongings")
"""Words that say how many of something: `a row of sacks` are sacks, but `a finished row` could be anything."""
_MARKS = w.words("wound edge cut slit notch groove seam crack dent scratch stain brim hole knot bend fold loop stub")
"""What is on a thing and no thing by itself: `pares the wound`, `every raw edge`."""
_UNDERFOOT = w.words("grass ground earth brickwork stonework masonry")
"""Of the surroundings what nobody handles; a floor is swept and things hang on walls."""
CARRIED = w.words("pocket pockets satchel backpack rucksack handbag purse holster sheath belt pouch")
"""Containers that people have on them."""
_PARTS = w.words("door lid back front flap hatch cover bonnet doors lids top side")
_NEVER_APART = w.words(
    "neck foot feet mouth end ends rim brim spout edge edges corner corners heel stem shaft arm point teeth prongs "
    "square bit stave staves pan leg legs strap straps blade spine hinge hinges clasp buckle seam seams handle handles "
    "bolt hole"
)
"""What is only seen with what it is part of, where the brief says of what: `the neck of the sack`."""
_FIRES = w.words("fire flame flames")
"""What burns in something: `the furnace's fire`."""
DIRT = w.words("mud soot dirt grime rust filth")
"""What only makes something else dirty."""
_DOORED = w.words(
    "oven locker cupboard cabinet safe kiln fridge furnace wardrobe shed van tram car stove dryer washing-machine "
    "machine freezer lorry truck hutch cage house cottage closet boiler microwave dishwasher clock carriage coach "
    "wagon vault room icebox barn"
)
_LIDDED = w.words(
    "chest trunk box pot tin jar case bin basket crate suitcase hive can piano kettle barrel cask toolbox hamper "
    "casket urn churn tub"
)


@dataclass
class Member:
    """A person or thing while it is being put together."""

    id: str
    name: str
    kind: str
    words: set[str]
    head: str
    look: list[str] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    roles: set[str] = field(default_factory=set)
    values: dict[str, list[str]] = field(default_factory=dict)
    """Attribute → values in the order in which the story needs them."""
    conceals: dict[str, list[str]] = field(default_factory=dict)
    one_way: set[str] = field(default_factory=set)
    plural: bool = False
    handled: bool = False
    """Whether somebody moves it."""
    gender: str = ""
    home: str = ""
    """The place that it was first spoken of in, where every place may have one: `the door`."""
    fullest: str = ""
    """The longest way in which the brief calls it."""

    @property
    def stays_put(self) -> bool:
        """Whether it belongs to its place: a fixture, or a large thing, that the story never moves."""
        return self.kind == "prop" and not self.handled and w.singular(self.head) in w.FIXTURES | w.LARGE


class Roster:
    """All people and things, found again by any of the ways in which the brief calls them."""

    def __init__(self, reading: BriefReading, required: Iterable[str]) -> None:
        self.members: dict[str, Member] = {}
        self.places = {place.lower() for place in reading.places}
        self.alone = reading.alone
        self.looks = {name.lower(): look for name, look in reading.looks}
        """How the brief describes things, by their names."""
        self.recent: list[str] = []
        """Things in the order of their latest mention."""
        self.here = ""
        """The place that the words being read are set in, where they say so."""
        self.container: str | None = None
        """What `the door` would be the door of."""
        for person in reading.people:
            self.person(NounPhrase(tuple(person.name.split()), proper=True), look=person.look)
        self._required(required)
        for noun in reading.mentions:
            if not noun.is_person:
                self.thing(noun)

    def _required(self, required: Iterable[str]) -> None:
        for phrase in required:
            words = re.sub(r"^(?:the|a|an)\s+", "", phrase.strip(), flags=re.IGNORECASE)
            if words.lower() in self.places:
                continue
            tokens = tuple(words.split())
            noun = _noun(tokens)
            if words[:1].isupper() or w.is_person_noun(noun.head):
                member = self.members[self.person(noun)]
            else:
                member = self.members[self.thing(noun) or self._add(noun, "prop")]
            if member.name.lower() != words.lower():
                member.aliases.append(phrase)

    # --- people

    def people(self) -> list[Member]:
        return [member for member in self.members.values() if member.kind == "character"]

    def persons(self, phrase: NounPhrase) -> tuple[str, ...]:
        """The people a phrase means; several for `the two friends` and `they`."""
        if phrase.pronoun:
            found = self._by_pronoun(phrase)
            return (found,) if found else ()
        if (
            phrase.plural
            and not phrase.proper
            and (w.is_person_noun(phrase.head) or phrase.determiner in ("two", "both"))
        ):
            everybody = tuple(member.id for member in self.people())
            if len(everybody) >= 2 and phrase.determiner in ("the", "two", "both", "all", "three"):
                return everybody
        return (self.person(phrase),)

    def _by_pronoun(self, phrase: NounPhrase) -> str | None:
        people = self.people()
        wanted = "f" if phrase.head in w.FEMALE else "m" if phrase.head in w.MALE else ""
        fitting = [p for p in people if wanted and p.gender in (wanted, "")] or people
        return fitting[0].id if len(fitting) == 1 or fitting else None

    def known_person(self, phrase: NounPhrase) -> str | None:
        """The person a phrase means, if the roster has one."""
        spoken = {word.lower().strip(".") for word in phrase.words}
        for member in self.people():
            names = {word.lower().strip(".") for word in member.name.split()}
            if spoken <= names or (phrase.proper and (names <= spoken or phrase.head in names)):
                return member.id
        people = self.people()
        if (
            self.alone
            and len(people) == 1
            and not phrase.proper
            and not phrase.plural
            and w.is_person_noun(phrase.head)
        ):
            return people[0].id
        if not phrase.proper:
            for member in people:
                called = " ".join((*member.look[:3], *member.aliases)).lower()
                if re.search(rf"\b{re.escape(phrase.head)}\b", called):
                    return member.id
        return None

    def person(self, phrase: NounPhrase, look: str = "") -> str:
        found = self.known_person(phrase)
        if found is None:
            found = self._add(phrase, "character")
        member = self.members[found]
        if phrase.proper and len(phrase.words) > len(member.name.split()) and not _same(phrase.name, member.name):
            member.aliases.append(member.name)
            member.name = speakable(phrase.name)
        for note in (*phrase.notes, *([look] if look else ())):
            if note not in (*member.look, member.name) and len(note) > 2:
                member.look.append(note)
        member.gender = member.gender or gender_in(member.name, " ".join(member.look))
        return found

    # --- things

    def thing(self, phrase: NounPhrase, create: bool = True) -> str | None:
        """The thing a phrase means; None for what is no thing to film."""
        if phrase.pronoun or not phrase.words:
            return None
        person = self.known_person(phrase) if phrase.proper or w.is_person_noun(phrase.head) else None
        if person is not None:
            return person
        if (
            phrase.head in _UNFILMED and len(phrase.words) == 1 and phrase.of is None
        ) or phrase.name.lower() in self.places:
            return None
        if phrase.determiner == "its" and phrase.head in w.PARTS | _UNFILMED:
            return None
        owner = self._owner(phrase)
        if owner is not None:
            part = " ".join(phrase.words)
            if len(phrase.words) > 1 and part not in self.members[owner].aliases:
                self.members[owner].aliases.append(part)
            return owner
        found = self._known_thing(phrase)
        if found is None and (named := self._described_as(phrase)) is not None:
            phrase = _noun(tuple(named.split()))
            found = self._known_thing(phrase)
        if found is None and create and _names_a_thing(phrase):
            found = self._add(phrase, "prop")
        if found is not None:
            self._touch(found, phrase)
        return found

    def _described_as(self, phrase: NounPhrase) -> str | None:
        """What a phrase only describes: the trug of `the trug, a boat-shaped basket of chestnut strips`."""
        spoken = " ".join(phrase.words).lower()
        told = (name for name, look in self.looks.items() if look.lower().partition(" ")[2].startswith(f"{spoken} "))
        return next((name for name in told if len(phrase.words) > 1 and name != spoken), None)

    def part(self, phrase: NounPhrase) -> str:
        """The part of its owner that a phrase names: `door` of `oven door`, `lid` of `lid of the chest`."""
        if phrase.head in _PARTS | _NEVER_APART | _FIRES and self._owner(phrase) is not None:
            return w.singular(phrase.head)
        return ""

    def _owner(self, phrase: NounPhrase) -> str | None:
        """Whose door it is: `door of the tram`, `oven door`, `the door` after a locker."""
        head = phrase.head
        if head in _NEVER_APART and phrase.of is not None and phrase.of.determiner and not phrase.of.pronoun:
            return self.thing(phrase.of)
        whose = next((k for k, word in enumerate(phrase.words[:-1]) if word.lower().endswith(("'s", "s'"))), None)
        if whose is not None and head in _PARTS | _NEVER_APART | _FIRES:
            return self.thing(_noun((*phrase.words[:whose], re.sub(r"'s?$", "", phrase.words[whose]))))
        parted = [i for i in reversed(self.recent) if w.singular(head) in self.members[i].values]
        if head in _NEVER_APART | _FIRES and len(phrase.words) == 1 and parted:
            return parted[0]
        if head not in _PARTS:
            return None
        if phrase.of is not None and not phrase.of.pronoun:
            return self.thing(NounPhrase(phrase.of.words, phrase.of.determiner, phrase.of.proper, of=phrase.of.of))
        before = [
            word.lower()
            for word in phrase.words[:-1]
            if word.lower() not in _STATE_WORDS and not w.is_adjective(word.lower())
        ]
        if before:
            owners = [m for m in self.members.values() if m.kind == "prop" and m.head == before[-1]]
            owned = before[-1] in _DOORED | _LIDDED | w.PUT_IN and head in ("door", "lid", "doors", "flap")
            if owners:
                return owners[0].id
            if owned:
                colours = tuple(word for word in phrase.words[:-1] if word.lower() == before[-1])
                return self.thing(NounPhrase(colours, "the"))
            return None
        if len(phrase.words) > 1:
            return None
        if parted:
            return parted[0]
        if head in ("door", "lid", "flap", "cover") and self.container is not None:
            owner = self.members[self.container]
            fits = _DOORED if head == "door" else w.PUT_IN | _LIDDED
            if owner.head in fits:
                return owner.id
        return None

    def _known_thing(self, phrase: NounPhrase) -> str | None:
        head, spoken = w.singular(phrase.head), _telling(phrase)
        same = "same" in (word.lower() for word in phrase.words)  # however it was called before
        fitting = [
            m for m in self.members.values()
            if m.kind == "prop" and w.singular(m.head) == head and (same or _agree(m.words, spoken - _told(m, spoken)))
            and _of_agrees(m, phrase)
            and not (self.here and m.home and m.home != self.here and not m.handled)
        ]  # fmt: skip
        if phrase.determiner in ("a", "an", "another") and phrase.determiner == "another":
            return None
        if not fitting and head in w.FRAGMENTS:
            broken = [i for i in reversed(self.recent) if "broken" in self.members[i].values.get("condition", ())]
            return broken[0] if broken else None
        if not fitting:
            return None
        latest = {identifier: position for position, identifier in enumerate(self.recent)}
        return max(fitting, key=lambda m: (len(m.words & spoken), latest.get(m.id, -1))).id

    def _touch(self, identifier: str, phrase: NounPhrase) -> None:
        member = self.members[identifier]
        self.recent = [other for other in self.recent if other != identifier] + [identifier]
        if w.singular(phrase.head) in w.FRAGMENTS and member.head != phrase.head:
            return
        telling = _telling(phrase)
        if self.here and len(phrase.words) == 1 and w.singular(member.head) in w.EVERYWHERE:
            member.home = member.home or self.here
        if len(member.name.split()) == 1 and len(phrase.words) > 1 and telling > {member.head}:
            member.aliases.append(member.name)
            member.name = speakable(
                phrase.name if phrase.of is None or not phrase.of.determiner else " ".join(phrase.words)
            )
        member.words |= telling
        full = " ".join(word for word in phrase.words if word.lower() in telling)
        if len(full.split()) > len(member.fullest.split()):
            member.fullest = full
        for note in phrase.notes:
            if note not in member.look:
                member.look.append(note)

    def _add(self, phrase: NounPhrase, kind: str) -> str:
        name = phrase.name
        if phrase.of is not None and phrase.of.determiner and kind == "prop":
            name = " ".join(phrase.words)
        name = speakable(name)
        identifier = self._free_id(name, phrase.head)
        words = {word.lower() for word in phrase.words} if kind == "character" else _telling(phrase)
        member = Member(identifier, name, kind, words, phrase.head, plural=phrase.plural)
        if kind == "prop" and name.lower() in self.looks:
            member.look.append(self.looks[name.lower()])
        if phrase.of is not None and phrase.of.determiner:
            member.look.append(f"of {phrase.of.determiner} {phrase.of.name}")
        if kind == "prop" and phrase.possessor:
            member.look.append(f"{phrase.possessor}'s")
        self.members[identifier] = member
        return identifier

    def _free_id(self, name: str, head: str) -> str:
        taken = {*self.members, *(slug(place) for place in self.places)}
        for candidate in (slug(head) if not name[:1].isupper() else slug(name), slug(name)):
            if candidate and candidate not in taken:
                return candidate
        number = 2
        while f"{slug(name)}-{number}" in taken:
            number += 1
        return f"{slug(name)}-{number}"

    # --- states

    def state(self, identifier: str, group: str, value: str, before: str, part: str = "", conceals: str = "") -> str:
        """Declare a value of an attribute; the attribute's name comes back."""
        member = self.members[identifier]
        name = part or _ATTRIBUTE.get(group, "state")
        if group == "open" and not part:
            name = "door" if member.head in _DOORED else "lid" if member.head in _LIDDED else "state"
        values = member.values.setdefault(name, [])
        for wanted in (before, value):
            if wanted and wanted not in values:
                values.append(wanted)
        if conceals:
            member.conceals.setdefault(name, [])
            if conceals not in member.conceals[name]:
                member.conceals[name].append(conceals)
        return name

    def entities(self) -> tuple[Entity, ...]:
        self._tell_apart()
        return tuple(self._entity(member) for member in self.members.values())

    def _tell_apart(self) -> None:
        """No two may have one name: the later one gets a word of its look, or a number."""
        taken: set[str] = set()
        for member in self.members.values():
            name, number = member.name, 2
            while name.lower() in taken or name.lower() in self.places:
                name = (
                    f"{member.home.replace('-', ' ')} {member.name}"
                    if number == 2 and member.home
                    else f"{member.fullest}"
                    if number == 2 and member.fullest.lower() not in taken | {""}
                    else f"{member.name} no {number}"
                )
                number += 1
            member.name = speakable(name)
            taken.add(member.name.lower())

    def _entity(self, member: Member) -> Entity:
        roles: tuple[Role, ...] = tuple(role for role in _ROLES if role in member.roles)
        attributes = tuple(
            Attribute(
                name=name,
                values=tuple(values),
                one_way=name in member.one_way,
                conceals=tuple(v for v in member.conceals.get(name, ()) if "container" in member.roles),
            )
            for name, values in member.values.items()
            if len(values) > 1
        )
        aliases = tuple(dict.fromkeys(alias for alias in member.aliases if alias.lower() != member.name.lower()))
        return Entity(
            id=member.id,
            name=member.name,
            kind="character" if member.kind == "character" else "prop",
            look=look_of(member),
            roles=roles,
            attributes=attributes,
            aliases=aliases,
            plural=member.plural and member.kind == "prop",
        )


_ROLES: tuple[Role, ...] = ("surface", "container", "mount", "fixed", "wheeled")
_ATTRIBUTE = {
    "open": "state",
    "raise": "position",
    "fill": "fill",
    "light": "flame",
    "break": "condition",
    "turn": "turn",
    "change": "state",
}


def look_of(member: Member) -> str:
    """How it looks, in the brief's words."""
    if member.kind == "character":
        return _line(", ".join(_apart(member.look)))
    full = member.fullest if len(member.fullest.split()) > len(member.name.split()) else member.name
    notes = [note for note in _apart(member.look) if note.lower() not in full.lower()]
    if not notes and len(full.split()) < 2:
        return ""
    whole = next((note for note in notes if note.startswith(("a ", "an "))), None)
    if whole is not None:  # the brief describes it in one piece
        return _line(", ".join([whole, *(note for note in notes if note != whole)]))
    article = "" if member.plural else "an " if full[:1] in "aeiou" else "a "
    return _line(f"{article}{full}{''.join(' ' + note for note in notes)}")


def _apart(notes: Iterable[str]) -> list[str]:
    """Notes of which none says only what others say; `the seed sack, a small white bag` adds nothing but its name."""
    kept: list[str] = []
    for note in notes:
        own, said = _spoken(note), {word for other in kept for word in _spoken(other)}
        fuller = [other for other in kept if not _spoken(other) <= own]
        if own <= said or (note.startswith("the ") and len(fuller) < len(kept)):
            continue
        kept = [*fuller, note]
    return kept


def _spoken(note: str) -> set[str]:
    return set(re.findall(r"[\w'-]+", note.lower()))


def _line(text: str) -> str:
    return " ".join(text.split())[:400].strip(" ,")


def slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower().replace("'", "")).strip("-")[:60].strip("-") or "thing"


def speakable(name: str) -> str:
    """A name that sentences can quote."""
    plain = re.sub(r"[^\w' -]", "", name)
    kept = [word for word in plain.split() if word.lower() not in JOINING_WORDS]
    return " ".join(kept)[:78].strip(" -'_") or "thing"


def _noun(words: tuple[str, ...]) -> NounPhrase:
    lowered = [word.lower() for word in words]
    if "of" in lowered[1:-1]:
        cut = lowered.index("of")
        return NounPhrase(words[:cut], of=NounPhrase(words[cut + 1 :]))
    return NounPhrase(words, proper=words[0][:1].isupper())


def _names_a_thing(phrase: NounPhrase) -> bool:
    """Whether words that were read as a noun can be one: not how something is, what it does, or a remark."""
    spoken, head = {word.lower() for word in phrase.words}, phrase.head
    beyond = {word.lower() for word in phrase.of.words} if phrase.of is not None else set()
    if (spoken | beyond) & _REMARKS or any(word.isdigit() for word in spoken) or head in _UNDERFOOT | DIRT:
        return False
    if phrase.of is not None:
        return head not in w.ABSTRACT and w.singular(phrase.of.head) not in w.ABSTRACT
    stuff = head in w.LIQUIDS or (head in w.MATERIALS and len(spoken) > 1)
    if head in _STATE_WORDS | _GROUPS or w.singular(head) in _MARKS or (w.is_adjective(head) and not stuff):
        return False
    if phrase.determiner and phrase.determiner not in w.COUNTS:
        return True
    nounish = {head, w.singular(head)} & NOUNISH
    does = not nounish and any(form.form == "s" for form in verb_forms(head))
    return not does and head not in w.ABSTRACT


def _telling(phrase: NounPhrase) -> set[str]:
    """The words that tell one thing from another; states change, so they do not."""
    spoken = {word.lower().removesuffix("'s") for word in phrase.words}
    return spoken - _STATE_WORDS | {phrase.head}


def _told(member: Member, spoken: set[str]) -> set[str]:
    """Of some words those that a thing's description has too: `the pale-blue scale` of a machine in pale blue."""
    look = set(re.findall(r"\w+", " ".join(member.look).lower()))
    return {word for word in spoken if word != member.head and look.issuperset(word.split("-"))}


def _same(one: str, other: str) -> bool:
    return one.lower() == other.lower()


def _agree(known: set[str], spoken: set[str]) -> bool:
    """Whether two ways to call a thing can mean the same one: no second colour, nothing that sets them apart."""
    colours = {word for word in known if w.is_colour(word)}, {word for word in spoken if w.is_colour(word)}
    if colours[0] and colours[1] and not colours[0] & colours[1]:
        return False
    stuffs = known & w.MATERIALS, spoken & w.MATERIALS
    if stuffs[0] and stuffs[1] and not stuffs[0] & stuffs[1]:
        return False
    return known <= spoken or spoken <= known or len(known - spoken) == 0 or _only_looks(known ^ spoken)


def _only_looks(words: set[str]) -> bool:
    return all(
        w.is_adjective(word)
        and word
        not in ("upper", "lower", "left", "right", "top", "bottom", "big", "small", "long", "short", "little", "large")
        for word in words
    )


def _of_agrees(member: Member, phrase: NounPhrase) -> bool:
    if phrase.of is None or phrase.of.determiner:
        return True
    own = member.name.lower()
    return " of " not in own or phrase.of.head in own
