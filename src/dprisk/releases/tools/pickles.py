"""Saved dictionaries of PyTorch and Python (.pt, .pth, .ckpt, .pkl), read without running them.

A pickle is a list of instructions. `plain` carries out those that make dictionaries, lists, text
and numbers, and none that would import or call anything: a name outside `NAMES` is refused, and a
tensor becomes an `Opaque` that holds no data. Nothing of the file is given to `pickle`.
"""

from __future__ import annotations

import io
import pickletools
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, final

from dprisk.errors import InvalidFile

LARGEST_PICKLE: Final = 8_000_000
LARGEST_DIRECTORY: Final = 16_000_000
MOST_INSTRUCTIONS: Final = 4_000_000
ENDINGS: Final = (".pt", ".pth", ".ckpt", ".bin", ".pkl", ".pickle")
OLD_TORCH: Final = b"\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"
"""The number at the head of what PyTorch wrote before 1.6."""

PACKED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
DAMAGED: Final = (
    *(zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError),
    *(RuntimeError, ValueError, OverflowError),
)
"""What a zip file that is not whole may raise."""

REBUILT: Final = frozenset(
    {
        "torch._utils._rebuild_parameter",
        "torch._utils._rebuild_parameter_with_state",
        "torch._utils._rebuild_tensor_v2",
        "torch._utils._rebuild_tensor_v3",
        "torch.Size",
        "torch.device",
        "torch.dtype",
        "torch.serialization._get_layout",
    }
)
"""What tensors are made by; here they are not made."""
STORED: Final = frozenset(
    f"torch.{kind}Storage"
    for kind in (
        *("BFloat16", "Bool", "Byte", "Char", "ComplexDouble", "ComplexFloat", "Double"),
        *("Float", "Half", "Int", "Long", "Short"),
    )
) | {"torch.storage.UntypedStorage", "torch.storage.TypedStorage"}
TYPES: Final = frozenset(
    f"torch.{kind}"
    for kind in (
        *("bfloat16", "bool", "complex128", "complex64", "float16", "float32", "float64"),
        *("int16", "int32", "int64", "int8", "uint8"),
    )
)
MAPPINGS: Final = frozenset({"collections.OrderedDict", "builtins.dict", "__builtin__.dict"})
SCALARS: Final = frozenset(
    {"numpy.core.multiarray.scalar", "numpy._core.multiarray.scalar", "numpy.dtype"}
)
ENCODED: Final = frozenset({"_codecs.encode"})
NAMES: Final = REBUILT | STORED | TYPES | MAPPINGS | SCALARS | ENCODED
FORMATS_OF_NUMBERS: Final = {"f8": "<d", "f4": "<f", "i8": "<q", "i4": "<i"}


@final
@dataclass(frozen=True)
class Opaque:
    """Something in a pickle that is named and not made, such as a tensor."""

    name: str
    given: Any = None


@final
@dataclass(frozen=True)
class _Mark:
    """The place on the stack at which a list of values begins."""


def saved(file: BinaryIO, name: str) -> Any:
    """The plain values of a file that PyTorch or Python saved; tensors as `Opaque`.

    Raises
    ------
    InvalidFile
        If it is none, is cut off or too large, or would import or call something.
    """
    head = file.read(2 + len(OLD_TORCH))
    if head[:4] == b"PK\x03\x04":
        return plain(_inside(file, name), name)
    if head[:1] != b"\x80":
        problem = "This is not a file that PyTorch or Python saved: it begins with other bytes."
        if head[:2] == b"PK":
            problem = "This zip file is empty or cut off."
        raise InvalidFile(name, problem, "Save the state of the accountant again.")
    if head[2:] == OLD_TORCH:
        problem = "PyTorch saved this file in its format from before version 1.6."
        fix = "Load it with torch.load, save it again with torch.save, and read the new file."
        raise InvalidFile(name, problem, fix)
    file.seek(0)
    return plain(_limited(file, name, "file"), name)


def _limited(file: Any, name: str, what: str) -> bytes:
    raw: bytes = file.read(LARGEST_PICKLE + 1)
    if len(raw) > LARGEST_PICKLE:
        problem = f"The description inside this {what} is longer than {LARGEST_PICKLE // 10**6} MB."
        raise InvalidFile(name, problem, "Save the state of the accountant alone.")
    return raw


def _inside(file: BinaryIO, name: str) -> bytes:
    """The pickle inside a zip file of PyTorch; what else is in there is not read."""
    _check_directory(file, name)
    try:
        with zipfile.ZipFile(file) as archive:
            found = [each for each in archive.infolist() if _is_description(each.filename)]
            if len(found) != 1 or found[0].compress_type not in PACKED:
                problem = "This zip file was not saved by torch.save: it holds no data.pkl."
                raise InvalidFile(name, problem, "Save the state with torch.save.")
            with archive.open(found[0]) as inside:
                return _limited(inside, name, "zip file")
    except InvalidFile:
        raise
    except DAMAGED:
        problem = "This zip file is cut off or damaged: its contents cannot be unpacked."
        raise InvalidFile(name, problem, "Copy or save the file again.") from None


def _is_description(name: str) -> bool:
    return name == "data.pkl" or (name.endswith("/data.pkl") and name.count("/") == 1)


def _check_directory(file: BinaryIO, name: str) -> None:
    """Refuse a zip file with a table of contents that would fill the memory."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - 66_000))
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or at + 22 > len(tail):
        problem = "This zip file is cut off: its table of contents is missing."
        raise InvalidFile(name, problem, "Copy or save the file again.")
    (directory,) = struct.unpack_from("<I", tail, at + 12)
    larger = tail.rfind(b"PK\x06\x06", 0, at)
    if directory == 0xFFFFFFFF and larger >= 0 and larger + 48 <= len(tail):
        (directory,) = struct.unpack_from("<Q", tail, larger + 40)
    if directory > LARGEST_DIRECTORY:
        problem = "The table of contents of this zip file is too long."
        raise InvalidFile(name, problem, "Save the state of the accountant alone.")
    file.seek(0)


def plain(raw: bytes, name: str) -> Any:
    """The value that a pickle describes, of dictionaries, lists, text, numbers and `Opaque`."""
    try:
        return _carried_out(pickletools.genops(raw), name)
    except (ValueError, IndexError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, InvalidFile):
            raise
        problem = "This pickle is cut off or damaged."
        raise InvalidFile(name, problem, "Copy or save the file again.") from None


def _carried_out(instructions: Iterator[Any], name: str) -> Any:
    stack: list[Any] = []
    memo: dict[int, Any] = {}
    for number, (code, given, _) in enumerate(instructions):
        if number > MOST_INSTRUCTIONS:
            problem = "This pickle has too many instructions."
            raise InvalidFile(name, problem, "Save the state of the accountant alone.")
        kind = code.name
        if kind in VALUES:
            stack.append(VALUES[kind](given))
        elif kind == "STOP":
            return stack.pop()
        elif kind in ("BINPUT", "LONG_BINPUT", "PUT", "MEMOIZE"):
            memo[len(memo) if given is None else given] = stack[-1]
        elif kind in ("BINGET", "LONG_BINGET", "GET"):
            stack.append(memo[given])
        elif kind in STEPS:
            STEPS[kind](stack)
        elif kind in ("GLOBAL", "STACK_GLOBAL"):
            stack.append(_named(stack, given, name))
        elif kind not in ("PROTO", "FRAME"):
            raise _refused(name, f"holds an instruction ({kind}) that makes other objects")
    raise ValueError


def _named(stack: list[Any], given: Any, name: str) -> Opaque:
    if given is None:
        last = stack.pop()
        full = f"{stack.pop()}.{last}"
    else:
        full = str(given).replace(" ", ".", 1)
    if full not in NAMES:
        raise _refused(name, f"names {full[:80]!r}, which is no plain value")
    return Opaque(full)


def _refused(name: str, what: str) -> InvalidFile:
    fix = (
        "Nothing in it was run. Save plain values instead: "
        "torch.save(accountant.state_dict(), 'accountant.pt'), or "
        "json.dump(accountant.state_dict(), file)."
    )
    return InvalidFile(name, f"This file {what}.", fix)


def _since_mark(stack: list[Any]) -> list[Any]:
    items: list[Any] = []
    while not isinstance(item := stack.pop(), _Mark):
        items.append(item)
    return items[::-1]


def _put_items(stack: list[Any]) -> None:
    items = _since_mark(stack)
    for key, value in zip(items[::2], items[1::2], strict=True):
        _put(stack[-1], key, value)


def _put_item(stack: list[Any]) -> None:
    value, key = stack.pop(), stack.pop()
    _put(stack[-1], key, value)


def _put(target: Any, key: Any, value: Any) -> None:
    if not isinstance(key, (str, int, float, bool, tuple)) and key is not None:
        raise TypeError
    if isinstance(target, dict):  # items of anything else are not kept
        target[key] = value


def _append(stack: list[Any]) -> None:
    value = stack.pop()
    stack[-1].append(value)


def _appends(stack: list[Any]) -> None:
    items = _since_mark(stack)
    stack[-1].extend(items)


def _add_items(stack: list[Any]) -> None:
    items = _since_mark(stack)
    stack[-1].extend(items)


def _tuple_of(number: int) -> Callable[[list[Any]], None]:
    def make(stack: list[Any]) -> None:
        items = stack[-number:]
        if len(items) < number:
            raise IndexError
        del stack[-number:]
        stack.append(tuple(items))

    return make


def _tuple(stack: list[Any]) -> None:
    stack.append(tuple(_since_mark(stack)))


def _list(stack: list[Any]) -> None:
    stack.append(_since_mark(stack))


def _dict(stack: list[Any]) -> None:
    items = _since_mark(stack)
    stack.append({})
    for key, value in zip(items[::2], items[1::2], strict=True):
        _put(stack[-1], key, value)


def _persistent(stack: list[Any]) -> None:
    stack.pop()
    stack.append(Opaque("stored elsewhere"))


def _build(stack: list[Any]) -> None:
    stack.pop()  # attributes beside the items, which are not needed


def _made(stack: list[Any]) -> None:
    """The plain value that a named maker would make; otherwise its name."""
    given, maker = stack.pop(), stack.pop()
    if not isinstance(maker, Opaque) or not isinstance(given, tuple):
        raise TypeError
    stack.append(_value_of(maker.name, given))


def _value_of(maker: str, given: tuple[Any, ...]) -> Any:
    if maker in MAPPINGS:
        pairs = given[0] if given else ()
        made: dict[Any, Any] = {}
        for key, value in pairs:
            _put(made, key, value)
        return made
    if maker in ENCODED:
        return str(given[0]).encode("latin1")
    if maker == "numpy.dtype":
        return Opaque(maker, given[0])
    if maker in SCALARS and len(given) == 2 and isinstance(given[0], Opaque):
        form = FORMATS_OF_NUMBERS.get(str(given[0].given))
        return struct.unpack(form, given[1])[0] if form else Opaque(maker)
    return Opaque(maker)


def _same(given: Any) -> Any:
    return given


VALUES: Final[Mapping[str, Callable[[Any], Any]]] = {
    "MARK": lambda _: _Mark(),
    "NONE": lambda _: None,
    "NEWTRUE": lambda _: True,
    "NEWFALSE": lambda _: False,
    "EMPTY_DICT": lambda _: {},
    "EMPTY_LIST": lambda _: [],
    "EMPTY_SET": lambda _: [],
    "EMPTY_TUPLE": lambda _: (),
    **dict.fromkeys(
        (
            *("BININT", "BININT1", "BININT2", "INT", "LONG", "LONG1", "LONG4", "BINFLOAT"),
            *("FLOAT", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8", "UNICODE"),
            *("BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BINSTRING", "SHORT_BINSTRING", "STRING"),
        ),
        _same,
    ),
}
STEPS: Final[Mapping[str, Callable[[list[Any]], None]]] = {
    "APPEND": _append,
    "APPENDS": _appends,
    "ADDITEMS": _add_items,
    "SETITEM": _put_item,
    "SETITEMS": _put_items,
    "TUPLE": _tuple,
    "TUPLE1": _tuple_of(1),
    "TUPLE2": _tuple_of(2),
    "TUPLE3": _tuple_of(3),
    "LIST": _list,
    "DICT": _dict,
    "BINPERSID": _persistent,
    "BUILD": _build,
    "REDUCE": _made,
}
