"""Checks of one story that hold in every suite: the brief's fixed parts, the sheet's references, the claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from storyengine.bench.findings import Finding
from storyengine.bench.index import CHARACTERS, CLAUSES, DELIVERY, ENTRIES, FORBIDDEN, PLANS, SHOTS
from storyengine.bench.sheet import Proposition, Sheet
from storyengine.bench.story import Story
from storyengine.bench.texts import bare, flat, folded, occurs, sentences, stated_plan, words
from storyengine.errors import ContractError
from storyengine.language import (
    Absent,
    Claim,
    HasAttribute,
    Placed,
    Present,
    collisions,
    parse,
    render,
)
from storyengine.plan import AttachedTo, Catalog, Entity, HeldBy, InContainer, InSceneZone, OnSurface, target_of

IDEA_WORDS = range(200, 521)
"""Length of an idea. Writers aim at 250 to 450 words; the margin is for stories that need it."""

Problems = Iterator[tuple[str, str]]
"""Field and message of each problem."""


def check_story(story: Story) -> list[Finding]:
    """Everything that is wrong with one story, whatever its suite. Suite checks come on top."""
    checks: tuple[Callable[[Story], Problems], ...] = (
        _index,
        _brief,
        _style_and_length,
        _clauses,
        _required,
        _plan,
        _cast_and_props,
        _looks,
        _names,
        _places,
        _claims,
    )
    return [Finding(story.id, where, message) for check in checks for where, message in check(story)]


def _index(story: Story) -> Problems:
    sheet = story.sheet
    entry = ENTRIES.get(sheet.story)
    if entry is None:
        yield "sheet.story", f"{sheet.story!r} is not in the index"
        return
    for field in ("suite", "category", "title"):
        found, wanted = getattr(sheet, field), getattr(entry, field)
        if found != wanted:
            yield f"sheet.{field}", f"found {found!r}; the index says {wanted!r}"
    if story.brief.title != entry.title:
        yield "brief.title", f"found {story.brief.title!r}; the index says {entry.title!r}"


def _brief(story: Story) -> Problems:
    brief = story.brief
    if brief.shots != SHOTS:
        yield "brief.shots", f"found {brief.shots}; every story has {SHOTS}"
    if brief.delivery != DELIVERY:
        yield "brief.delivery", f"found {brief.delivery}; the delivery is fixed: {DELIVERY}"
    wanted = FORBIDDEN[story.sheet.suite]
    if brief.forbidden_content != wanted:
        missing = [item for item in wanted if item not in brief.forbidden_content]
        extra = [item for item in brief.forbidden_content if item not in wanted]
        yield "brief.forbidden_content", f"not the fixed list: missing {missing}, extra {extra}, or another order"
    if brief.references:
        yield "brief.references", "a benchmark brief has no reference pictures"


def _style_and_length(story: Story) -> Problems:
    count = len(words(story.brief.idea))
    if count not in IDEA_WORDS:
        yield "brief.idea", f"{count} words; {IDEA_WORDS.start} to {IDEA_WORDS.stop - 1} are allowed"
    style = sentences(story.brief.style or "")
    if len(style) not in (2, 3):
        yield "brief.style", f"{len(style)} sentences; two or three say the look of the film and the light"


def _clauses(story: Story) -> Problems:
    idea = flat(story.brief.idea)
    for clause in CLAUSES[story.sheet.suite]:
        if clause not in idea:
            yield "brief.idea", f"the fixed clause is missing, or not word for word: {clause!r}"


def _required(story: Story) -> Problems:
    wanted, ids = story.brief.required_entities, story.sheet.required
    if len(wanted) != 5:
        yield "brief.required_entities", f"{len(wanted)} entries; exactly five are required"
    entities = {entity.id: entity for entity in (*story.sheet.cast, *story.sheet.props)}
    if len(set(ids)) != len(ids):
        yield "sheet.required", "an entity is listed twice"
    for number, (text, entity_id) in enumerate(zip(wanted, ids, strict=False)):
        entity = entities.get(entity_id)
        if entity is None:
            yield f"sheet.required[{number}]", f"{entity_id!r} is neither cast nor prop"
        elif bare(text) not in called(entity):
            yield (
                f"brief.required_entities[{number}]",
                f"{text!r} is neither the name nor an alias of {entity_id!r}, which stands there in sheet.required",
            )


def called(entity: Entity) -> frozenset[str]:
    """Everything an entity is called, without articles."""
    return frozenset(bare(name) for name in (entity.name, *entity.aliases))


def letters(sheet: Sheet) -> str:
    """The location plan as `AAABBABAAB`, A being the first of the sheet's places."""
    return "".join("A" if place == sheet.places[0].id else "B" for place in sheet.location_plan)


def _plan(story: Story) -> Problems:
    sheet = story.sheet
    ids = [place.id for place in sheet.places]
    foreign = [place for place in sheet.location_plan if place not in ids]
    if foreign:
        yield "sheet.location_plan", f"{foreign[0]!r} is not one of the places {ids}"
        return
    if letters(sheet) not in PLANS[sheet.suite]:
        yield (
            "sheet.location_plan",
            f"{letters(sheet)} is not a plan of {sheet.suite} ({', '.join(PLANS[sheet.suite])}); A is the first place",
        )
    names = {place.id: place.name for place in sheet.places}
    stated = stated_plan(story.brief.idea, names.values())
    for shot, place in enumerate(sheet.location_plan, start=1):
        said = stated.get(shot, frozenset())
        if not said:
            yield "brief.idea", f"shot {shot} is set nowhere; write it as 'shot {shot} in the {names[place]}'"
        elif said != {names[place]}:
            yield "brief.idea", f"shot {shot} is set in {sorted(said)}; sheet.location_plan says {names[place]!r}"
    for shot in sorted(set(stated) - set(range(1, SHOTS + 1))):
        yield "brief.idea", f"a shot {shot} is set in a place; there are {SHOTS} shots"


def _cast_and_props(story: Story) -> Problems:
    sheet = story.sheet
    wanted = CHARACTERS[sheet.suite]
    if len(sheet.cast) != wanted:
        yield "sheet.cast", f"{len(sheet.cast)} characters; {sheet.suite} has {wanted}"
    for number, person in enumerate(sheet.cast):
        if person.kind != "character":
            yield f"sheet.cast[{number}].kind", f"{person.id!r} is a {person.kind}; the cast are characters"
        if not person.name[:1].isupper():
            yield f"sheet.cast[{number}].name", f"{person.name!r} is no proper name"
    for number, prop in enumerate(sheet.props):
        if prop.kind != "prop":
            yield f"sheet.props[{number}].kind", f"{prop.id!r} is a {prop.kind}; props are props"


def key_props(sheet: Sheet) -> tuple[Entity, ...]:
    """The props whose look the brief must state: the first four; in T20 the anchors and state bearers."""
    if sheet.suite != "T20":
        return sheet.props[:4]
    shown = {anchor.entity for anchor in sheet.anchors} | {state.entity for state in sheet.states}
    return tuple(prop for prop in sheet.props if prop.id in shown)


def _looks(story: Story) -> Problems:
    for entity in (*story.sheet.cast, *key_props(story.sheet)):
        if not entity.look:
            yield "sheet", f"{entity.id!r} has no look"
        elif folded(entity.look) not in folded(story.brief.idea):
            yield "brief.idea", f"the look of {entity.id!r} does not occur word for word: {entity.look!r}"
        if not any(occurs(name, story.brief.idea) for name in called(entity)):
            yield "brief.idea", f"{entity.name!r} is never called by its name or an alias"


def _names(story: Story) -> Problems:
    sheet = story.sheet
    ids = Counter([*(entity.id for entity in (*sheet.cast, *sheet.props)), *(place.id for place in sheet.places)])
    for thing_id, count in ids.items():
        if count > 1:
            yield "sheet", f"the id {thing_id!r} is given {count} times"
    owners: dict[str, list[str]] = {}
    for entity in (*sheet.cast, *sheet.props):
        for name in called(entity):
            owners.setdefault(name, []).append(entity.id)
    for place in sheet.places:
        owners.setdefault(bare(place.name), []).append(place.id)
        for landmark in place.landmarks:
            owners.setdefault(bare(landmark.name), []).append(f"{place.id}.{landmark.id}")
    for name, things in owners.items():
        if len(things) > 1:
            yield "sheet", f"{name!r} is the name or alias of {' and of '.join(things)}"


def _places(story: Story) -> Problems:
    for place in story.sheet.places:
        where = f"sheet.places.{place.id}"
        if not 3 <= len(place.zones) <= 4:
            yield where, f"{len(place.zones)} zones; three or four are asked for"
        if not 2 <= len(place.landmarks) <= 4:
            yield where, f"{len(place.landmarks)} landmarks; two to four are asked for"
        if not place.look:
            yield where, "no look; say walls, floor, ceiling and fittings"
        if not place.light.look:
            yield where, "no light.look; say the light of the place"
        zones = [zone.id for zone in place.zones]
        if len(set(zones)) != len(zones):
            yield where, "two zones have one id"
        for landmark in place.landmarks:
            if landmark.zone is not None and landmark.zone not in zones:
                yield where, f"the landmark {landmark.id!r} stands in {landmark.zone!r}; zones are {zones}"


def propositions(sheet: Sheet) -> Iterator[tuple[str, Proposition]]:
    """Every proposition with its field."""
    for event in sheet.events:
        yield f"sheet.events.{event.id}.before", event.before
        yield f"sheet.events.{event.id}.after", event.after
    for anchor in sheet.anchors:
        yield f"sheet.anchors.{anchor.into_shot}.proposition", anchor.proposition
    for state in sheet.states:
        yield f"sheet.states.{state.id}.before", state.before
        yield f"sheet.states.{state.id}.after", state.after


def _claims(story: Story) -> Problems:
    catalog = story.sheet.catalog()
    for phrase in collisions(catalog):
        yield "sheet", f"the phrase {phrase!r} could mean two things; rename one of them"
    for where, proposition in propositions(story.sheet):
        if not proposition.sentence.endswith("."):
            yield where, f"the sentence does not end with a full stop: {proposition.sentence!r}"
        problem = claim_problem(proposition.claim, catalog)
        if problem:
            yield where, problem


def claim_problem(claim: Claim, catalog: Catalog) -> str:
    """Why a claim cannot be said about this story, or nothing."""
    if not isinstance(claim, (Placed, HasAttribute, Present, Absent)):
        return f"a claim of the kind {claim.claim!r}; propositions are placements, attributes, visible or absent"
    if claim.entity not in catalog.entities:
        return f"{claim.entity!r} is not a thing of this story"
    if isinstance(claim, HasAttribute):
        attribute = catalog.attributes[claim.entity].get(claim.attribute)
        if attribute is None:
            return f"{claim.entity!r} has no attribute {claim.attribute!r}"
        if claim.value not in attribute.values:
            return f"{claim.value!r} is not among the values of {claim.entity}.{claim.attribute}: {attribute.values}"
    if isinstance(claim, Placed) and (problem := _placement_problem(claim, catalog)):
        return problem
    try:
        sentence = render(claim, catalog)
    except ContractError as error:
        return error.message
    if parse(sentence, catalog) != claim:
        return f"the claim does not read back from its sentence {sentence!r}"
    return ""


def _placement_problem(claim: Placed, catalog: Catalog) -> str:
    placement = claim.placement
    if isinstance(placement, InSceneZone):
        zones = sorted(catalog.zones.get(placement.environment, ()))
        if placement.zone not in zones:
            return f"there is no zone {placement.environment}.{placement.zone}; zones there: {zones}"
        return ""
    target = catalog.entities.get(target_of(placement) or "")
    if target is None:
        return f"{target_of(placement)!r} is not a thing of this story"
    if target.id == claim.entity:
        return f"{target.id!r} cannot be placed on itself"
    person = target.kind == "character"
    match placement:
        case HeldBy() if not person:
            return f"{target.id!r} is no character and cannot hold anything"
        case AttachedTo() if not person and "mount" not in target.roles:
            return f"{target.id!r} lacks the role mount"
        case OnSurface() if "surface" not in target.roles:
            return f"{target.id!r} lacks the role surface"
        case InContainer() if "container" not in target.roles:
            return f"{target.id!r} lacks the role container"
    return ""


def exclude(before: Claim, after: Claim) -> bool:
    """Whether two claims can never both show: one thing, in two placements or with two values of one attribute."""
    match before, after:
        case HasAttribute(), HasAttribute():
            same = (before.entity, before.attribute) == (after.entity, after.attribute)
            return same and before.value != after.value
        case Placed(), Placed():
            return before.entity == after.entity and before.placement != after.placement
        case (Absent(entity=one), (Present(entity=other) | Placed(entity=other))) | (
            (Present(entity=one) | Placed(entity=one)),
            Absent(entity=other),
        ):
            return one == other
    return False
