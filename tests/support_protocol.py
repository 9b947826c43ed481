"""Messages of the console checked against what `cuttle protocol` says of them."""

import json
from functools import lru_cache

from support_cuttle import Console, cuttle


@lru_cache(maxsize=None)
def schema():
    """The schema of all messages."""
    return json.loads(cuttle("protocol", "--json", check=0).stdout)


def fault_of(value, rule, path="message"):
    """Says what is wrong with a value by a JSON schema, of the words that ours uses; None: nothing."""
    unknown = set(rule) - {"$schema", "title", "description", "$defs", "$ref", "anyOf", "type", "const", "minimum",
                           "items", "properties", "required", "additionalProperties"}
    assert not unknown, unknown
    if "$ref" in rule:
        return fault_of(value, schema()["$defs"][rule["$ref"].removeprefix("#/$defs/")], path)
    if "anyOf" in rule:
        faults = [fault_of(value, each, path) for each in rule["anyOf"]]
        return None if None in faults else f"{path} is none of: " + "; ".join(map(str, faults))
    if "const" in rule:
        return None if value == rule["const"] else f"{path} is {value!r}, not {rule['const']!r}"
    types = {"string": str, "number": (int, float), "integer": int, "boolean": bool, "array": list, "object": dict}
    if "type" in rule:
        wanted = types[rule["type"]]
        if isinstance(value, float) and rule["type"] == "integer" and value.is_integer():
            value = int(value)
        if not isinstance(value, wanted) or isinstance(value, bool) != (wanted is bool):
            return f"{path} is {value!r}, not of type {rule['type']}"
    if "minimum" in rule and value < rule["minimum"]:
        return f"{path} is {value}, less than {rule['minimum']}"
    for place, item in enumerate(value if "items" in rule else []):
        fault = fault_of(item, rule["items"], f"{path}[{place}]")
        if fault:
            return fault
    if rule.get("type") != "object":
        return None
    for name in rule["required"]:
        if name not in value:
            return f"{path} has no \"{name}\""
    for name, member in value.items():
        if name not in rule["properties"]:
            return f"{path} has a member \"{name}\" that is not described"
        fault = fault_of(member, rule["properties"][name], f"{path}.{name}")
        if fault:
            return fault
    return None


class CheckedConsole(Console):
    """A connection that checks each message of the engine. Answers of type "error" are an event."""

    def __init__(self, *arguments, **options):
        self.asked = {}
        super().__init__(*arguments, **options)

    def send(self, **message):
        if "id" in message:
            self.asked[json.dumps(message["id"])] = message.get("type")
        super().send(**message)

    def receive(self):
        message = super().receive()
        bare = {name: value for name, value in message.items() if name != "binary"}
        asked = self.asked.get(json.dumps(message.get("id"))) if "id" in message else None
        rule = schema()["$defs"].get(f"answer.{asked}")
        if rule and message["type"] != "error":
            fault = fault_of(bare, rule)
        elif asked is None and message.get("type") != "result":
            fault = fault_of(bare, schema()["$defs"]["from_engine"])
        else:
            fault = None  # of the game, or an error
        assert not fault, f"{fault}\n{json.dumps(bare)[:2000]}"
        return message
