"""YAML of strangers: no aliases, no depth, no key twice."""

from typing import Any

import yaml

#: How deep lists and mappings may lie within each other.
_DEPTH = 12


class _Loader(yaml.SafeLoader):
    """Refuse aliases, depth and repeated keys; a key is the text that stands there."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            self.refuse("an alias is not read; write out what it stands for")
        self.depth += 1
        if self.depth > _DEPTH:
            self.refuse(f"more than {_DEPTH} lists and mappings lie within each other")
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        found = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self.refuse("a key is no text", key.start_mark)
            if key.value in found:
                self.refuse(f"the key {key.value!r} is there twice", key.start_mark)
            found[key.value] = self.construct_object(value, deep=deep)
        return found

    def refuse(self, why: str, mark: Any = None) -> None:
        """Raise the error of a place."""
        raise yaml.MarkedYAMLError(problem=why, problem_mark=mark or self.peek_event().start_mark)


def load(text: str) -> Any:
    """Return what a text holds."""
    return yaml.load(text, Loader=_Loader)
