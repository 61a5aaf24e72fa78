// The page of 'gemmscope serve': a canvas that shows the server's frames and sends the user's input to the server.

import {Frames, Reader, readColumns} from './frames.js';
import {Input} from './input.js';
import {Screen} from './screen.js';

const largestUpload = 32 << 20;
const canvas = document.getElementById('picture');
const field = document.getElementById('typed');
const notice = document.getElementById('notice');

const say = words => {
    notice.textContent = words;
    notice.hidden = words === '';
};

// Returns the place from the page's address: words and quotation marks as for --show, with + instead of a blank.
const placeInAddress = () => {
    try {
        return decodeURIComponent(location.hash.slice(1).replace(/\+/g, ' '));
    } catch {
        return ''; // the link is incomplete
    }
};
const addressOf = place => '#' + encodeURIComponent(place).replace(/%20/g, '+').replace(/%3D/g, '=').replace(/%2C/g, ',');

class Page {
    constructor(screen) {
        this.screen = screen;
        this.socket = null;
        this.patience = 500; // ms until the next attempt to connect
        this.waiting = null; // the frame that is drawn next
        new Input(canvas, field, message => this.send(message), file => this.upload(file));
        this.watchSize();
        addEventListener('hashchange', () => this.send({kind: 'go', place: placeInAddress()}));
        canvas.addEventListener('webglcontextlost', () => location.reload());
        this.connect();
    }

    send(message) {
        if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    }

    // Gives the canvas as many pixels as it has on the screen, at every zoom factor of the page.
    watchSize() {
        const observer = new ResizeObserver(([entry]) => {
            const box = entry.devicePixelContentBoxSize?.[0];
            const density = devicePixelRatio;
            // Uses the browser's exact number of pixels. On emulated screens that number is wrong, and far from the
            // rounded one.
            const pixels = (exact, units) => {
                const rounded = Math.round(units * density);
                return Math.max(160, Math.min(8192, Math.abs(exact - rounded) <= 2 ? exact : rounded));
            };
            canvas.width = pixels(box?.inlineSize, entry.contentRect.width);
            canvas.height = pixels(box?.blockSize, entry.contentRect.height);
            this.drawSoon();
            this.send({kind: 'size', ...this.size()});
        });
        try {
            observer.observe(canvas, {box: 'device-pixel-content-box'});
        } catch {
            observer.observe(canvas); // Safari
        }
    }

    size() {
        return {width: canvas.width, height: canvas.height, density: Math.max(0.25, Math.min(8, devicePixelRatio))};
    }

    connect() {
        const address = new URL('socket' + location.search, location.href);
        address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
        address.hash = '';
        this.frames = new Frames();
        this.waiting = null; // the frames of a new visit are numbered from the beginning
        this.shown = 0;
        this.socket = new WebSocket(address);
        this.socket.binaryType = 'arraybuffer';
        this.socket.onopen = () => {
            this.patience = 500;
            const light = matchMedia('(prefers-color-scheme: light)').matches;
            this.send({kind: 'hello', ...this.size(), light, place: placeInAddress()});
        };
        const stream = new DecompressionStream('deflate-raw');
        const writer = stream.writable.getWriter();
        this.readMessages(stream.readable.getReader());
        this.socket.onmessage = ({data}) => {
            if (typeof data === 'string') this.told(JSON.parse(data));
            else writer.write(new Uint8Array(data)).catch(() => this.socket.close());
        };
        this.socket.onclose = () => {
            if (!this.ended) say('The connection is lost. Looking for the server …');
            setTimeout(() => this.connect(), this.ended ? 5000 : this.patience); // longer after its end, whose reason is shown
            this.patience = Math.min(5000, this.patience * 1.5);
        };
    }

    // Reads messages from the decompressed stream: each follows its length of four bytes. Returns at the end of the
    // stream.
    async readMessages(reader) {
        let bytes = new Uint8Array(0);
        for (;;) {
            const {value, done} = await reader.read().catch(() => ({done: true}));
            if (done) return;
            const longer = new Uint8Array(bytes.length + value.length);
            longer.set(bytes);
            longer.set(value, bytes.length);
            bytes = longer;
            while (bytes.length >= 4) {
                const end = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
                if (bytes.length < end) break;
                try {
                    this.got(bytes.subarray(4, end));
                } catch {
                    return this.socket.close(); // the page then connects again
                }
                bytes = bytes.subarray(end);
            }
        }
    }

    told(message) {
        if (message.kind === 'place') this.showPlace(message);
        if (message.kind === 'cursor') canvas.style.cursor = message.name;
        if (message.kind === 'copied') navigator.clipboard?.writeText(message.text).catch(() => {});
        if (message.kind === 'typing' && message.on) field.focus({preventScroll: true});
        if (message.kind === 'end') {
            this.ended = true;
            say(message.why);
        }
    }

    showPlace({place, pushes}) {
        const address = addressOf(place);
        const first = !this.placed; // the first place is that of the link, or the initial one
        this.placed = true;
        if (address === location.hash) return;
        if (pushes && !first) history.pushState(null, '', address);
        else history.replaceState(null, '', address);
    }

    got(bytes) {
        if (bytes[0] === 2) return this.download(bytes);
        const frame = this.frames.read(readColumns(new Reader(bytes.subarray(1))));
        if (frame.number === 1) { // the first frame of a new visit
            this.ended = false;
            say('');
        }
        this.screen.takeTextures(frame);
        this.waiting = frame;
        this.drawSoon();
    }

    drawSoon() {
        if (this.scheduled) return;
        this.scheduled = true;
        requestAnimationFrame(() => {
            this.scheduled = false;
            if (this.waiting) this.screen.draw(this.waiting);
            if (this.waiting && this.waiting.number !== this.shown) {
                this.shown = this.waiting.number;
                this.send({kind: 'shown', number: this.shown});
            }
        });
    }

    download(bytes) {
        const length = bytes[1];
        const name = new TextDecoder().decode(bytes.subarray(2, 2 + length));
        const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob([bytes.subarray(2 + length)]));
        link.download = name;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    }

    async upload(file) {
        if (file.size > largestUpload) return say('The file is larger than 32 MB.');
        const name = new TextEncoder().encode(file.name.slice(-60));
        const bytes = new Uint8Array(await file.arrayBuffer());
        const message = new Uint8Array(1 + name.length + bytes.length);
        message[0] = name.length;
        message.set(name, 1);
        message.set(bytes, 1 + name.length);
        this.socket.send(message);
    }
}

const screen = Screen.of(canvas);
if (screen) window.page = new Page(screen);
else say('This browser has no WebGL 2, by which the picture is drawn. Another browser, or another setting of it, has.');
