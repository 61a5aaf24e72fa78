// Sends the user's input by mouse, touch, keys and clipboard to the server as messages (app/serve/protocol.h).

const modifiersOf = event => ({
    // The Command key of a Mac counts as Control. AltGr types characters, so it is not a modifier.
    control: (event.ctrlKey || event.metaKey) && !event.getModifierState('AltGraph'),
    shift: event.shiftKey,
    alt: event.altKey && !event.getModifierState('AltGraph'),
});

const buttons = {0: 0, 1: 2, 2: 1}; // from the page's order left, middle, right to ImGui's left, right, middle
const pixelsOfLine = 100; // one notch of a wheel, in most browsers
const ownOfBrowser = new Set(['F5', 'F11', 'F12']);

export class Input {
    // `send` is called with an object, `upload` with a file.
    constructor(canvas, field, send, upload) {
        Object.assign(this, {canvas, field, send, upload});
        this.down = new Set();
        this.touches = new Map();
        this.move = null;
        this.listenToPointer();
        this.listenToKeys();
        this.listenToFiles();
    }

    place(event) {
        const box = this.canvas.getBoundingClientRect();
        return {
            x: (event.clientX - box.left) * this.canvas.width / box.width,
            y: (event.clientY - box.top) * this.canvas.height / box.height,
        };
    }

    // Sends at most one movement per frame of the page: the last one.
    sendMove(message) {
        if (this.move === null) requestAnimationFrame(() => this.flushMove());
        this.move = message;
    }

    flushMove() {
        if (this.move !== null) this.send(this.move);
        this.move = null;
    }

    sendButton(event, button, down) {
        this.flushMove();
        this.send({kind: 'button', ...this.place(event), button, down, ...modifiersOf(event)});
    }

    listenToPointer() {
        const canvas = this.canvas;
        canvas.addEventListener('pointerdown', event => {
            event.preventDefault();
            canvas.setPointerCapture(event.pointerId);
            if (event.pointerType === 'touch') return this.touchBegins(event);
            this.field.focus({preventScroll: true});
            if (event.button in buttons) this.sendButton(event, buttons[event.button], true);
        });
        canvas.addEventListener('pointerup', event => {
            if (event.pointerType === 'touch') this.touchEnds(event);
            else if (event.button in buttons) this.sendButton(event, buttons[event.button], false);
        });
        canvas.addEventListener('pointercancel', event => this.touchEnds(event));
        canvas.addEventListener('pointermove', event => {
            if (event.pointerType === 'touch') this.touchMoves(event);
            else this.sendMove({kind: 'move', ...this.place(event)});
        });
        canvas.addEventListener('pointerleave', event => {
            if (event.pointerType !== 'touch') this.sendMove({kind: 'move', x: 0, y: 0, outside: true});
        });
        canvas.addEventListener('contextmenu', event => event.preventDefault());
        canvas.addEventListener('wheel', event => {
            event.preventDefault();
            const unit = event.deltaMode === 0 ? pixelsOfLine : event.deltaMode === 1 ? 3 : 1;
            this.flushMove();
            this.sendWheel(event, -event.deltaX / unit, -event.deltaY / unit);
        }, {passive: false});
    }

    sendWheel(event, x, y) {
        const within = value => Math.max(-50, Math.min(50, value));
        this.send({kind: 'wheel', x: within(x), y: within(y), ...modifiersOf(event)});
    }

    // One finger acts as the mouse with its button pressed. Two fingers act as the wheel: moving both scrolls, pinching
    // zooms.
    touchBegins(event) {
        this.touches.set(event.pointerId, event);
        if (this.touches.size === 1) {
            this.send({kind: 'move', ...this.place(event)});
            this.sendButton(event, 0, true);
        } else if (this.touches.size === 2) {
            this.sendButton(event, 0, false);
        }
    }

    touchMoves(event) {
        const before = this.touches.get(event.pointerId);
        if (!before) return;
        if (this.touches.size === 1) {
            this.sendMove({kind: 'move', ...this.place(event)});
        } else if (this.touches.size === 2) {
            const other = [...this.touches.values()].find(touch => touch.pointerId !== event.pointerId);
            const apart = touch => Math.hypot(touch.clientX - other.clientX, touch.clientY - other.clientY);
            const pinched = apart(event) - apart(before);
            const moved = {x: event.clientX - before.clientX, y: event.clientY - before.clientY};
            const pinches = Math.abs(pinched) > 0.7 * Math.hypot(moved.x, moved.y);
            if (pinches) this.sendWheel(event, 0, pinched / 30);
            else this.sendWheel(event, moved.x / 40, moved.y / 40);
        }
        this.touches.set(event.pointerId, event);
    }

    touchEnds(event) {
        if (!this.touches.delete(event.pointerId) || this.touches.size > 0) return;
        this.sendButton(event, 0, false);
        this.sendMove({kind: 'move', x: 0, y: 0, outside: true});
    }

    sendKey(event, down) {
        this.flushMove();
        this.send({kind: 'key', key: event.key, down, repeated: event.repeat ?? false, ...modifiersOf(event)});
    }

    listenToKeys() {
        addEventListener('keydown', event => {
            if (ownOfBrowser.has(event.key) || event.isComposing || event.key === 'Unidentified' || event.key === 'Dead') return;
            const {control} = modifiersOf(event);
            if (control && event.key.toLowerCase() === 'v') return; // a 'paste' event follows
            event.preventDefault();
            this.down.add(event.key);
            this.sendKey(event, true);
        });
        addEventListener('keyup', event => {
            if (!this.down.delete(event.key)) return;
            this.sendKey(event, false);
        });
        addEventListener('blur', () => this.releaseKeys());
        addEventListener('paste', event => {
            event.preventDefault();
            this.send({kind: 'paste', text: (event.clipboardData?.getData('text') ?? '').slice(0, 10000)});
            for (const down of [true, false]) this.send({kind: 'key', key: 'v', down, control: true});
        });
        // Text from a phone's keyboard or an input method arrives as 'input' events.
        this.field.addEventListener('input', event => {
            if (event.isComposing) return;
            const erases = event.inputType === 'deleteContentBackward';
            for (const key of erases ? ['Backspace'] : [...this.field.value])
                for (const down of [true, false]) this.send({kind: 'key', key: key === '\n' ? 'Enter' : key, down});
            this.field.value = '';
        });
    }

    releaseKeys() {
        for (const key of this.down) this.send({kind: 'key', key, down: false});
        this.down.clear();
    }

    listenToFiles() {
        addEventListener('dragover', event => event.preventDefault());
        addEventListener('drop', event => {
            event.preventDefault();
            for (const file of event.dataTransfer?.files ?? []) this.upload(file);
        });
    }
}
