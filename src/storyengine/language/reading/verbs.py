"""The verbs of handling, moving and changing: which act each one is, and all of its forms.

A phrasal verb is written `pick+up`. A verb that stands nowhere here is not understood; the reader says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from storyengine.language.reading.words import words

Act = Literal[
    "take", "put", "give", "carry", "go", "push", "open", "close", "raise", "lower", "fill", "empty", "break", "mend",
    "hang", "detach", "wear", "doff", "light", "douse", "turn", "change", "look",
]  # fmt: skip
Form = Literal["base", "s", "past", "participle", "ing"]

_ACTS: dict[Act, str] = {
    "take": (
        "take grab collect fetch pick pick+up take+up take+out take+away lift lift+out lift+off lift+up remove "
        "retrieve snatch seize gather gather+up pluck scoop+up pull+out draw+out get grasp clutch catch unload "
        "scoop unpack withdraw steal recover extract slide+out pocket unearth fish+out take+back lift+down "
        "harvest hoist+out claim receive dig+up dig+out sweep+up pick+out unshelve unrack hold pluck+out "
        "reach+for snap+up pull+free accept"
    ),
    "put": (
        "put place set lay lean rest drop slip load stow store stack deposit put+down set+down lay+down put+away "
        "put+back tuck slide insert plant lower+down return+to pack leave shelve prop stand park dump toss throw "
        "lodge stick push+in slot rack pile set+out lay+out set+up put+in replace stash hide bury tip+into "
        "lock+away position arrange drop+off cram wedge stuff shove+in fit install mount perch balance spread "
        "settle nest nestle feed post file sink dip submerge plunge rack+up line+up stack+up weigh+down "
        "knock knock+off knock+down sweep+off "
        "throw+away spread+out load+up lay+up fling sling plop pop sit+down toss+in put+up"
    ),
    "give": (
        "give hand pass hand+over pass+over give+back hand+back offer deliver lend return+over slip+over "
        "surrender hand+out hand+up hand+down pass+up pass+down pass+on hand+in entrust"
    ),
    "carry": (
        "carry bring haul bring+in carry+in bring+out carry+out bear lug transport tote cart hoist+over "
        "bring+back carry+back take+over ferry deliver+to bring+over carry+over carry+up bring+up carry+down "
        "bring+down move shift transfer convey carry+off bring+through carry+through heave"
    ),
    "go": (
        "jump hop leap spring skip dive board alight tumble fall stumble stagger "
        "go walk enter leave return step climb hurry come go+back come+in come+out go+in go+out come+back run "
        "stroll cross head arrive exit stride rush wander creep tiptoe march move+on get+up proceed approach "
        "descend ascend follow depart sneak dash cycle ride row sail drive pace limp trot crawl slip+out slip+in "
        "step+in step+out step+inside walk+in walk+out walk+back get+in get+out climb+down climb+up set+off "
        "rejoin join duck emerge retreat cross+over bustle shuffle jog race walk+over come+over go+over step+back "
        "step+down disappear vanish reappear appear retrace make visit go+down go+up come+down come+up edge hike "
        "swim"
    ),
    "push": (
        "push wheel barrow roll drag pull push+in wheel+in wheel+out roll+in roll+out pull+along drag+in drag+out "
        "tow trundle shove slide+across haul+along steer manoeuvre maneuver nudge push+out wheel+over push+back "
        "wheel+back push+aside roll+back roll+away barrow+in trundle+in pull+in push+over wheel+away "
        "wheel+through cart+in"
    ),
    "open": (
        "throw+back fling+back flip+up open unlock unlatch uncover unfold unbolt unwrap unzip unroll unseal "
        "open+up prise+open pull+open swing+open push+open slide+open throw+open unscrew uncork unbuckle unbutton "
        "untwist draw+back pull+back unshutter unfurl uncap unlid slide+back fold+back lever+open unbar "
        "fling+open flip+open pry+open peel+back roll+up unclasp prop+open unpeel"
    ),
    "close": (
        "shut close lock latch cover fold bolt zip close+up shut+up pull+shut slam push+shut swing+shut "
        "slide+shut lock+up push+to pull+to wrap wrap+up cork button button+up roll+up+shut draw fold+up cap "
        "screw+on screw+down plug bar cover+up cover+over slide+closed push+closed pull+closed swing+closed "
        "fasten+shut snap+shut zip+up buckle shutter fold+shut close+down"
    ),
    "raise": "raise hoist crank+up lift+open wind+up haul+up pull+up winch+up jack+up run+up lift+high heave+up winch",
    "lower": "lower let+down wind+down crank+down pull+down ease+down drop+down haul+down bring+low winch+down",
    "fill": (
        "fill pour top top+up fill+up ladle refill pour+in tip+in pour+into spoon shovel scoop+into stoke charge "
        "decant replenish fill+in bail"
    ),
    "empty": (
        "empty drain pour+out tip+out empty+out drain+off tip clear pour+away tip+over bail+out clear+out "
        "dump+out drain+out pour+off shake+out knock+out"
    ),
    "break": (
        "break crack snap smash tear shatter rip split break+off tear+off tear+up break+open fracture chip burst "
        "splinter snap+off rip+open tear+open break+up crush puncture break+in rip+up wreck dent tear+out slit "
        "slash rupture"
    ),
    "mend": (
        "mend repair glue patch fix restore solder weld patch+up stick+together glue+together darn splice "
        "glue+back piece fix+up sew+up stitch+up put+together stitch piece+together rebuild re-glue "
        "reattach+together bandage tape+up tape"
    ),
    "hang": (
        "hang hook hook+up pin pin+up tie tie+on fasten attach hang+up clip clip+on nail screw bolt+on fix+to "
        "strap hitch lash moor bolt+to tack tape+to knot buckle+on hook+on harness couple hitch+up tether rig "
        "suspend drape string strap+on tie+up hang+out hang+back fix+on clamp"
    ),
    "detach": (
        "unhook take+down untie unfasten detach unpin unclip unscrew+off unhitch unstrap uncouple unhang unmoor "
        "unclamp disconnect unplug release cut+down loosen unlash untether unrig slip+off+hook"
    ),
    "wear": (
        "wear don put+on pull+on slip+on tie+round shrug+on buckle+round throw+on button+on strap+round lace+up "
        "slip+into+garment"
    ),
    "doff": "doff take+off pull+off slip+off shrug+off remove+garment throw+off kick+off peel+off strip+off",
    "light": (
        "light switch+on ignite turn+on kindle strike flick+on power+up set+light click+on relight fire+up "
        "start+up plug+in light+up start"
    ),
    "douse": (
        "douse put+out switch+off extinguish blow+out turn+off snuff snuff+out power+down click+off quench "
        "smother flick+off stub+out turn+out shut+off stop turn+down shut+down dim stamp+out dampen+down"
    ),
    "turn": (
        "turn wind crank twist spin rotate swivel turn+over flip flip+over turn+round wind+on swing tilt "
        "turn+around turn+up flick press pump ring throw+over turn+back invert"
    ),
    "change": (
        "swap exchange replant repot knock+over topple spill scatter smear dab rivet caulk tar thatch milk groom "
        "blow roll+out+dough trim+down pump+up blow+up paint wet wash dry cut sharpen stamp seal knead weigh "
        "weigh+out dust sweep scrub polish clean rinse stir mix grind chop slice peel bake boil fry roast heat "
        "cool burn melt freeze ink print write draw sign mark label carve saw plane drill sand oil grease varnish "
        "wax water soak wipe wipe+down iron press+flat shape throw+pot glaze fire trim prune plant+up sow sew "
        "knit weave braid plait dye bleach bend straighten stretch flatten crumple inflate deflate tune set+right "
        "adjust rake shave comb brush dig plough mow butter salt season crack+egg whisk beat strain sift sieve "
        "roll+flat roll+out+dough chalk rub rub+out erase type photograph develop thread coil uncoil loosen+off "
        "tighten tighten+up tauten rope stain spray sprinkle flour decorate gild bind count test measure tap "
        "hammer check update rewind wash+up mop scrape score punch engrave etch assemble dismantle build make "
        "cook brew toast steam smoke salt+down wipe+off clean+up tidy tidy+up sweep+out rake+over muck+out "
        "ring+up date number sort trace sketch frame laminate buff lacquer scour strip skim shear clip+hedge pare "
        "feed+fire tan turn+red turn+green turn+white chisel whittle plane+down forge hone ripen wilt bloom "
        "dent+in blot shine lather squeeze core stuff+turkey ice toast+bread mark+off cross+out tick tick+off "
        "strike+out write+down bark black"
    ),
    "look": (
        "help assist comfort soothe pat stroke wink grin work "
        "show ask tell order call shout invite beckon warn promise dream worry chat cheer clap argue let "
        "use look glance watch read listen wait sit stand think stare gaze smile nod pause rest+on study examine "
        "inspect remember realise realize notice see hear wonder hesitate sigh laugh cry whisper speak talk say "
        "sing hum wave point kneel crouch bend+down lean+on sleep wake lie breathe shiver frown shrug yawn squint "
        "stretch+up peer turn+to turn+away look+up look+down look+back recall forget search look+for hunt find "
        "discover feel sniff smell taste greet embrace hug kiss shake bow kneel+down sit+up stand+up stand+by "
        "work keep stay remain tremble drink eat sip chew consider admire discover spot recognise recognize reach "
        "reach+out touch pat tap+on knock stop+short blink grin whistle mutter argue dance play rehearse practise "
        "practice stoop straighten+up crane clean+hands squat wake+up lie+down straighten+back warm listen+to "
        "check+on know believe hope want decide try need begin continue finish agree apologise thank"
    ),
}

_IRREGULAR: dict[str, tuple[str, str]] = {
    lemma: (past.replace("/", " "), participle.replace("/", " "))
    for lemma, past, participle in (
        entry.split(":")
        for entry in [
            "take:took:taken",
            "put:put:put",
            "set:set:set",
            "lay:laid:laid",
            "lean:leaned/leant:leaned/leant",
            "leave:left:left",
            "stick:stuck:stuck",
            "sink:sank:sunk",
            "stand:stood:stood",
            "throw:threw:thrown",
            "hide:hid:hidden",
            "give:gave:given",
            "bring:brought:brought",
            "bear:bore:borne",
            "go:went:gone",
            "come:came:come",
            "run:ran:run",
            "get:got:got/gotten",
            "creep:crept:crept",
            "ride:rode:ridden",
            "drive:drove:driven",
            "shut:shut:shut",
            "wind:wound:wound",
            "break:broke:broken",
            "tear:tore:torn",
            "split:split:split",
            "burst:burst:burst",
            "hang:hung/hanged:hung",
            "wear:wore:worn",
            "light:lit/lighted:lit/lighted",
            "blow:blew:blown",
            "spin:spun:spun",
            "swing:swung:swung",
            "strike:struck:struck",
            "cut:cut:cut",
            "sweep:swept:swept",
            "grind:ground:ground",
            "freeze:froze:frozen",
            "write:wrote:written",
            "draw:drew:drawn",
            "sew:sewed:sewn/sewed",
            "weave:wove:woven",
            "bend:bent:bent",
            "bind:bound:bound",
            "ring:rang:rung",
            "dig:dug:dug",
            "build:built:built",
            "make:made:made",
            "read:read:read",
            "sit:sat:sat",
            "think:thought:thought",
            "see:saw:seen",
            "hear:heard:heard",
            "speak:spoke:spoken",
            "say:said:said",
            "sing:sang:sung",
            "kneel:knelt/kneeled:knelt",
            "sleep:slept:slept",
            "wake:woke:woken",
            "lie:lay:lain",
            "feel:felt:felt",
            "shake:shook:shaken",
            "keep:kept:kept",
            "drink:drank:drunk",
            "eat:ate:eaten",
            "know:knew:known",
            "begin:began:begun",
            "catch:caught:caught",
            "steal:stole:stolen",
            "hold:held:held",
            "find:found:found",
            "lend:lent:lent",
            "spread:spread:spread",
            "fling:flung:flung",
            "sling:slung:slung",
            "slide:slid:slid",
            "string:strung:strung",
            "slit:slit:slit",
            "beat:beat:beaten",
            "burn:burned/burnt:burned/burnt",
            "feed:fed:fed",
            "fit:fitted/fit:fitted/fit",
            "forget:forgot:forgotten",
            "pay:paid:paid",
            "swim:swam:swum",
            "rebuild:rebuilt:rebuilt",
            "smell:smelled/smelt:smelled/smelt",
            "do:did:done",
            "shear:sheared:shorn",
            "saw:sawed:sawn/sawed",
            "mow:mowed:mown",
            "sow:sowed:sown",
            "wet:wet/wetted:wet/wetted",
            "knit:knitted/knit:knitted/knit",
            "withdraw:withdrew:withdrawn",
            "shine:shone:shone",
            "rewind:rewound:rewound",
            "wring:wrung:wrung",
            "have:had:had",
            "be:was:been",
        ]
    )
}
"""Verb → its past and participle, several where both are in use."""

# Final consonants that are doubled in `-ed` and `-ing`; two-syllable verbs are listed, short ones follow a rule.
_DOUBLED = words("commit permit transfer refer control propel unplug unpin unzip unclip unwrap replug uncap")

NOUNISH = words(
    "board spring call order show hand hook lock light bolt wheel nail pin rope seal stamp tool rack cover place "
    "plant water oil paint stack load store ring barrow tie cut fold turn spin peel pass step walk look watch "
    "rest drop slip block sack post file fire drill plane saw press number label mark frame cap plug bar button "
    "cork brush comb iron ink wax salt flour clip strap rig string hammer tap cart drive ride race crack tear rip "
    "split chip dust coil thread rake tape glue patch smoke match date pump score study play work dance talk cry "
    "laugh smile nod wave point sleep touch drink hold fan dip lie sort trace sketch core ice bow cool feed back "
    "set stand wind lift pile bury pack charge shovel spoon ladle butter season harness piece visit cook bake "
    "guard park pocket edge row box line position list burn start stop check test count measure shape form mask "
    "face stage ship shop camera sand stick bend tip weld chalk draw scale open shut close clear dry warm clean "
    "empty level head heat duck fish hunt can bark black"
)
"""Verbs that are as often nouns or adjectives; they need more evidence before they count as verbs."""


@dataclass(frozen=True, slots=True)
class VerbForm:
    """One way to take a word as a verb."""

    lemma: str
    form: Form


def _regular(lemma: str) -> tuple[str, str, str]:
    """Third person, past and -ing of a regular verb."""
    if lemma.endswith(("s", "x", "z", "ch", "sh")) or lemma in ("go", "do"):
        third = lemma + "es"
    elif lemma.endswith("y") and lemma[-2] not in "aeiou":
        third = lemma[:-1] + "ies"
    else:
        third = lemma + "s"
    if lemma.endswith("ie"):
        return third, lemma + "d", lemma[:-2] + "ying"
    if lemma.endswith("e") and not lemma.endswith("ee"):
        return third, lemma + "d", lemma[:-1] + "ing"
    if lemma.endswith("y") and lemma[-2] not in "aeiou":
        return third, lemma[:-1] + "ied", lemma + "ing"
    stem = lemma + lemma[-1] if _doubles(lemma) else lemma
    return third, stem + "ed", stem + "ing"


def _doubles(lemma: str) -> bool:
    if lemma in _DOUBLED:
        return True
    if len(lemma) < 3 or lemma[-1] in "wxyaeiou" or lemma[-2] not in "aeiou" or lemma[-3] in "aeiou":
        return False
    return sum(letter in "aeiou" for letter in lemma) == 1 or lemma in ("unpin", "unzip")


@lru_cache(maxsize=1)
def _tables() -> tuple[dict[str, tuple[VerbForm, ...]], dict[str, Act], dict[str, frozenset[str]]]:
    acts: dict[str, Act] = {}
    particles: dict[str, set[str]] = {}
    for act, entries in _ACTS.items():
        for entry in entries.split():
            acts.setdefault(entry, act)
            lemma, _, particle = entry.partition("+")
            if particle:
                particles.setdefault(lemma, set()).add(particle)
    forms: dict[str, list[VerbForm]] = {}
    for lemma in dict.fromkeys(entry.partition("+")[0] for entry in acts):
        for word, form in _forms(lemma):
            forms.setdefault(word, []).append(VerbForm(lemma, form))
    return (
        {word: tuple(entries) for word, entries in forms.items()},
        acts,
        {lemma: frozenset(found) for lemma, found in particles.items()},
    )


def _forms(lemma: str) -> list[tuple[str, Form]]:
    third, past, ing = _regular(lemma)
    pasts, participles = _IRREGULAR.get(lemma, (past, past))
    found: list[tuple[str, Form]] = [(lemma, "base"), (third, "s"), (ing, "ing")]
    found += [(word, "past") for word in pasts.split()]
    found += [(word, "participle") for word in participles.split()]
    return found


def verb_forms(word: str) -> tuple[VerbForm, ...]:
    """Every way to take a word as a verb."""
    found = _tables()[0].get(word, ())
    if not found and word.startswith("re-"):
        return _tables()[0].get(word[3:], ())
    return found


def act_of(lemma: str, particle: str = "") -> Act | None:
    """The act of a verb with its particle: `pick`, `up` → take."""
    acts = _tables()[1]
    return acts.get(f"{lemma}+{particle}") if particle else acts.get(lemma)


def takes_particle(lemma: str, particle: str) -> bool:
    return particle in _tables()[2].get(lemma, frozenset())


def participle(lemma: str) -> str:
    """`open` → opened, `tear` → torn."""
    return _IRREGULAR.get(lemma, ("", _regular(lemma)[1]))[1].split()[-1]


def third_person(lemma: str) -> str:
    return _regular(lemma)[0]
