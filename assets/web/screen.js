// Draws frames with WebGL 2, as ImGui's own renderer does.

const vertexShader = `#version 300 es
uniform vec2 size;
in vec2 position;
in vec2 place;
in vec4 colour;
out vec2 at;
out vec4 tint;
void main() {
    at = place;
    tint = colour;
    gl_Position = vec4(position.x / size.x * 2.0 - 1.0, 1.0 - position.y / size.y * 2.0, 0.0, 1.0);
}`;

const fragmentShader = `#version 300 es
precision mediump float;
uniform sampler2D pixels;
uniform bool coverage;
in highp vec2 at;
in vec4 tint;
out vec4 result;
void main() {
    vec4 texel = texture(pixels, at);
    result = tint * (coverage ? vec4(1.0, 1.0, 1.0, texel.r) : texel);
}`;

const bytesOfVertex = 20;

export class Screen {
    // Null where the browser has no WebGL 2.
    static of(canvas) {
        const gl = canvas.getContext('webgl2', {alpha: false, antialias: false, depth: false, preserveDrawingBuffer: true});
        return gl && new Screen(canvas, gl);
    }

    constructor(canvas, gl) {
        this.canvas = canvas;
        this.gl = gl;
        this.textures = new Map();
        this.vertices = new Uint32Array(1 << 14);
        this.indices = new Uint32Array(1 << 14);
        this.makeProgram();
    }

    makeProgram() {
        const gl = this.gl;
        const program = gl.createProgram();
        for (const [kind, source] of [[gl.VERTEX_SHADER, vertexShader], [gl.FRAGMENT_SHADER, fragmentShader]]) {
            const shader = gl.createShader(kind);
            gl.shaderSource(shader, source);
            gl.compileShader(shader);
            gl.attachShader(program, shader);
        }
        ['position', 'place', 'colour'].forEach((name, place) => gl.bindAttribLocation(program, place, name));
        gl.linkProgram(program);
        if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
        gl.useProgram(program);
        this.size = gl.getUniformLocation(program, 'size');
        this.coverage = gl.getUniformLocation(program, 'coverage');
        gl.bindVertexArray(gl.createVertexArray());
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
        gl.vertexAttribPointer(0, 2, gl.FLOAT, false, bytesOfVertex, 0);
        gl.vertexAttribPointer(1, 2, gl.FLOAT, false, bytesOfVertex, 8);
        gl.vertexAttribPointer(2, 4, gl.UNSIGNED_BYTE, true, bytesOfVertex, 16);
        for (let place = 0; place < 3; ++place) gl.enableVertexAttribArray(place);
        gl.enable(gl.BLEND);
        gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    }

    // Of each message, also of one whose frame is never drawn because the next one is there.
    takeTextures(frame) {
        const gl = this.gl;
        for (const number of frame.goneTextures) {
            gl.deleteTexture(this.textures.get(number)?.id);
            this.textures.delete(number);
        }
        for (const sent of frame.textures) {
            const whole = sent.rows === sent.height;
            const texture = this.textures.get(sent.number) ?? {id: gl.createTexture()};
            texture.coverage = sent.bytesPerPixel === 1;
            this.textures.set(sent.number, texture);
            gl.bindTexture(gl.TEXTURE_2D, texture.id);
            const format = texture.coverage ? gl.RED : gl.RGBA;
            if (whole) {
                const filter = texture.coverage ? gl.LINEAR : gl.NEAREST; // of characters; of cells
                gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
                gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
                gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
                gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
                gl.texImage2D(gl.TEXTURE_2D, 0, texture.coverage ? gl.R8 : gl.RGBA8, sent.width, sent.height, 0, format,
                              gl.UNSIGNED_BYTE, sent.bytes);
            } else {
                gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, sent.first, sent.width, sent.rows, format, gl.UNSIGNED_BYTE, sent.bytes);
            }
        }
    }

    // All pieces one behind the other, each with its indices counted from its first vertex.
    gather(frame) {
        let words = 0, indices = 0;
        for (const {pieces} of frame.commands)
            for (const piece of pieces) {
                words += piece.words.length;
                indices += piece.indices.length;
            }
        if (words > this.vertices.length) this.vertices = new Uint32Array(2 * words);
        if (indices > this.indices.length) this.indices = new Uint32Array(2 * indices);
        words = indices = 0;
        for (const {pieces} of frame.commands)
            for (const piece of pieces) {
                this.vertices.set(piece.words, words);
                const base = words / 5;
                for (let i = 0; i < piece.indices.length; ++i) this.indices[indices + i] = base + piece.indices[i];
                words += piece.words.length;
                indices += piece.indices.length;
            }
        this.gl.bufferData(this.gl.ARRAY_BUFFER, this.vertices.subarray(0, words), this.gl.STREAM_DRAW);
        this.gl.bufferData(this.gl.ELEMENT_ARRAY_BUFFER, this.indices.subarray(0, indices), this.gl.STREAM_DRAW);
    }

    draw(frame) {
        const gl = this.gl;
        // A frame of the size before stands at the upper left corner until the next one is there.
        const height = this.canvas.height;
        gl.viewport(0, height - frame.height, frame.width, frame.height);
        gl.disable(gl.SCISSOR_TEST);
        gl.clearColor(frame.background[0] / 255, frame.background[1] / 255, frame.background[2] / 255, 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
        gl.enable(gl.SCISSOR_TEST);
        gl.uniform2f(this.size, frame.width, frame.height);
        this.gather(frame);
        let first = 0;
        for (const {clip, texture, pieces} of frame.commands) {
            const count = pieces.reduce((sum, piece) => sum + piece.indices.length, 0);
            const found = this.textures.get(texture);
            gl.bindTexture(gl.TEXTURE_2D, found.id);
            gl.uniform1i(this.coverage, found.coverage);
            gl.scissor(clip[0], height - clip[3], clip[2] - clip[0], clip[3] - clip[1]);
            gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 4 * first);
            first += count;
        }
    }
}
