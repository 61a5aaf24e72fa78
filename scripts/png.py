"""Reads the plain RGB pictures that gemmscope screenshot writes, without any library."""
import struct
import zlib


def rows_of_png(path):
    """Returns the width and the rows of an RGB picture, each row as bytes."""
    data = path.read_bytes()
    at, packed, width, height = 8, b"", 0, 0
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            if (depth, colour, interlaced) != (8, 2, 0):
                raise SystemExit(f"{path} is no plain RGB picture: only those of gemmscope screenshot are read.")
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    raw, stride = zlib.decompress(packed), 3 * width
    above, rows = bytearray(stride), []
    for y in range(height):
        start = y * (stride + 1)
        above = unfiltered(raw[start], bytearray(raw[start + 1:start + 1 + stride]), above)
        rows.append(bytes(above))
    return width, rows


def unfiltered(kind, row, above):
    if kind == 1:
        for i in range(3, len(row)):
            row[i] = (row[i] + row[i - 3]) & 255
    elif kind == 2:
        row = bytearray((a + b) & 255 for a, b in zip(row, above))
    elif kind == 3:
        for i, up in enumerate(above):
            row[i] = (row[i] + ((row[i - 3] if i >= 3 else 0) + up) // 2) & 255
    elif kind == 4:
        for i, up in enumerate(above):
            left, corner = (row[i - 3], above[i - 3]) if i >= 3 else (0, 0)
            to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
            nearest = left if to_left <= to_up and to_left <= to_corner else up if to_up <= to_corner else corner
            row[i] = (row[i] + nearest) & 255
    return row
