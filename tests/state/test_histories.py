"""Random histories against a plain model: whatever is tried, no accepted world is impossible."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from storyengine.plan import Catalog, InSceneZone, Place, Set, target_of
from storyengine.state import Illegal, World, opening_world, reduce

from ..strategies import facts, plans


class Histories(RuleBasedStateMachine):
    """Tries any effect, legal or not, and keeps a plain dictionary of what was accepted."""

    @initialize(plan=plans(max_shots=1))
    def begin(self, plan):
        self.catalog = Catalog.of(plan)
        self.world = opening_world(self.catalog, plan)
        self.model = {entity: (state.placement, dict(state.attributes)) for entity, state in self.world.items()}
        self.furthest = {}
        self.remember_progress()

    @rule(data=st.data(), environment=st.sampled_from([None, "p0", "p1"]))
    def effect(self, data, environment):
        effect = data.draw(facts(self.catalog))
        before = World(dict(self.world))
        result = reduce(self.catalog, self.world, effect, environment)
        assert self.world == before, "reduce changed a world in place"
        assert result == reduce(self.catalog, self.world, effect, environment) or isinstance(result, Illegal)
        if isinstance(result, Illegal):
            return
        self.world = result
        placement, attributes = self.model[effect.entity]
        if isinstance(effect, Place):
            if isinstance(effect.placement, InSceneZone) and environment is not None:
                assert effect.placement.environment == environment
            self.model[effect.entity] = (effect.placement, attributes)
        else:
            self.model[effect.entity] = (placement, {**attributes, effect.attribute: effect.value})
        self.remember_progress()

    def remember_progress(self):
        for entity, state in self.world.items():
            for name, attribute in self.catalog.attributes[entity].items():
                if attribute.one_way:
                    position = attribute.values.index(state.attributes[name])
                    assert position >= self.furthest.get((entity, name), 0), "a one-way change was undone"
                    self.furthest[(entity, name)] = position

    @invariant()
    def the_model_agrees(self):
        if hasattr(self, "world"):
            assert self.model == {e: (s.placement, dict(s.attributes)) for e, s in self.world.items()}

    @invariant()
    def nothing_dangles_and_nothing_turns_in_a_ring(self):
        if not hasattr(self, "world"):
            return
        for entity, state in self.world.items():
            for name, value in state.attributes.items():
                assert value in self.catalog.attributes[entity][name].values
            seen, here = set(), entity
            while here is not None:
                assert here not in seen, "a ring of placements"
                seen.add(here)
                placement = self.world[here].placement
                here = target_of(placement)
                assert here is None or here in self.world, "a dangling reference"
                if isinstance(placement, InSceneZone):
                    assert placement.zone in self.catalog.zones[placement.environment]

    @invariant()
    def facts_are_what_holds(self):
        if hasattr(self, "world"):
            for fact in self.world.facts():
                assert self.world.holds(fact)
                assert isinstance(fact, (Place, Set))


TestHistories = Histories.TestCase
TestHistories.settings = settings(stateful_step_count=20)
