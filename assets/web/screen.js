// Draws frames with WebGL 2 in the same way as ImGui's renderer.

const vertexShader = `#version 300 es
uniform vec2 size;  // of what is drawn on, in its pixels
uniform vec3 view;  // how many of them a pixel of the frame is, and where its upper left corner lies
in vec2 position;
in vec2 place;
in vec4 colour;
out vec2 at;
out vec4 tint;
void main() {
    at = place;
    tint = colour;
    vec2 shown = position * view.x + view.yz;
    gl_Position = vec4(shown.x / size.x * 2.0 - 1.0, 1.0 - shown.y / size.y * 2.0, 0.0, 1.0);
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

const bytesOfWord = 4;

export class Screen {
    // Returns null if the browser has no WebGL 2.
    static of(canvas, themes = 1) {
        const gl = canvas.getContext('webgl2', {alpha: false, antialias: false, depth: false, preserveDrawingBuffer: true});
        return gl && new this(canvas, gl, themes);
    }

    constructor(canvas, gl, themes) {
        this.canvas = canvas;
        this.gl = gl;
        this.wordsOfVertex = 4 + themes;
        this.textures = new Map();
        this.vertices = new Uint32Array(1 << 14);
        this.indices = new Uint32Array(1 << 14);
        this.makeProgram();
    }

    makeProgramOf(vertexSource, fragmentSource) {
        const gl = this.gl;
        const program = gl.createProgram();
        for (const [kind, source] of [[gl.VERTEX_SHADER, vertexSource], [gl.FRAGMENT_SHADER, fragmentSource]]) {
            const shader = gl.createShader(kind);
            gl.shaderSource(shader, source);
            gl.compileShader(shader);
            gl.attachShader(program, shader);
        }
        ['position', 'place', 'colour'].forEach((name, place) => gl.bindAttribLocation(program, place, name));
        gl.linkProgram(program);
        if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
        return program;
    }

    makeProgram() {
        const gl = this.gl;
        const program = this.program = this.makeProgramOf(vertexShader, fragmentShader);
        gl.useProgram(program);
        this.size = gl.getUniformLocation(program, 'size');
        this.view = gl.getUniformLocation(program, 'view');
        this.coverage = gl.getUniformLocation(program, 'coverage');
        gl.bindVertexArray(gl.createVertexArray());
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
        const bytesOfVertex = this.wordsOfVertex * bytesOfWord;
        gl.vertexAttribPointer(0, 2, gl.FLOAT, false, bytesOfVertex, 0);
        gl.vertexAttribPointer(1, 2, gl.FLOAT, false, bytesOfVertex, 2 * bytesOfWord);
        this.useTheme(0);
        for (let place = 0; place < 3; ++place) gl.enableVertexAttribArray(place);
        gl.enable(gl.BLEND);
        gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    }

    useTheme(theme) {
        this.theme = theme;
        this.gl.vertexAttribPointer(2, 4, this.gl.UNSIGNED_BYTE, true, this.wordsOfVertex * bytesOfWord, (4 + theme) * bytesOfWord);
    }

    // Call this for each message, even if its frame is not drawn because the next one has already arrived.
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
                const filter = texture.coverage ? gl.LINEAR : gl.NEAREST; // for characters, and for the cells of a map
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

    // Joins the vertices of all pieces, and their indices, which are changed to refer to the joined vertices.
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
                const base = words / this.wordsOfVertex;
                for (let i = 0; i < piece.indices.length; ++i) this.indices[indices + i] = base + piece.indices[i];
                words += piece.words.length;
                indices += piece.indices.length;
            }
        this.gl.bufferData(this.gl.ARRAY_BUFFER, this.vertices.subarray(0, words), this.gl.STREAM_DRAW);
        this.gl.bufferData(this.gl.ELEMENT_ARRAY_BUFFER, this.indices.subarray(0, indices), this.gl.STREAM_DRAW);
    }

    // Draws the frame `scale` times as large with its upper left corner at (left, top), on an area of width x height.
    // The defaults draw it in its own size, even if the canvas has a new size and its frame has not arrived yet.
    draw(frame, {scale = 1, left = 0, top = 0, width = this.canvas.width, height = this.canvas.height} = {}) {
        const gl = this.gl;
        gl.viewport(0, 0, width, height);
        gl.disable(gl.SCISSOR_TEST);
        const background = frame.backgrounds[this.theme];
        gl.clearColor(background[0] / 255, background[1] / 255, background[2] / 255, 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
        gl.enable(gl.SCISSOR_TEST);
        gl.uniform2f(this.size, width, height);
        gl.uniform3f(this.view, scale, left, top);
        this.gather(frame);
        let first = 0;
        for (const {clip, textures, pieces} of frame.commands) {
            const count = pieces.reduce((sum, piece) => sum + piece.indices.length, 0);
            const found = this.textures.get(textures[this.theme]);
            gl.bindTexture(gl.TEXTURE_2D, found.id);
            gl.uniform1i(this.coverage, found.coverage);
            const [x0, y0, x1, y1] = clip.map((side, which) => Math.round(side * scale + (which % 2 ? top : left)));
            gl.scissor(x0, height - y1, x1 - x0, y1 - y0);
            gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 4 * first);
            first += count;
        }
    }
}
