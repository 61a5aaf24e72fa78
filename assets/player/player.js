// Plays the frames that app/pictures/played_frames.h packed: a figure of the class 'player' in a page without other
// files.

import {Frames, Reader, readColumns} from '../web/frames.js';
import {Screen} from '../web/screen.js';

const themes = ['light', 'dark'];
const mostZoom = 32;
// A stage may be this many times too high or too wide for its picture; beyond that, the picture is zoomed to cover it.
const mostEmpty = 1.5;
const timeSlice = 12; // ms of decoding until the page can draw

const unpacked = async text => {
    const packed = Uint8Array.from(atob(text), character => character.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
};

// The unpacked recording. Its frames are decoded one by one, because decoding takes time.
class Recording {
    constructor(bytes) {
        this.reader = new Reader(bytes);
        Object.assign(this, JSON.parse(new TextDecoder().decode(this.sized())));
        this.readWords();
        this.readAreas();
        this.readLists();
        const [width, height] = [this.reader.number(), this.reader.number()];
        this.characters = {width, height, bytesPerPixel: 1, first: 0, rows: height, bytes: this.reader.slice(width * height)};
        this.decoder = new Frames(themes.length, this.perPixel);
        this.columns = readColumns(this.reader);
        this.frames = [];
        this.starts = []; // the start of each moment, in ms
        this.duration = 0;
        for (const length of this.milliseconds) {
            this.starts.push(this.duration);
            this.duration += length;
        }
    }

    sized() {
        return this.reader.slice(this.reader.number());
    }

    // Reads forms with places for numbers, and the numbers of each text: app/pictures/packed_words.h. A text is
    // composed when it is shown.
    readWords() {
        const {reader} = this;
        this.words = [];
        for (let left = reader.number(); left > 0; --left) {
            const form = {parts: [], digits: [], columns: []};
            for (let parts = reader.number(); parts > 0; --parts) form.parts.push(new TextDecoder().decode(this.sized()));
            for (let i = 1; i < form.parts.length; ++i) form.digits.push(reader.number());
            const count = reader.number();
            for (let i = 0; i < form.digits.length; ++i) {
                const plain = reader.number() === 1, column = new Float64Array(count);
                for (let row = 0; row < count; ++row) column[row] = reader.difference() + (plain || row === 0 ? 0 : column[row - 1]);
                form.columns.push(column);
            }
            for (let row = 0; row < count; ++row) this.words.push({form, row});
        }
    }

    textOf({form, row}) {
        const number = (value, digits) => {
            const text = String(Math.abs(value)).padStart(digits + 1, '0');
            const point = text.length - digits;
            return (value < 0 ? '-' : '') + (digits === 0 ? text : text.slice(0, point) + '.' + text.slice(point));
        };
        return form.parts.reduce((text, part, i) => text + number(form.columns[i - 1][row], form.digits[i - 1]) + part);
    }

    readAreas() {
        this.areas = [];
        const at = [0, 0, 0, 0, 0];
        for (let left = this.reader.number(); left > 0; --left) {
            for (let i = 0; i < at.length; ++i) at[i] += this.reader.difference();
            this.areas.push({left: at[0], top: at[1], right: at[0] + at[2], bottom: at[1] + at[3], words: this.words[at[4]]});
        }
    }

    readLists() {
        this.lists = [];
        for (let left = this.reader.number(); left > 0; --left) {
            const list = [];
            let next = 0;
            for (let areas = this.reader.number(); areas > 0; --areas) {
                next += this.reader.difference();
                list.push(this.areas[next++]);
            }
            this.lists.push(list);
        }
    }

    // Decodes the next frame. Returns false if there is none. The characters' texture is part of the recording, not of
    // a frame.
    decode() {
        if (this.frames.length === this.frameCount) return false;
        const frame = this.decoder.read(this.columns);
        for (const texture of frame.textures)
            if (texture.bytesPerPixel === 1) Object.assign(texture, this.characters);
        this.frames.push(frame);
        return true;
    }

    momentAt(time) {
        let low = 0, high = this.starts.length - 1;
        while (low < high) {
            const middle = Math.ceil((low + high) / 2);
            if (this.starts[middle] <= time) low = middle;
            else high = middle - 1;
        }
        return low;
    }

    // Returns the tip of the topmost mark at a pixel of a frame.
    tipAt(moment, x, y) {
        const list = this.lists[this.tips[moment]];
        for (let i = list.length - 1; i >= 0; --i) {
            const area = list[i];
            if (x >= area.left && x < area.right && y >= area.top && y < area.bottom) return this.textOf(area.words);
        }
        return '';
    }
}

const smallerVertexShader = `#version 300 es
uniform vec4 shown;
out vec2 at;
void main() {
    vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2);
    at = vec2(corner.x, 1.0 - corner.y);
    gl_Position = vec4(mix(shown.xy, shown.zw, corner), 0.0, 1.0);
}`;

const smallerFragmentShader = `#version 300 es
precision mediump float;
uniform sampler2D pixels;
in highp vec2 at;
out vec4 result;
void main() { result = vec4(texture(pixels, at).rgb, 1.0); }`;

// Shows a frame at any size. A larger frame is drawn from its shapes. A smaller one is the mean of its pixels, so that
// no line or letter disappears.
class ZoomingScreen extends Screen {
    show(frame, view) {
        if (view.scale >= 1) return this.draw(frame, view);
        const gl = this.gl;
        this.makeTarget(frame);
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.target.buffer);
        this.draw(frame, {width: frame.width, height: frame.height});
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.bindTexture(gl.TEXTURE_2D, this.target.texture);
        gl.generateMipmap(gl.TEXTURE_2D);
        gl.useProgram(this.smaller);
        gl.disable(gl.SCISSOR_TEST);
        gl.disable(gl.BLEND);
        const {width, height} = this.canvas;
        gl.viewport(0, 0, width, height);
        const background = frame.backgrounds[this.theme];
        gl.clearColor(background[0] / 255, background[1] / 255, background[2] / 255, 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
        const right = view.left + frame.width * view.scale, bottom = view.top + frame.height * view.scale;
        gl.uniform4f(this.shown, view.left / width * 2 - 1, 1 - view.top / height * 2, right / width * 2 - 1, 1 - bottom / height * 2);
        gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
        gl.enable(gl.BLEND);
        gl.useProgram(this.program);
    }

    makeTarget(frame) {
        if (this.target) return;
        const gl = this.gl;
        this.target = {texture: gl.createTexture(), buffer: gl.createFramebuffer()};
        gl.bindTexture(gl.TEXTURE_2D, this.target.texture);
        gl.texStorage2D(gl.TEXTURE_2D, Math.floor(Math.log2(Math.max(frame.width, frame.height))) + 1, gl.RGBA8, frame.width, frame.height);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.target.buffer);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.target.texture, 0);
        this.smaller = this.makeProgramOf(smallerVertexShader, smallerFragmentShader);
        this.shown = gl.getUniformLocation(this.smaller, 'shown');
    }
}

const seconds = milliseconds => (milliseconds / 1000).toFixed(1);

class Player {
    constructor(figure, recording, screen) {
        Object.assign(this, {figure, recording, screen});
        this.stage = figure.querySelector('.stage');
        this.canvas = figure.querySelector('.picture');
        this.tip = figure.querySelector('.tip');
        this.slider = figure.querySelector('.at');
        this.where = figure.querySelector('.where');
        this.time = 0; // ms
        this.speed = 1;
        this.zoom = {factor: 1, x: 0.5, y: 0.5}; // x, y: position in the frame, from 0 to 1, that is in the middle
        this.texturesOf = -1; // the last frame whose textures were given to the screen
        this.pointer = null; // in pixels of the page, relative to the stage's corner
        this.slider.max = recording.milliseconds.length - 1;
        this.useTheme(this.preferredTheme());
        this.watchSize();
        this.listenToControls();
        this.listenToKeys();
        this.listenToPointer();
        this.decodeOn();
        if (recording.milliseconds.length < 2) this.figure.querySelector('[data-do=play]').disabled = true;
        else if (!matchMedia('(prefers-reduced-motion: reduce)').matches) this.play(true);
    }

    // Decodes for a short time and then again later, so that decoded frames are shown and the page responds.
    decodeOn() {
        const end = performance.now() + timeSlice;
        while (this.recording.decode())
            if (performance.now() > end) {
                setTimeout(() => this.decodeOn());
                break;
            }
        this.drawSoon();
    }

    get moment() {
        return this.recording.momentAt(this.time);
    }

    preferredTheme() {
        const chosen = document.documentElement.dataset.theme;
        return chosen ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    }

    useTheme(name) {
        this.screen.useTheme(themes.indexOf(name));
        this.drawSoon();
    }

    play(on) {
        if (this.plays === on) return;
        this.plays = on;
        this.figure.classList.toggle('plays', on);
        this.figure.querySelector('[data-do=play]').setAttribute('aria-label', on ? 'Pause' : 'Play');
        this.last = performance.now();
        if (on) requestAnimationFrame(() => this.playOn());
    }

    playOn() {
        if (!this.plays) return;
        const now = performance.now();
        // The time does not advance while the frame is not decoded.
        const reached = this.isDecoded(this.moment);
        if (reached) this.time = (this.time + Math.min(now - this.last, 250) * this.speed) % this.recording.duration;
        this.last = now;
        this.drawSoon();
        requestAnimationFrame(() => this.playOn());
    }

    isDecoded(moment) {
        return this.recording.shown[this.screen.theme][moment] < this.recording.frames.length;
    }

    goTo(moment) {
        this.play(false);
        this.time = this.recording.starts[Math.max(0, Math.min(this.recording.starts.length - 1, moment))];
        this.drawSoon();
    }

    // Goes to the beginning of the next step, or backwards to that of the current or the previous step.
    goByStep(forward) {
        const {steps} = this.recording;
        const begins = moment => moment === 0 || steps[moment] !== steps[moment - 1];
        let moment = this.moment + (forward ? 1 : -1);
        while (moment > 0 && moment < steps.length - 1 && !begins(moment)) moment += forward ? 1 : -1;
        this.goTo(moment);
    }

    zoomBy(factor, at = null) {
        const {zoom} = this;
        const before = zoom.factor;
        this.covers = false;
        zoom.factor = Math.max(1, Math.min(mostZoom, before * factor));
        if (at) { // the point of the frame there does not move
            const box = this.canvas.getBoundingClientRect(), seen = this.seen(before), sees = this.seen(zoom.factor);
            zoom.x += (at.x / box.width - 0.5) * (seen.x - sees.x);
            zoom.y += (at.y / box.height - 0.5) * (seen.y - sees.y);
        }
        this.moveBy(0, 0);
    }

    // Moves the picture by pixels of the page. If the picture is large enough, it always covers the stage.
    moveBy(x, y) {
        const {zoom} = this;
        const box = this.canvas.getBoundingClientRect(), sees = this.seen(zoom.factor);
        const within = (value, part) => Math.max(Math.min(part, 1) / 2, Math.min(1 - Math.min(part, 1) / 2, value));
        zoom.x = within(zoom.x - x / box.width * sees.x, sees.x);
        zoom.y = within(zoom.y - y / box.height * sees.y, sees.y);
        this.canvas.classList.toggle('zoomed', zoom.factor > 1);
        this.drawSoon();
    }

    // Returns the number of canvas pixels per pixel of the frame if the whole frame is visible.
    fit() {
        const {recording, canvas} = this;
        return Math.min(canvas.width / recording.width, canvas.height / recording.height);
    }

    // Returns which parts of the frame's width and height the canvas shows at this zoom. Above 1 there is empty space
    // beside it.
    seen(factor) {
        const {recording, canvas} = this, scale = this.fit() * factor;
        return {x: canvas.width / (recording.width * scale), y: canvas.height / (recording.height * scale)};
    }

    // Fills the screen, or the page (or its iframe) if the browser does not permit that. A phone turns to the picture's
    // orientation if the browser can lock it. Otherwise the picture is as high as the screen, begins at its left edge
    // and is moved by a finger.
    fill(on) {
        if (Boolean(this.fills) === on) return;
        this.fills = on;
        this.figure.classList.toggle('fills', on);
        document.documentElement.classList.toggle('filled', on);
        const button = this.figure.querySelector('[data-do=fill]');
        button.setAttribute('aria-pressed', String(on));
        button.setAttribute('aria-label', on ? 'Leave the full screen' : 'Fill the screen');
        this.zoomBy(0);
        this.covers = on; // takes effect when the canvas has its new size
        if (on) this.askForScreen().catch(() => {});
        else if (document.fullscreenElement === this.figure) document.exitFullscreen();
    }

    async askForScreen() {
        await this.figure.requestFullscreen?.();
        if (!this.fills && document.fullscreenElement === this.figure) return document.exitFullscreen(); // left before the screen was given
        const {width, height} = this.recording;
        if (matchMedia('(pointer: coarse)').matches) await screen.orientation?.lock?.(width > height ? 'landscape' : 'portrait');
    }

    // If much of the stage would be empty, zooms until the picture covers it.
    cover() {
        const {x, y} = this.seen(1), empty = Math.max(x, y);
        Object.assign(this.zoom, empty > mostEmpty ? {factor: empty, x: 0, y: 0} : {factor: 1, x: 0.5, y: 0.5});
        this.moveBy(0, 0);
    }

    // Returns the position of the frame for Screen.draw.
    view() {
        const {recording, canvas, zoom} = this;
        const scale = this.fit() * zoom.factor;
        return {scale, left: canvas.width / 2 - zoom.x * recording.width * scale, top: canvas.height / 2 - zoom.y * recording.height * scale};
    }

    do(what) {
        const actions = {
            play: () => this.play(!this.plays),
            back: () => this.goByStep(false),
            forward: () => this.goByStep(true),
            previous: () => this.goTo(this.moment - 1),
            next: () => this.goTo(this.moment + 1),
            begin: () => this.goTo(0),
            end: () => this.goTo(Infinity),
            larger: () => this.zoomBy(1.5),
            smaller: () => this.zoomBy(1 / 1.5),
            all: () => this.zoomBy(0),
            fill: () => this.fill(!this.fills),
            leave: () => this.fill(false),
            theme: () => {
                const other = this.preferredTheme() === 'dark' ? 'light' : 'dark';
                document.documentElement.dataset.theme = other;
                for (const player of players) player.useTheme(other);
            },
        };
        actions[what]?.();
    }

    listenToControls() {
        for (const button of this.figure.querySelectorAll('button')) button.addEventListener('click', () => this.do(button.dataset.do));
        this.slider.addEventListener('input', () => this.goTo(Number(this.slider.value)));
        this.figure.querySelector('.speed').addEventListener('change', event => (this.speed = Number(event.target.value)));
        document.addEventListener('fullscreenchange', () => document.fullscreenElement ?? this.fill(false)); // Esc or a gesture
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.useTheme(this.preferredTheme()));
    }

    // If the player is alone on its page, keys work everywhere. Otherwise they work while the figure has the focus.
    listenToKeys() {
        const keys = {' ': 'play', ArrowLeft: 'back', ArrowRight: 'forward', ',': 'previous', '.': 'next', Home: 'begin', End: 'end',
                      '+': 'larger', '=': 'larger', '-': 'smaller', 0: 'all', f: 'fill', Escape: 'leave'};
        const alone = document.body.classList.contains('alone');
        (alone ? document : this.figure).addEventListener('keydown', event => {
            const own = event.target.closest?.('input, select, summary, a') || (event.key === ' ' && event.target.closest?.('button'));
            if (own || event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
            event.preventDefault();
            this.do(keys[event.key]);
        });
    }

    placeOf(event) {
        const box = this.canvas.getBoundingClientRect();
        return {x: event.clientX - box.left, y: event.clientY - box.top};
    }

    // The mouse shows tips and, if the picture is zoomed, drags it. A finger taps and drags, two fingers zoom. The
    // wheel zooms with Ctrl and otherwise scrolls the page.
    listenToPointer() {
        const {canvas} = this;
        const down = new Map();
        canvas.addEventListener('pointerdown', event => {
            canvas.setPointerCapture(event.pointerId);
            down.set(event.pointerId, event);
            if (event.pointerType === 'touch') this.point(this.placeOf(event));
        });
        canvas.addEventListener('pointermove', event => {
            const before = down.get(event.pointerId);
            if (before) down.set(event.pointerId, event);
            if (before && down.size === 2) this.pinch(before, event, [...down.values()].find(one => one.pointerId !== event.pointerId));
            else if (before && this.zoom.factor > 1) this.drag(event.clientX - before.clientX, event.clientY - before.clientY);
            this.point(event.pointerType === 'touch' && before ? null : this.placeOf(event));
        });
        for (const kind of ['pointerup', 'pointercancel']) canvas.addEventListener(kind, event => down.delete(event.pointerId));
        canvas.addEventListener('pointerleave', event => {
            if (event.pointerType !== 'touch') this.point(null);
        });
        canvas.addEventListener('dblclick', event => (this.zoom.factor > 1 ? this.zoomBy(0) : this.zoomBy(3, this.placeOf(event))));
        canvas.addEventListener('wheel', event => {
            if (!event.ctrlKey && !event.metaKey) return;
            event.preventDefault();
            this.zoomBy(Math.exp(-event.deltaY * (event.deltaMode === 0 ? 0.003 : 0.1)), this.placeOf(event));
        }, {passive: false});
    }

    drag(x, y) {
        this.covers = false; // the user has chosen the position
        this.moveBy(x, y);
    }

    pinch(before, event, other) {
        const apart = touch => Math.hypot(touch.clientX - other.clientX, touch.clientY - other.clientY);
        const middle = {clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2};
        this.moveBy((event.clientX - before.clientX) / 2, (event.clientY - before.clientY) / 2);
        this.zoomBy(apart(event) / Math.max(1, apart(before)), this.placeOf(middle));
    }

    point(place) {
        this.pointer = place;
        this.showTip();
    }

    showTip() {
        const {tip, pointer, canvas} = this;
        const view = this.view(), box = canvas.getBoundingClientRect();
        const at = (along, size, pixels, begin) => (along * pixels / size - begin) / view.scale;
        const words = pointer === null ? ''
            : this.recording.tipAt(this.moment, at(pointer.x, box.width, canvas.width, view.left), at(pointer.y, box.height, canvas.height, view.top));
        tip.hidden = words === '';
        if (tip.hidden) return;
        tip.textContent = words;
        const beside = (place, size, room) => Math.max(0, place + 14 + size <= room ? place + 14 : Math.min(place - 14 - size, room - size));
        tip.style.left = '0'; // so that its width does not depend on its previous position
        tip.style.left = beside(pointer.x, tip.offsetWidth, box.width) + 'px';
        tip.style.top = beside(pointer.y, tip.offsetHeight, box.height) + 'px';
    }

    // Gives the canvas as many pixels as it has on the screen.
    watchSize() {
        const observer = new ResizeObserver(([entry]) => {
            const box = entry.devicePixelContentBoxSize?.[0];
            const pixels = (exact, units) => {
                const rounded = Math.round(units * devicePixelRatio);
                return Math.max(1, Math.min(8192, Math.abs(exact - rounded) <= 2 ? exact : rounded));
            };
            this.canvas.width = pixels(box?.inlineSize, entry.contentRect.width);
            this.canvas.height = pixels(box?.blockSize, entry.contentRect.height);
            if (this.covers) this.cover();
            else this.moveBy(0, 0);
            this.draw();
        });
        try {
            observer.observe(this.canvas, {box: 'device-pixel-content-box'});
        } catch {
            observer.observe(this.canvas); // Safari
        }
    }

    drawSoon() {
        if (this.scheduled) return;
        this.scheduled = true;
        requestAnimationFrame(() => {
            this.scheduled = false;
            this.draw();
        });
    }

    draw() {
        const {recording, screen} = this;
        const moment = this.moment, number = recording.shown[screen.theme][moment];
        this.slider.value = moment;
        const words = `step ${recording.steps[moment]}, ${seconds(this.time)}/${seconds(recording.duration)} s`;
        this.where.textContent = words;
        this.slider.setAttribute('aria-valuetext', words);
        if (number >= recording.frames.length) return; // it will be drawn once it is decoded
        this.takeTextures(number);
        screen.show(recording.frames[number], this.view());
        this.drawn = moment;
        this.showTip();
    }

    // Each frame changes textures of the previous one. After a step back, the changes are repeated from the first
    // frame.
    takeTextures(number) {
        if (number < this.texturesOf) this.texturesOf = -1;
        while (this.texturesOf < number) this.screen.takeTextures(this.recording.frames[++this.texturesOf]);
    }
}

const players = [];
for (const figure of document.querySelectorAll('.player')) {
    const trouble = figure.querySelector('.trouble');
    const screen = ZoomingScreen.of(figure.querySelector('.picture'), themes.length);
    if (!screen) {
        trouble.textContent = 'This browser has no WebGL 2, by which the picture is drawn.';
        continue;
    }
    unpacked(figure.querySelector('.frames').textContent.trim()).then(bytes => {
        players.push(new Player(figure, new Recording(bytes), screen));
        trouble.hidden = true;
    }).catch(error => (trouble.textContent = 'The picture cannot be shown: ' + error.message));
}
window.players = players;
