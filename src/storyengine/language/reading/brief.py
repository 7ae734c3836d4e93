"""`read_brief`: a whole brief into people, places, shots, events, rules and anchors, with what was not understood."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from storyengine.language.reading import words as w
from storyengine.language.reading.directions import (
    Anchor,
    OrderHint,
    apposed_looks,
    described_thing,
    find_anchors,
    is_direction,
    is_for_the_filmmaker,
    is_one_way,
    is_order,
    is_rule,
    nouns_in,
    one_way_count,
    order_hint,
    worded_order,
)
from storyengine.language.reading.discourse import Discourse
from storyengine.language.reading.light import light_of
from storyengine.language.reading.persons import find_people, proper_names
from storyengine.language.reading.phrases import NounPhrase
from storyengine.language.reading.readings import Reading, Statement
from storyengine.language.reading.segments import Segment, outline, sluglines_apart
from storyengine.language.reading.sentence import SentenceReading, read_in_context
from storyengine.language.reading.shotplan import ShotMention, place_core, shot_mentions
from storyengine.language.reading.sifting import (
    CAMERA_WORDS,
    FREE_ORDER,
    LABEL,
    TRADES,
    about_the_story,
    is_meta,
    roles_apart,
    same_place,
    share,
    tells,
    to_be_seen,
    without_shouting,
)
from storyengine.language.reading.tokens import tokenize
from storyengine.language.reading.told import BriefEvent, BriefReading, UnreadSentence
from storyengine.request import StoryRequest


def read_brief(request: StoryRequest) -> BriefReading:
    """Read a brief. Never raises; what is not understood is listed."""
    return _BriefReader(request).run()


@dataclass
class _Found:
    events: list[BriefEvent] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    orders: list[OrderHint] = field(default_factory=list)
    one_way: list[SentenceReading] = field(default_factory=list)
    anchors: list[Anchor] = field(default_factory=list)
    unread: list[UnreadSentence] = field(default_factory=list)
    shot_places: dict[int, list[str]] = field(default_factory=dict)
    places: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    mentions: list[NounPhrase] = field(default_factory=list)
    fittings: list[tuple[NounPhrase, str]] = field(default_factory=list)


class _BriefReader:
    def __init__(self, request: StoryRequest) -> None:
        self.request = request
        self.idea = roles_apart(without_shouting(sluglines_apart(request.idea)))
        self.segments = outline(self.idea)
        self.found = _Found()
        self.names = proper_names(self.idea, request.required_entities)
        self.known = (*request.required_entities, *self.names)
        self.discourse = Discourse()
        self.shots: tuple[int, ...] = ()
        self.sure_places: set[str] = set()
        """Places that a shot plan or a list of places names."""
        self.kept_places: list[str] = []
        """Places that somebody keeps: the shop of `Rosa runs a flower shop`."""
        self.final_left = 0
        """How many of the coming jobs the brief has announced as one-way."""

    def run(self) -> BriefReading:
        self._find_places()
        listed = find_people(self.idea, self.segments, self.names)
        self.discourse.persons.update(name.lower() for person in listed for name in (person.name, *person.aliases))
        for name in self.request.required_entities:
            if name in self.names:
                self.discourse.meet(NounPhrase(tuple(name.split()), proper=True))
        for person in listed:
            self.discourse.meet(NounPhrase(tuple(person.name.split()), proper=True))
            if person.gender:
                self.discourse.genders.setdefault(person.name.lower(), person.gender)
        for name in self.names:
            kin = re.search(rf"\b([a-z]+)\s+{re.escape(name)}\b", self.idea)
            gender = "" if kin is None else "f" if kin[1] in w.FEMALE_NOUNS else "m" if kin[1] in w.MALE_NOUNS else ""
            if gender:
                self.discourse.genders.setdefault(name.lower(), gender)
        mentions = {segment: self._mentions(segment) for segment in self.segments}
        for segment in self.segments:
            if segment.kind not in ("heading", "title", "places", "cast"):
                self._sentence(segment, mentions[segment])
        self._places_from_events()
        self._set_events_in_places()
        self._fittings()
        said = " ".join(self.idea.split())
        free = bool(re.search(FREE_ORDER, said))
        return BriefReading(
            people=tuple(listed),
            names=self.names,
            places=tuple(self.found.places),
            closed_places=tuple(self.found.closed),
            shot_places={shot: tuple(dict.fromkeys(places)) for shot, places in self.found.shot_places.items()},
            events=to_be_seen(self.found.events, free),
            statements=tuple(self.found.statements),
            orders=tuple(self.found.orders),
            one_way=tuple(self.found.one_way),
            anchors=tuple(self.found.anchors),
            lights=light_of(self.request.style or "", self.idea, tuple(self.found.places)),
            unread=tuple(self.found.unread),
            mentions=tuple(self.found.mentions),
            looks=apposed_looks(self.idea),
            fittings=tuple(self.found.fittings),
            alone=bool(re.search(r"\b(?:nobody\s+else|no\s+one\s+else|(?:only|one|single)\s+person|alone)\b", said)),
            free_order=free,
        )

    # --- places and shots

    def _find_places(self) -> None:
        for segment in self.segments:
            self._listed_places(segment)
            if segment.kind == "heading" or segment.place:
                continue
            mentions = shot_mentions(segment.text, self.request.shots)
            set_somewhere = any(len(m.shots) > 1 and m.place and w.is_place_noun(m.place.split()[-1]) for m in mentions)
            plan = len(mentions) > 2 or set_somewhere or not find_anchors(segment.text, (), self.known)
            for mention in mentions if plan else ():
                if mention.place:
                    self.sure_places.add(self._place(mention.place))
        for segment in self.segments:
            if segment.place:
                self._place(segment.place)
                for shot in segment.shots:
                    self.found.shot_places.setdefault(shot, []).append(self._place(segment.place))
        self._scenes()

    def _scenes(self) -> None:
        """Sluglines without numbers share the shots out in order, as evenly as possible."""
        scenes = [segment for segment in self.segments if segment.kind == "heading" and segment.scene]
        if not scenes or any(scene.shots for scene in scenes):
            return
        weights = [max(1, self._weight(scene.scene)) for scene in scenes]
        shares = dict(zip((scene.scene for scene in scenes), share(self.request.shots, weights), strict=True))
        for scene in scenes:
            for shot in shares[scene.scene]:
                self.found.shot_places.setdefault(shot, []).append(self._place(scene.place))
        self.segments = tuple(
            replace(s, shots=tuple(shares[s.scene])) if s.scene and s.kind != "heading" and shares[s.scene] else s
            for s in self.segments
        )

    def _weight(self, scene: int) -> int:
        """How much happens in a scene."""
        places = frozenset(place.lower() for place in self.found.places)
        told = [s.text for s in self.segments if s.scene == scene and s.kind != "heading"]
        return sum(len(read_in_context(text, Discourse(), self.names, places).readings) for text in told)

    def _listed_places(self, segment: Segment) -> None:
        text = segment.text
        match = re.search(
            r"\b(?P<only>only\s+)?(?P<count>two|three|four|five|six|\d)\s+(?:places|locations|settings|rooms|sets)\b[^:,.]*[:,]\s*(?P<rest>[^.:;]+)",
            text,
            re.IGNORECASE,
        )
        rest = match["rest"] if match else text if segment.kind == "places" else ""
        if not rest or re.search(r"\bshots?\b", rest, re.IGNORECASE):
            return
        parts = re.split(r",\s*(?:and\s+)?|\s+and\s+", rest.strip(" ."))
        bare = [re.sub(r"^(?:the|a|an|her|his|their)\s+", "", part.strip(), flags=re.IGNORECASE) for part in parts]
        names = [
            name if name.lower().endswith((" above", " below")) else " ".join(place_core(name)[0])
            for name in bare
            if name and name.split()[0].lower() not in w.PREPOSITIONS
        ]
        places = [self._place(name.lower()) for name in names if 0 < len(name.split()) <= 5]
        if match and w.number_word(match["count"].lower()) == len(places):
            self.found.closed = places

    def _place(self, name: str) -> str:
        """The place's one name: an earlier name with the same head that says as much is the same place."""
        name = name.strip().lower() if not re.search(r"[A-Z]", name[1:]) else name.strip()
        for known in self.found.places:
            if same_place(known, name):
                return known
        self.found.places.append(name)
        return name

    def _place_if_known(self, name: str) -> str:
        return next((known for known in self.found.places if same_place(known, name)), "")

    def _mentions(self, segment: Segment) -> tuple[ShotMention, ...]:
        known = frozenset(place.lower() for place in self.found.places)
        if segment.kind in ("heading", "title") or self._is_anchor(segment):
            return ()
        mentions = shot_mentions(segment.text, self.request.shots, known)
        for mention in mentions:
            if mention.place:
                place = self._place(mention.place)
                for shot in mention.shots:
                    self.found.shot_places.setdefault(shot, []).append(place)
        return mentions

    def _is_anchor(self, segment: Segment) -> bool:
        """Whether a sentence anchors a cut; one that sets its shots in known places does not."""
        if not find_anchors(segment.text, (), self.known):
            return False
        mentions = shot_mentions(segment.text, self.request.shots)
        if any(len(m.shots) > 1 and m.place and self._place_if_known(m.place) in self.sure_places for m in mentions):
            return False
        places = frozenset(place.lower() for place in self.found.places if place in self.sure_places)
        set_there = re.search(
            r"\bshots?\s+[\w, –-]{1,20}?\s(?:is |are |all |both )*(?:set |take place |play )?(?:in|at|on|inside)\s+"
            rf"(?:the|a|an)\s+(?:{'|'.join(map(re.escape, places)) or '-'})\b",
            segment.text,
            re.IGNORECASE,
        )
        return set_there is None

    # --- sentences

    def _sentence(self, segment: Segment, mentions: tuple[ShotMention, ...]) -> None:
        text, shots = self._body(segment, mentions)
        if not re.search(r"[A-Za-z]", text):
            return
        anchors = find_anchors(text, self.found.anchors, self.known) if self._is_anchor(segment) else []
        if anchors:
            self.found.anchors += anchors
            return
        if segment.kind != "item" and self._rules(segment, text):
            return
        reading = read_in_context(text, self.discourse, self.names, frozenset(p.lower() for p in self.found.places))
        self.found.mentions += [
            s.target
            for s in reading.statements
            if is_meta(s.subject) and s.relation == "is" and s.target and s.target.determiner and not is_meta(s.target)
        ]
        if (
            segment.kind == "item"
            and not any(r.agents for r in reading.readings)
            and (noun := described_thing(text)) is not None
        ):
            self.found.mentions.append(noun)
            return
        reading = about_the_story(reading, self.discourse)
        final = next((part for part in re.split(r";|,\s+(?:and|but)\s+", segment.text) if is_one_way(part)), "")
        if final:
            self.found.one_way.append(self._part(reading, final))
        self.final_left = one_way_count(text) or self.final_left
        if final and segment.kind != "item" and not tells(reading, text):
            return
        if is_for_the_filmmaker(text) and segment.kind != "item":
            return
        self.found.statements += (*reading.statements, *_found_somewhere(reading))
        place = ""
        for r in reading.readings:
            if not self._is_background(r):
                event = self._event(r, segment, shots, place)
                place = self._goes_to(r) or event.place
                self.found.events.append(event)
                if self.final_left and not r.agents and r.things:
                    self.found.one_way.append(replace(reading, readings=(r,), statements=()))
                    self.final_left -= 1
        named = any(name in text for name in self.names) and re.search(r"\([^)]+\)|called|named|, an? ", text)
        introduces = bool(named) or bool(self.found.mentions and self.found.mentions[-1].head in text)
        if (
            not reading.readings
            and not reading.statements
            and not mentions
            and not is_direction(text)
            and not introduces
        ):
            self.found.unread.append(UnreadSentence(text, reading.why or "it tells nothing that happens"))

    def _rules(self, segment: Segment, text: str) -> bool:
        """The orders that a sentence demands, one for each of its parts; after a numbered list any `before` is one."""
        numbered = any(event.number for event in self.found.events)
        if not (is_rule(text) or (numbered and is_order(text))):
            return False
        body = text.partition(":")[2] if re.search(r":\s+\w+\s+\w+\s+\w+", text) else text
        parts = [
            part.strip(" .")
            for part in re.split(r";|,\s+(?:and\s+)?(?=[^,;]*\b(?:before|after|until|when|once)\b)", body)
            if is_order(part)
        ]
        hints = []
        for part in parts or [body]:
            reading = read_in_context(part, self.discourse, self.names, frozenset(p.lower() for p in self.found.places))
            hint = order_hint(part, reading)
            if hint is None and not numbered:
                return False
            hints.append(hint or worded_order(part))
        self.found.orders += [hint for hint in hints if hint is not None]
        return any(hints)

    def _part(self, reading: SentenceReading, part: str) -> SentenceReading:
        """What is said in one part of a sentence."""
        spoken = part.lower()
        readings = tuple(r for r in reading.readings if any(t.head in spoken for t in r.things))
        statements = tuple(s for s in reading.statements if s.subject.head in spoken)
        return replace(reading, text=part, readings=readings, statements=statements)

    def _body(self, segment: Segment, mentions: tuple[ShotMention, ...]) -> tuple[str, tuple[int, ...]]:
        """The words to read as story, and the shots they belong to."""
        text = LABEL.sub("", CAMERA_WORDS.sub("", segment.text))
        if segment.kind == "item":
            text = re.sub(r"\s*\([^)]*\)", "", text)
        if segment.shots:
            self.shots = ()
            return text, segment.shots
        if len(mentions) == 1 and len(mentions[0].shots) < self.request.shots:
            after = re.match(r"[^:]{0,40}?:\s*(?=\w+\W+\w+\W+\w+)", text[mentions[0].end :])
            if after:
                text = text[mentions[0].end + after.end() :]
            told = after is not None or self._has_person(text[mentions[0].end :])
            self.shots = mentions[0].shots if told else ()
        elif mentions:
            self.shots = ()
        return text, self.shots

    def _has_person(self, text: str) -> bool:
        words = {token.text for token in tokenize(text)}
        return any(name.split()[0] in words for name in self.names)

    def _is_background(self, reading: Reading) -> bool:
        """What is told as having been so before the story, or only thought of."""
        if reading.negated or reading.modal in ("must", "should", "may", "can", "could", "would", "might"):
            return True
        if reading.link == "relative" and not any(self.discourse.is_person(a) for a in reading.agents):
            return True
        if self._is_habit(reading):
            return True
        if reading.link in ("because", "if", "since", "unless", "though", "although", "until", "till"):
            return True
        before = reading.link == "relative" and (reading.past or reading.perfect) and not self._told_in_past()
        where = reading.goal or reading.beside
        if not before or where is None or not reading.things or reading.relation not in ("in", "on", "at", "held"):
            return False
        fact = Statement(reading.things[0], reading.relation, where, reading.where, text=reading.text)
        self.found.statements.append(fact)
        return True

    def _is_habit(self, reading: Reading) -> bool:
        """What somebody does for a living: `Benoit repairs clocks`, `Rosa runs a flower shop`."""
        if reading.past or not any(self.discourse.is_person(agent) for agent in reading.agents):
            return False
        if reading.verb in ("run", "manage", "keep") and re.match(r"(?:an?|the|her|his|their|this)\s", reading.rest):
            noun = reading.goal or reading.place
            if noun is not None and w.is_place_noun(noun.head):
                self.kept_places.append(noun.name)
                return True
        acted = {agent.name for event in self.found.events for agent in event.reading.agents}
        bare = all(thing.plural and not thing.determiner and len(thing.words) == 1 for thing in reading.things)
        placed = reading.goal or reading.source or reading.means or reading.where or reading.place
        new = not any(agent.name in acted for agent in reading.agents)
        return bool(reading.things) and bare and not placed and new and reading.verb in TRADES

    def _told_in_past(self) -> bool:
        told = [event.reading.past for event in self.found.events]
        return sum(told) * 2 > len(told)

    def _goes_to(self, reading: Reading) -> str:
        goal = reading.goal or reading.place
        return self._known_place(goal.name) if reading.act in ("go", "carry", "push") and goal is not None else ""

    def _event(self, reading: Reading, segment: Segment, shots: tuple[int, ...], here: str) -> BriefEvent:
        """`here` is where the sentence has been so far."""
        place = ""
        if reading.place is not None and not (reading.act in ("go", "carry", "push") and reading.goal == reading.place):
            place = self._known_place(reading.place.name)
        place = place or (self._place(segment.place) if segment.place else "" if self._goes_to(reading) else here)
        listed = segment.kind == "item" or (not reading.agents and not reading.past and not reading.link)
        return BriefEvent(reading, segment.text, shots, place, segment.number, listed)

    def _known_place(self, name: str) -> str:
        exact = next((place for place in self.found.places if same_place(place, name)), "")
        if exact:
            return exact
        rooms = {word for word in name.lower().split() if w.is_place_noun(word)}
        near = [place for place in self.found.places if rooms & set(place.lower().split())]
        return near[0] if len(near) == 1 else ""

    def _places_from_events(self) -> None:
        """Without a shot plan, the places are those that the story itself names."""
        if self.found.places and len(self.found.shot_places) >= self.request.shots:
            return
        for event in self.found.events:
            noun = event.reading.place
            if noun is not None and not noun.pronoun:
                self._place(noun.name)
        for name in self.kept_places:
            self._place(name)
        if not self.found.places:
            self._place_of_positions()
        for statement in self.found.statements:
            if statement.relation == "at" and statement.target is not None and w.is_place_noun(statement.target.head):
                self._place(statement.target.name)

    def _set_events_in_places(self) -> None:
        """Events whose place was named as one only later; the clauses of a sentence stay where it has come to."""
        here = sentence = ""
        for position, event in enumerate(self.found.events):
            here = here if event.sentence == sentence else ""
            goes, noun = self._goes_to(event.reading), event.reading.place
            own = self._known_place(noun.name) if noun is not None and not goes else ""
            place = event.place or own or ("" if goes else here)
            self.found.events[position] = replace(event, place=place)
            here, sentence = goes or place, event.sentence

    def _fittings(self) -> None:
        """`The store is a white room with a meal bin`: what the descriptions of places hold."""
        for segment in self.segments:
            if segment.kind not in ("prose", "places") or re.search(r"\bshots?\s+\w", segment.text, re.IGNORECASE):
                continue
            for part in re.split(r";", segment.text):
                named = [p for p in self.found.places if re.search(rf"\b{re.escape(p)}\b", part, re.IGNORECASE)]
                acting = any(name.split()[0] in part for name in self.names)
                if (
                    len(named) == 1
                    and not acting
                    and re.search(r"\b(?:is|are|has|have|with|holds?|stands?|hangs?|there)\b", part)
                ):
                    self.found.fittings += [
                        (noun, named[0]) for noun in nouns_in(part) if not same_place(noun.name, named[0])
                    ]

    def _place_of_positions(self) -> None:
        """No place is named as one: take the first `in …` or `at …` that nothing is put into."""
        for event in self.found.events:
            noun, where = event.reading.beside, event.reading.where
            if (
                noun is not None
                and where.startswith(("in ", "at ", "on "))
                and noun.head not in w.FIXTURES | w.PUT_IN | w.PUT_ON
            ):
                self._place(noun.name)
                return


def _found_somewhere(reading: SentenceReading) -> list[Statement]:
    """`Greta finds a key in a tin box`: that is where it has been."""
    return [
        Statement(r.things[0], r.where.split()[0], r.beside, r.where, text=r.text)
        for r in reading.readings
        if r.verb in ("find", "discover", "spot") and r.things and r.beside and r.where.split()[0] in ("in", "on")
        and r.beside.head in w.PUT_IN | w.PUT_ON
    ]  # fmt: skip
