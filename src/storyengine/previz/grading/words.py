"""The words that random scenes are made of: people, things and places with their descriptions.

`OWN` was written by looking at workshops, kitchens and quays, not at what the studio can draw; descriptions like these
are what an author brings. `unseen_words` are kept apart: nothing may be fitted to scenes made from them, so that their
figures show what a stranger's words would get. Callers add other lists, such as those of a benchmark.
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


_UNSEEN = (
    "the chapel vestry (place; at the press | by the lancet window | beside the stove; with iron stove, vestment "
    "press; dim cool light): bare limestone, a floor of worn slate, a timber ceiling",
    "the laundry (place; at the mangle | under the clothes airer; with stone sink; bright neutral light): cream "
    "distemper over brick, a floor of red quarry tiles, a low white ceiling",
    "the radio studio (place; at the mixing desk | by the glass door; with mixing desk, acoustic screens; dim warm "
    "light): walls of dark green felt, a grey carpet, a black ceiling",
    "the fish market (place; at the slab | beside the ice chute | by the arch; with ice chute; bright cool light): "
    "white glazed tiles, a wet concrete floor, a roof of iron and glass",
    "the allotment (place; by the bean rows | at the shed door; with tarred shed; even neutral light): vegetable beds "
    "on open ground behind a wire fence, a few birches",
    "Lucasta (person): an old woman with white plaits, in a burgundy cardigan and a long grey skirt",
    "Emeka (person): a tall man of forty, bald, in a lime-green shirt and navy trousers",
    "Solveig (person): a young woman with long blonde hair, in a black leather jacket and a red scarf",
    "Hamish (person): a stout man with a ginger beard, in a fawn jumper and a brown flat cap",
    "Yuki (person): a girl of twelve with short black hair, in a turquoise raincoat",
    "Anselm (person): a thin old man with spectacles and grey hair, in a white smock",
    "the linen basket (thing; container; fill empty or piled with sheets): a square wicker laundry basket",
    "the flat iron (thing): a black cast-iron flat iron",
    "the altar candle (thing; wick unlit or lit): a thick ivory candle on a brass plate",
    "the folding table (thing; surface): a green card table with folding legs",
    "the zinc bath (thing; container, fixed; fill empty or full of water): a long zinc tub with two handles",
    "the microphone (thing): a silver microphone on a heavy stand",
    "the record crate (thing; container): an orange plastic crate",
    "the cod (thing): one large grey fish",
    "the cleaver (thing): a broad steel cleaver with a dark handle",
    "the watering can (thing): a dented zinc watering can",
    "the wheelbarrow (thing; surface, wheeled): a pale blue wheelbarrow",
    "the tool shed door (thing; fixed; state shut or ajar): a narrow door of tarred planks",
    "the hymn book (thing; state closed or open): a fat maroon hymn book",
    "the coat hook (thing; mount, fixed): a row of brass hooks on a board",
    "the bowler hat (thing): a black bowler hat",
    "the desk lamp (thing; bulb off or on): a chrome desk lamp",
    "the linen press (thing; container, fixed; doors shut or open, contents hidden when shut): a tall oak cupboard",
    "the garden stool (thing; surface): a three-legged stool of weathered teak",
    "the pumpkin (thing): a big orange pumpkin",
    "the rain gauge (thing): a copper funnel on a glass cylinder",
    "the washing line (thing; state slack or hung with shirts): a white cotton washing line on a reel",
    "the satchel (thing; container; flap fastened or open, contents hidden when fastened): a tan leather satchel",
)


def _read(lines: Iterable[str]) -> list[Entity | Environment]:
    found = [read_caption(line) for line in lines]
    return [subject for subject in found if subject is not None]


def own_words() -> Words:
    """Descriptions that were not written by the author of the looks."""
    return _words((*_PLACES, *_PEOPLE, *_THINGS))


def unseen_words() -> Words:
    """More of them, to which nothing may ever be fitted."""
    return _words(_UNSEEN)


def _words(lines: Iterable[str]) -> Words:
    subjects = _read(lines)
    entities = [subject for subject in subjects if isinstance(subject, Entity)]
    return words_of(entities, [subject for subject in subjects if isinstance(subject, Environment)])
