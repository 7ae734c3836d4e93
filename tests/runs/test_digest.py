import ast
import hashlib
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import storyengine
from storyengine.errors import ContractError
from storyengine.runs.digest import canonical, digest, digest_bytes, digest_file, is_digest

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_canonical_json_reads_back_as_the_same_value(value):
    assert json.loads(canonical(value)) == value


@given(st.dictionaries(texts, values, max_size=5))
def test_the_order_of_keys_does_not_matter(value):
    backwards = dict(reversed(value.items()))
    assert digest("thing", value) == digest("thing", backwards)


@given(values, values)
def test_different_values_have_different_digests(one, other):
    assert (digest("thing", one) == digest("thing", other)) == (canonical(one) == canonical(other))


def test_the_tag_is_part_of_the_digest():
    assert digest("step", {"a": 1}) != digest("call", {"a": 1})


def test_digests_stay_what_they_are():
    """A change here makes every finished step of every project stale."""
    value = {"shot": 3, "words": ["é", "ß"], "half": 0.5, "none": None, "yes": True}
    assert canonical(value) == '{"half":0.5,"none":null,"shot":3,"words":["é","ß"],"yes":true}'.encode()
    wanted = hashlib.sha256(b"storyengine:step\n" + canonical(value)).hexdigest()
    assert digest("step", value) == wanted == "04d833a8e93711458c932bae1fa4121bc5cc7418b78e20fecffbb19581c552d1"


@pytest.mark.parametrize("value", [math.nan, math.inf, {1: "x"}, {"a": {2: 3}}, b"bytes", object(), {"a": {1, 2}}])
def test_what_has_no_canonical_form_is_refused(value):
    with pytest.raises(ContractError, match="value"):
        canonical(value)


def test_broken_unicode_is_refused():
    with pytest.raises(ContractError, match="Unicode"):
        canonical("\ud800")


def test_content_addresses_are_plain_sha256(tmp_path):
    path = tmp_path / "clip"
    path.write_bytes(b"frames" * 300_000)
    assert digest_file(path) == digest_bytes(path.read_bytes()) == hashlib.sha256(path.read_bytes()).hexdigest()
    assert is_digest(digest_file(path))
    assert not is_digest("ABC")


def test_hashing_has_one_home():
    """Whoever needs a digest gets it from runs.digest."""
    package = Path(storyengine.__file__).parent
    guilty = []
    for path in package.rglob("*.py"):
        text = path.read_text()
        for node in ast.walk(ast.parse(text)) if "hashlib" in text else ():
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            if "hashlib" in names and path != package / "runs" / "digest.py":
                guilty.append(str(path.relative_to(package)))
    assert guilty == []


def test_runs_imports_nothing_of_storyengine_but_errors():
    package = Path(storyengine.__file__).parent
    for path in (package / "runs").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            for name in names:
                if name.startswith("storyengine"):
                    assert name.startswith(("storyengine.runs.", "storyengine.errors")), f"{path}: {name}"
