"""The three text adapters against a server that speaks their protocols, over a real socket."""

import json
import logging

import anyio
import jsonschema
import pytest

from storyengine.backends import Port, ReferenceImage, TextRequest, load
from storyengine.backends.http import Provider, post_json
from storyengine.backends.prices import price_of
from storyengine.backends.schemas import plain_schema, strict_schema
from storyengine.errors import AmbiguousCharge, Malformed, Misconfigured, Refused, Unavailable
from storyengine.plan import plan_schema
from tests.planning.scripted_server import Declines, Fails, HangsUp, Says, Sends, Stalls, serving

KEY = "sk-test-0123456789abcdef0123"
SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "string", "default": "x", "maxLength": 3}, "b": {"type": "integer"}},
    "required": ["b"],
}
REQUEST = TextRequest("Be brief.", "Say hello.", schema=SCHEMA, max_tokens=500)
NAMES = ("openai", "google", "openai-compatible")


def ask(name, server, request=REQUEST, model="gpt-5.5"):
    text_model = load(Port.TEXT, name)(model=model, base_url=f"{server.address}/v1")
    return anyio.run(text_model.write, request)


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    for variable in ("OPENAI_API_KEY", "GOOGLE_API_KEY", "OPENAI_COMPATIBLE_API_KEY"):
        monkeypatch.setenv(variable, KEY)


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_is_read(name):
    with serving(Says('{"b": 1}')) as server:
        answer = ask(name, server)
    assert answer.text == '{"b": 1}'
    assert answer.finished
    assert answer.model.startswith("gpt-5.5")
    assert server.received[0].headers["x-goog-api-key" if name == "google" else "authorization"].endswith(KEY)


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_that_was_cut_off_says_so(name):
    with serving(Says('{"b":', finished=False)) as server:
        answer = ask(name, server)
    assert (answer.text, answer.finished) == ('{"b":', False)


@pytest.mark.parametrize("name", NAMES)
def test_a_refusal_is_a_refusal(name):
    with serving(Declines("That is not for me.")) as server, pytest.raises(Refused) as refused:
        ask(name, server)
    assert refused.value.reason in ("That is not for me.", "PROHIBITED_CONTENT")


def test_the_responses_api_gets_system_prompt_pictures_schema_and_limit():
    picture = ReferenceImage("The red backpack.", b"\x89PNG\r\n\x1a\n")
    with serving(Says("{}")) as server:
        ask("openai", server, TextRequest("Be brief.", "Say hello.", (picture,), SCHEMA, 500))
    received = server.received[0]
    assert received.path == "/v1/responses"
    strict = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
        "additionalProperties": False,
    }
    assert received.body == {
        "model": "gpt-5.5",
        "instructions": "Be brief.",
        "input": [
            {
                "role": "user",
                "content": [
                    {"type": "input_text", "text": "The red backpack."},
                    {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo=", "detail": "high"},
                    {"type": "input_text", "text": "Say hello."},
                ],
            }
        ],
        "max_output_tokens": 500,
        "store": False,
        "text": {"format": {"type": "json_schema", "name": "answer", "strict": True, "schema": strict}},
    }


def test_generate_content_gets_system_prompt_pictures_schema_and_limit():
    picture = ReferenceImage("The red backpack.", b"\xff\xd8\xff")
    with serving(Says("{}")) as server:
        load_and_ask = TextRequest("Be brief.", "Say hello.", (picture,), SCHEMA, 500)
        model = load(Port.TEXT, "google")(model="gemini-3.6-flash", base_url=server.address)
        answer = anyio.run(model.write, load_and_ask)
    assert answer.cost == price_of("gemini-3.6-flash").of(6000, 2000)
    received = server.received[0]
    assert received.path == "/v1/models/gemini-3.6-flash:generateContent"
    assert received.body["contents"][0]["parts"] == [
        {"text": "The red backpack."},
        {"inlineData": {"mimeType": "image/jpeg", "data": "/9j/"}},
        {"text": "Say hello."},
    ]
    assert received.body["systemInstruction"]["parts"] == [{"text": "Be brief."}]
    settings = received.body["generationConfig"]
    assert (settings["maxOutputTokens"], settings["responseMimeType"]) == (500, "application/json")
    assert settings["responseJsonSchema"]["required"] == ["b"]


def test_chat_completions_get_plain_text_where_there_are_no_pictures():
    with serving(Says("{}")) as server:
        ask("openai-compatible", server, model="qwen")
    body = server.received[0].body
    assert body["messages"][1] == {"role": "user", "content": "Say hello."}
    assert body["max_tokens"] == 500
    assert body["response_format"]["json_schema"]["strict"] is True


def test_the_cost_follows_the_list_price_and_is_unknown_for_an_unknown_model():
    with serving(Says("x"), Says("x")) as server:
        assert ask("openai", server).cost == 6000 * 5 + 2000 * 30
        assert ask("openai", server, model="gpt-99").cost is None


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_not_now_is_asked_again(status):
    with serving(Fails(status), Fails(status), Says("done")) as server:
        assert ask("openai", server).text == "done"
    assert len(server.received) == 3


def test_after_all_retries_the_provider_is_unavailable():
    with serving(*[Fails(503)] * 4) as server, pytest.raises(Unavailable, match="503"):
        ask("openai", server)
    assert len(server.received) == 4


@pytest.mark.parametrize(
    ("step", "error", "words"),
    [
        (Fails(401, "invalid_api_key", "Incorrect API key provided"), Misconfigured, "Check OPENAI_API_KEY"),
        (Fails(404, "model_not_found", "no longer available"), Misconfigured, "models are retired"),
        (Fails(429, "insufficient_quota", "You exceeded your quota"), Misconfigured, "Add credit"),
        (Fails(400, "invalid_request_error", "Unsupported parameter"), Misconfigured, "Unsupported parameter"),
        (Fails(400, "moderation_blocked", "Your request was rejected"), Refused, "rejected"),
        (Sends(b"<html>"), Malformed, "no JSON object"),
        (Sends(b"[1]"), Malformed, "no JSON object"),
        (Sends(b"{}"), Malformed, "not a response"),
        (Sends(b'{"output": "x", "status": "completed"}'), Malformed, "not a response"),
        (Sends(b'{"output": [], "status": "failed", "error": {"message": "odd"}}'), Unavailable, "odd"),
        (
            Sends(b'{"output":[],"status":"incomplete","incomplete_details":{"reason":"content_filter"}}'),
            Refused,
            "filter",
        ),
        (HangsUp(), AmbiguousCharge, "may have been charged"),
    ],
)
def test_every_fault_is_an_error_of_the_family_and_sent_once(step, error, words):
    with serving(step) as server, pytest.raises(error, match=words):
        ask("openai", server)
    assert len(server.received) == 1


@pytest.mark.parametrize("name", ["google", "openai-compatible"])
@pytest.mark.parametrize("body", [b"{}", b'{"candidates": [], "choices": []}', b'{"candidates": 3, "choices": 3}'])
def test_the_other_protocols_refuse_foreign_forms_too(name, body):
    with serving(Sends(body)) as server, pytest.raises(Malformed):
        ask(name, server)


def test_an_address_where_nobody_listens_is_unavailable():
    with serving() as server:
        address = server.address
    provider = Provider("Nobody", address, {}, key_hint="", attempts=2, first_pause=0.01)
    with pytest.raises(Unavailable, match="Nobody cannot be reached"):
        anyio.run(post_json, provider, "/responses", {})


def test_an_answer_that_never_comes_may_have_been_charged_and_is_not_asked_for_again():
    with serving(Stalls()) as server:
        provider = Provider("Slow", server.address, {}, key_hint="", patience=0.3)
        with pytest.raises(AmbiguousCharge, match="may have been charged"):
            anyio.run(post_json, provider, "/responses", {})
    assert len(server.received) == 1


@pytest.mark.parametrize("url", ["not a url", "ftp://example.com", "http://"])
def test_an_impossible_address_is_named(url):
    with pytest.raises(Misconfigured, match="no address"):
        anyio.run(post_json, Provider("X", url, {}, key_hint=""), "/responses", {})


def test_without_a_key_the_message_names_the_variable(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(Misconfigured, match="OPENAI_API_KEY"):
        load(Port.TEXT, "openai")()
    monkeypatch.setenv("OPENAI_API_KEY", "smart “quotes”")
    with pytest.raises(Misconfigured, match="characters that no key has"):
        load(Port.TEXT, "openai")()
    monkeypatch.delenv("OPENAI_COMPATIBLE_MODEL", raising=False)
    with pytest.raises(Misconfigured, match="OPENAI_COMPATIBLE_BASE_URL"):
        load(Port.TEXT, "openai-compatible")()


def test_a_key_shows_up_in_no_message_and_no_log(caplog):
    caplog.set_level(logging.DEBUG)
    with (
        serving(Fails(401, "x", f"Incorrect key: {KEY}")) as server,
        pytest.raises(Misconfigured) as error,
    ):
        ask("openai", server)
    assert KEY not in str(error.value)
    assert KEY not in caplog.text


def test_the_strict_schema_demands_everything_and_keeps_to_what_strict_modes_know():
    strict = strict_schema(plan_schema())
    jsonschema.Draft202012Validator.check_schema(strict)
    known = {"$ref", "$defs", "type", "description", "enum", "const", "items", "anyOf", "minItems", "maxItems"}
    known |= {"minimum", "maximum", "exclusiveMinimum", "multipleOf", "pattern", "properties", "required"}
    for node in nodes(strict):
        assert set(node) <= known | {"additionalProperties"}
        if "properties" in node:
            assert node["required"] == list(node["properties"])
            assert node["additionalProperties"] is False
        if "$ref" in node:
            assert list(node) == ["$ref"]
    assert "pattern" not in json.dumps(plain_schema(plan_schema()))


def nodes(schema):
    yield schema
    for group in ("properties", "$defs"):
        for child in schema.get(group, {}).values():
            yield from nodes(child)
    for child in [*schema.get("anyOf", []), *([schema["items"]] if "items" in schema else [])]:
        yield from nodes(child)
