// Reads the messages of app/pictures/frame_encoder.h, and keeps the pieces and values that later messages refer to by
// number.

const perTexture = 65536;

export class Reader {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
    }

    // Reads a number of up to 53 bits.
    number() {
        let value = 0, factor = 1;
        for (;;) {
            if (this.at >= this.bytes.length) throw new Error('A message ends too early.');
            const byte = this.bytes[this.at++];
            value += (byte & 0x7f) * factor;
            if (byte < 0x80) return value;
            factor *= 128;
        }
    }

    difference() {
        const value = this.number();
        return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }

    colour() {
        return this.slice(4).slice();
    }

    slice(length) {
        if (this.at + length > this.bytes.length) throw new Error('A message ends too early.');
        this.at += length;
        return this.bytes.subarray(this.at - length, this.at);
    }
}

// Values that are sent once. Later messages refer to them by index.
class Table {
    constructor(width) {
        this.width = width;
        this.values = [];
    }

    read(reader) {
        const place = reader.number();
        if (place > this.values.length) throw new Error('A message names what was never sent.');
        if (place === this.values.length) {
            const value = [];
            for (let i = 0; i < this.width; ++i) value.push(reader.difference());
            this.values.push(value);
        }
        return this.values[place];
    }
}

// A vertex has these words: x, y, u and v as floats, then its colour in each theme.
const wordsBeforeColours = 4;

class Piece {
    constructor(vertices, themes, perPixel, indices) {
        this.perPixel = perPixel;
        this.wordsOfVertex = wordsBeforeColours + themes;
        this.words = new Uint32Array(vertices * this.wordsOfVertex);
        this.floats = new Float32Array(this.words.buffer);
        this.indices = indices;
        this.count = 0;
    }

    add(x, y, u, v, colours) {
        let at = this.count++ * this.wordsOfVertex;
        this.floats[at++] = x / this.perPixel;
        this.floats[at++] = y / this.perPixel;
        this.floats[at++] = u / perTexture;
        this.floats[at++] = v / perTexture;
        for (const colour of colours) this.words[at++] = colour;
    }
}

const columns = ['frame', 'commands', 'shapes', 'x', 'y', 'stamps', 'points', 'colours', 'indices'];

// Splits bytes into the columns, which follow one another, each after its length.
export const readColumns = reader => Object.fromEntries(columns.map(name => [name, new Reader(reader.slice(reader.number()))]));

export class Frames {
    // `themes` is the number of themes that each frame has colours for. Positions are multiples of 1 / `perPixel`
    // pixels.
    constructor(themes = 1, perPixel = 32) {
        Object.assign(this, {themes, perPixel});
        this.pieces = new Map();
        this.last = 0; // number of the last piece
        this.clearTables();
    }

    clearTables() {
        this.stamps = new Table(6);
        this.points = new Table(2);
        this.colours = new Table(this.themes);
    }

    // Reads the next frame from its columns.
    read(from) {
        const reader = from.frame;
        const frame = {number: reader.number(), goneTextures: [], textures: [], backgrounds: [], commands: []};
        for (let left = reader.number(); left > 0; --left) frame.goneTextures.push(reader.number());
        for (let left = reader.number(); left > 0; --left) frame.textures.push(this.readTexture(reader));
        if (reader.number() === 1) this.clearTables();
        for (let left = reader.number(); left > 0; --left) this.pieces.delete(reader.number());
        for (let left = reader.number(); left > 0; --left) this.readPiece(from);
        frame.width = reader.number();
        frame.height = reader.number();
        for (let theme = 0; theme < this.themes; ++theme) frame.backgrounds.push(reader.colour());
        this.readCommands(reader.number(), from.commands, frame);
        return frame;
    }

    readTexture(reader) {
        const texture = {};
        for (const name of ['number', 'width', 'height', 'bytesPerPixel', 'first', 'rows']) texture[name] = reader.number();
        texture.bytes = reader.slice(texture.width * texture.rows * texture.bytesPerPixel);
        return texture;
    }

    // Reads a piece. Pieces are numbered in their order.
    readPiece(from) {
        this.pieces.set(++this.last, from.shapes.number() === 0 ? this.readQuads(from) : this.readTriangles(from));
    }

    readQuads(from) {
        const count = from.shapes.number();
        const indices = new Uint32Array(count * 6);
        const piece = new Piece(count * 4, this.themes, this.perPixel, indices);
        let x = 0, y = 0;
        for (let i = 0; i < count; ++i) {
            const left = x + from.x.difference(), top = y + from.y.difference();
            const [width, height, u0, v0, u1, v1] = this.stamps.read(from.stamps);
            const colours = this.colours.read(from.colours);
            piece.add(left, top, u0, v0, colours);
            piece.add(left + width, top, u1, v0, colours);
            piece.add(left + width, top + height, u1, v1, colours);
            piece.add(left, top + height, u0, v1, colours);
            indices.set([0, 1, 2, 0, 2, 3].map(corner => 4 * i + corner), 6 * i);
            x = left + width;
            y = top;
        }
        return piece;
    }

    readTriangles(from) {
        const vertices = from.shapes.number();
        const indices = new Uint32Array(from.shapes.number());
        const piece = new Piece(vertices, this.themes, this.perPixel, indices);
        let x = 0, y = 0, index = 0;
        for (let i = 0; i < vertices; ++i) {
            x += from.x.difference();
            y += from.y.difference();
            const [u, v] = this.points.read(from.points);
            piece.add(x, y, u, v, this.colours.read(from.colours));
        }
        for (let i = 0; i < indices.length; ++i) indices[i] = index += from.indices.difference();
        return piece;
    }

    readCommands(count, reader, frame) {
        const clip = [0, 0, 0, 0];
        let drawn = 0;
        for (let left = count; left > 0; --left) {
            for (let side = 0; side < 4; ++side) clip[side] += reader.difference();
            const command = {clip: clip.slice(), textures: [], pieces: []};
            for (let theme = 0; theme < this.themes; ++theme) command.textures.push(reader.number());
            for (let pieces = reader.number(); pieces > 0; --pieces) {
                drawn += reader.difference();
                const piece = this.pieces.get(drawn);
                if (!piece) throw new Error('A message names what was never sent.');
                command.pieces.push(piece);
            }
            frame.commands.push(command);
        }
    }
}
