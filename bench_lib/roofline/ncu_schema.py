"""The protobuf messages inside an Nsight Compute report, as far as they are used here.

The descriptors are built at run time, so no generated code is kept. Fields that are not declared
are skipped by the parser. Names of fields are ours.

**Source**: field numbers observed in public reports of ncu 2022.4 to 2025.2 and checked value by
value against NVIDIA's ``ncu_report``; the container is described in ``docs/reference/roofline.md``.
"""

from __future__ import annotations

from typing import Any, Final

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

__all__ = ["BLOCK_HEADER", "FILE_HEADER", "RESULT", "SETTINGS", "SOURCE", "DecodeError", "parse"]

_FIELD = descriptor_pb2.FieldDescriptorProto
_TYPES: Final = {
    # Text is declared as bytes: a path in another encoding must not make a report unreadable.
    "bytes": _FIELD.TYPE_BYTES,
    "uint32": _FIELD.TYPE_UINT32,
    "uint64": _FIELD.TYPE_UINT64,
    "float": _FIELD.TYPE_FLOAT,
    "double": _FIELD.TYPE_DOUBLE,
}

#: message → field name → (number, type, repeated). A type that is no scalar names a message.
_MESSAGES: Final[dict[str, dict[str, tuple[int, str, bool]]]] = {
    "FileHeader": {"version": (1, "uint32", False)},
    "Value": {
        "text": (1, "bytes", False),
        "float32": (2, "float", False),
        "float64": (3, "double", False),
        "uint32": (4, "uint32", False),
        "uint64": (5, "uint64", False),
    },
    "Pair": {"name": (1, "bytes", False), "value": (2, "bytes", False)},
    "Attribute": {"name": (1, "bytes", False), "value": (2, "Value", False)},
    "Device": {
        "id": (1, "uint32", False),
        "name": (2, "bytes", False),
        "attributes": (3, "Attribute", True),
    },
    "Settings": {"clock_control": (8, "bytes", False)},
    "Session": {
        "devices": (6, "Device", True),
        "versions": (8, "Pair", True),
        # Only versions that record the settings have them; kept raw, so that a layout not seen
        # yet cannot make the report unreadable.
        "settings": (10, "bytes", False),
        "command_line": (11, "bytes", False),
    },
    "Strings": {"items": (1, "bytes", True)},
    # A kernel's machine code. Only its framing is checked.
    "Source": {"id": (1, "uint64", False), "code": (4, "bytes", False)},
    "BlockHeader": {
        "num_sources": (1, "uint32", False),
        "num_results": (2, "uint32", False),
        "session": (3, "Session", False),
        "strings": (4, "Strings", False),
        "payload_size": (5, "uint64", False),
    },
    "Metric": {
        "name": (1, "uint32", False),
        "value": (2, "Value", False),
        "instances": (3, "Instance", True),
    },
    "Instance": {"correlation": (1, "Value", False), "value": (2, "Value", False)},
    "MessageText": {
        "text": (1, "bytes", False),
        "type": (2, "uint32", False),
        "title": (4, "bytes", False),
    },
    "RuleMessage": {"message": (1, "MessageText", False)},
    "RuleBody": {"items": (1, "RuleMessage", True)},
    "Rule": {
        "id": (1, "bytes", False),
        "body": (3, "RuleBody", False),
        "section": (4, "bytes", False),
    },
    "Clock": {"control": (1, "uint32", False), "locked": (2, "uint32", False)},
    "Result": {
        "mangled": (5, "bytes", False),
        "function": (6, "bytes", False),
        "demangled": (7, "bytes", False),
        "metrics": (13, "Metric", True),
        "rules": (19, "Rule", True),
        "clock": (25, "Clock", False),
    },
}
_PACKAGE: Final = "bench_lib.ncu"


def _build() -> dict[str, Any]:
    file = descriptor_pb2.FileDescriptorProto(name="bench_lib/ncu.proto", package=_PACKAGE, syntax="proto2")
    for message_name, fields in _MESSAGES.items():
        message = file.message_type.add(name=message_name)
        if message_name == "Value":
            message.oneof_decl.add(name="kind")
        for field_name, (number, kind, repeated) in fields.items():
            field = message.field.add(name=field_name, number=number)
            field.label = _FIELD.LABEL_REPEATED if repeated else _FIELD.LABEL_OPTIONAL
            if kind in _TYPES:
                field.type = _TYPES[kind]
            else:
                field.type = _FIELD.TYPE_MESSAGE
                field.type_name = f".{_PACKAGE}.{kind}"
            if message_name == "Value":
                field.oneof_index = 0
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{_PACKAGE}.{name}"))
        for name in _MESSAGES
    }


_CLASSES: Final = _build()
FILE_HEADER: Final = _CLASSES["FileHeader"]
BLOCK_HEADER: Final = _CLASSES["BlockHeader"]
RESULT: Final = _CLASSES["Result"]
SOURCE: Final = _CLASSES["Source"]
SETTINGS: Final = _CLASSES["Settings"]


def parse(message_class: Any, data: bytes) -> Any:
    """Parse ``data``.

    Raises
    ------
    DecodeError
        The bytes are no such message: a length runs past the end, or a tag is not valid.
    """
    message = message_class()
    message.ParseFromString(data)
    return message
