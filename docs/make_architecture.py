#!/usr/bin/env python3
"""Draws docs/figures/layers.svg: who includes whom, as the #includes of the source tree say.

    make_architecture.py ROOT           writes the picture
    make_architecture.py ROOT --check   exit status 1 if it is not what the tree gives, or docs/architecture.md lacks a room

Layers, rooms and their order are those of tests/layers_test.py. A row is a room (a layer without rooms, or a file that lies
in none), the highest first; its dots are the rooms that its files include. An order of the rooms is kept where all dots
lie to the right of the diagonal.
"""
import html
import importlib.util
import pathlib
import sys

PICTURE = "docs/figures/layers.svg"
PAGE = "docs/architecture.md"
CELL, LEFT, TOP, GAP = 17, 250, 125, 7  # pixels; GAP: between layers
COLOURS = ["#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#b07aa1", "#76b7b2", "#9c755f", "#edc948", "#ff9da7", "#5b6f8f"]


def rules_of(root):
    spec = importlib.util.spec_from_file_location("layers_test", root / "tests/layers_test.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rooms_in_order(rules):
    """(layer, room), the highest first; room is empty for a layer without rooms."""
    for layers in reversed(rules.RANKS):
        for layer in reversed(layers):
            ranks = rules.ROOMS.get(layer, [[""]])
            yield from ((layer, room) for rooms in reversed(ranks) for room in reversed(rooms))


def includes_between_rooms(rules, root):
    """{((layer, room), (layer, room))}: the first includes a header of the second."""
    found = set()
    for path in rules.files_of(root):
        layer = rules.layer_of(path)
        if layer not in rules.RANK or path.suffix not in rules.HOST_FILES | rules.DEVICE_FILES:
            continue
        for line in (root / path).read_text(encoding="utf-8").splitlines():
            match = rules.INCLUDE.match(line)
            other = match and rules.layer_of_include(match.group(1), path, root)
            if other:
                here = rules.room_of(path, layer) if layer in rules.ROOMS else ""
                there = rules.room_of_include(match.group(1), path, other, root) if other in rules.ROOMS else ""
                found.add(((layer, here), (other, there)))
    return {(a, b) for a, b in found if a != b}


def draw(rooms, includes):
    places, position, last = {}, 0, None
    for layer, room in rooms:
        position += GAP if last not in (None, layer) else 0
        places[layer, room] = position
        position += CELL
        last = layer
    layers = list(dict.fromkeys(layer for layer, _ in rooms))
    colour = {layer: COLOURS[i % len(COLOURS)] for i, layer in enumerate(layers)}
    width, height = LEFT + position + 10, TOP + position + 10
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
             'font-family="sans-serif" font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>']

    def text(x, y, words, extra=""):
        lines.append(f'<text x="{x}" y="{y}"{extra}>{html.escape(words)}</text>')

    for layer in layers:
        own = [places[key] for key in rooms if key[0] == layer]
        first, length = own[0], own[-1] + CELL - own[0]
        lines.append(f'<rect x="4" y="{TOP + first}" width="{LEFT + position - 4}" height="{length}" '
                     f'fill="{colour[layer]}" fill-opacity="0.13"/>')
        lines.append(f'<rect x="{LEFT + first}" y="{TOP + first}" width="{length}" height="{length}" '
                     f'fill="{colour[layer]}" fill-opacity="0.25"/>')
        text(10, TOP + first + 13, layer, ' font-weight="bold"')
    for (layer, room), place in places.items():
        text(LEFT - 8, TOP + place + 13, room, ' text-anchor="end"')
        x, y = LEFT + place + 13, TOP - 6
        text(x, y, room or layer, f' transform="rotate(-60 {x} {y})"' + ("" if room else ' font-weight="bold"'))
    for user, used in sorted(includes):
        lines.append(f'<circle cx="{LEFT + places[used] + CELL / 2}" cy="{TOP + places[user] + CELL / 2}" r="4.5" '
                     f'fill="{colour[used[0]]}"/>')
    return "\n".join(lines + ["</svg>", ""])


def unnamed_rooms(rooms, page):
    for layer, room in rooms:
        if f"`{room or layer}`" not in page:
            yield f"{PAGE} does not name {layer}/{room}".rstrip("/")


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1])
    rules = rules_of(root)
    rooms = list(rooms_in_order(rules))
    picture = draw(rooms, includes_between_rooms(rules, root))
    if not sys.argv[2:]:
        (root / PICTURE).write_text(picture, encoding="utf-8")
        return
    errors = list(unnamed_rooms(rooms, (root / PAGE).read_text(encoding="utf-8")))
    if (root / PICTURE).read_text(encoding="utf-8") != picture:
        errors.append(f"{PICTURE} is not what the includes say: run docs/make_architecture.py .")
    if errors:
        sys.exit("\n".join(errors))


if __name__ == "__main__":
    main()
