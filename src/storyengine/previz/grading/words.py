"""The words that random scenes are made of: people, things and places with their descriptions.

`OWN` was written by looking at workshops, kitchens and quays, not at what the studio can draw; descriptions like these
are what an author brings. Callers add other lists, such as those of a benchmark.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from storyengine.language.captions import read_caption, slug
from storyengine.plan import Entity, Environment


@dataclass(frozen=True)
class Words:
    """What stories can be cast from. Ids are made from names, as captions make them."""

    places: tuple[Environment, ...]
    people: tuple[Entity, ...]
    things: tuple[Entity, ...]

    def __add__(self, other: Words) -> Words:
        return Words(self.places + other.places, self.people + other.people, self.things + other.things)


def words_of(entities: Iterable[Entity], places: Iterable[Environment]) -> Words:
    """Entities and places of any origin, with the ids that a reader of their captions gives them.

    Aliases and rules about time (one-way values) are left out: a scene is one moment.
    """
    entities = [_entity(entity) for entity in entities]
    return Words(
        places=tuple(_place(place) for place in places),
        people=tuple(entity for entity in entities if entity.kind == "character"),
        things=tuple(entity for entity in entities if entity.kind == "prop"),
    )


def _entity(entity: Entity) -> Entity:
    attributes = tuple(attribute.model_copy(update={"one_way": False}) for attribute in entity.attributes)
    return entity.model_copy(update={"id": slug(entity.name), "aliases": (), "attributes": attributes})


def _place(place: Environment) -> Environment:
    zones = {zone.id: slug(zone.name) for zone in place.zones}
    return place.model_copy(
        update={
            "id": slug(place.name),
            "zones": tuple(zone.model_copy(update={"id": zones[zone.id]}) for zone in place.zones),
            "landmarks": tuple(
                mark.model_copy(update={"id": slug(mark.name), "zone": zones.get(mark.zone or "")})
                for mark in place.landmarks
            ),
        }
    )


_PLACES = (
    "the violin workshop (place; at the bending iron | by the drying line | under the skylight; with varnish cupboard, "
    "glue stove; even warm light): honey-coloured panelling, a floor of narrow pine boards, a low plastered ceiling",
    "the ferry kiosk (place; at the ticket window | beside the bench; with ticket window; bright cool light): "
    "mint-green painted boards, a grey concrete floor, a white ceiling",
    "the mushroom cellar (place; at the growing racks | by the stairs | in the vaulted corner; with stone stairs; "
    "dim neutral light): damp bare stone, a floor of packed earth, a vaulted brick ceiling",
    "the hat shop (place; behind the counter | before the mirror | at the shop window; with long mirror, hat stand; "
    "bright warm light): dusky pink wallpaper, a polished parquet floor, white stucco overhead",
    "the fire station (place; by the hose tower | at the lockers; with hose tower, row of lockers; even neutral "
    "light): white tiles to shoulder height, a red painted concrete floor, steel beams overhead",
    "the vineyard yard (place; at the cellar door | by the well; with stone well; bright warm light): a gravelled "
    "courtyard between ochre walls, vines along the fence, low hills beyond",
)
_PEOPLE = (
    "Ottoline (person): a tall woman in her thirties with cropped copper hair, in a teal jumper and black trousers",
    "Bashir (person): a heavy-set man with a trimmed dark beard, in a mustard cardigan over a white shirt",
    "Wren (person): a girl of ten with two black plaits, in a scarlet dress",
    "Casimir (person): an elderly man, bald, with a white moustache, in a navy boiler suit",
    "Imke (person): a sturdy woman of sixty with grey hair in a bun, in a lilac blouse and a dark green apron",
    "Dov (person): a slim young man with long brown hair tied back, in an orange waistcoat and grey trousers",
    "Thandeka (person): a woman with an afro, in a bright yellow raincoat",
    "Piet (person): a boy with straw-blond hair, in a striped jumper and brown shorts",
)
_THINGS = (
    "the enamel jug (thing; container; fill empty or brimming with milk): a white enamel jug with a dark blue rim",
    "the oil lamp (thing; flame out or burning): a green glass oil lamp with a brass foot",
    "the sea chest (thing; container, fixed; lid shut or open, contents hidden when shut): a tarred black sea chest "
    "with iron bands",
    "the serving trolley (thing; surface, wheeled): a two-tiered trolley of pale beech on rubber wheels",
    "the violin (thing): a small chestnut-brown violin",
    "the pine table (thing; surface, fixed): a long scrubbed pine table",
    "the post box (thing; container, fixed; flap shut or open, contents hidden when shut): a pillar-box red post box",
    "the hand bell (thing): a polished brass hand bell with a black grip",
    "the garden gate (thing; fixed; state closed or standing open): a white-painted wicket gate",
    "the umbrella (thing; state furled or open): a violet umbrella with a crooked handle",
    "the fire bucket (thing; container; fill dry or full of sand): a scarlet fire bucket",
    "the seed packet (thing): a small buff paper packet",
    "the accordion (thing): an emerald-green accordion with ivory keys",
    "the weighing scales (things; fixed): cast-iron kitchen scales with a copper pan",
    "the wall clock (thing; fixed): a round wall clock in a walnut case",
    "the parasol stand (thing; mount, fixed): a cast-iron stand with hooks",
    "the straw hat (thing): a broad straw hat with a sky-blue ribbon",
    "the rucksack (thing; container; flap buckled or loose, contents hidden when buckled): a moss-green rucksack",
    "the coffee pot (thing): a tall coffee pot of hammered copper",
    "the apple crate (thing; container; fill empty or heaped with apples): a slatted crate of raw wood",
    "the roller blind (thing; fixed; state drawn up or pulled down): an indigo roller blind",
    "the step ladder (thing): an aluminium-grey step ladder",
    "the loudspeaker (thing): a squat orange loudspeaker",
    "the tea towel (thing): a tea towel with red checks",
    "the stone basin (thing; container, fixed; fill dry or full of water): a round basin of grey granite",
    "the candlestick (thing; candle unlit or lit): a pewter candlestick with one tall candle",
)


def _read(lines: Iterable[str]) -> list[Entity | Environment]:
    found = [read_caption(line) for line in lines]
    return [subject for subject in found if subject is not None]


def own_words() -> Words:
    """Descriptions that were not written by the author of the looks."""
    subjects = _read((*_PLACES, *_PEOPLE, *_THINGS))
    entities = [subject for subject in subjects if isinstance(subject, Entity)]
    return words_of(entities, [subject for subject in subjects if isinstance(subject, Environment)])
