// WebSockets to the console's port through npm's `ws`, the client of most programs in JavaScript. Arguments: the
// port, and that of another game of the same user. Prints a line for each scenario, and exits with 1 when one
// failed.
"use strict";

const assert = require("assert");
const WebSocket = require("ws");

const [, , port, otherPort] = process.argv;
const address = `ws://127.0.0.1:${port}/console`;

// A WebSocket with its messages in the order in which they came.
function connect(options) {
    const socket = new WebSocket(address, options);
    const waiting = [], messages = [];
    socket.on("message", (data, isBinary) => {
        const size = isBinary ? data.readUInt32BE(0) : 0;
        const message = JSON.parse(isBinary ? data.subarray(4, 4 + size) : data);
        if (isBinary)
            message.binary = data.subarray(4 + size);
        messages.push(message);
        for (const check of [...waiting])
            check();
    });
    const answer = (id) => new Promise((resolve) => {
        const check = () => {
            const found = messages.find((message) => message.id === id);
            if (!found)
                return;
            waiting.splice(waiting.indexOf(check), 1);
            messages.splice(messages.indexOf(found), 1);
            resolve(found);
        };
        waiting.push(check);
        check();
    });
    const opened = new Promise((resolve, reject) => {
        socket.on("open", resolve);
        socket.on("error", reject);
    });
    const closed = new Promise((resolve) => socket.on("close", (code, reason) => resolve([code, `${reason}`])));
    const send = (message) => socket.send(JSON.stringify(message));
    const binary = (message, data) => {
        const text = Buffer.from(JSON.stringify({ ...message, binary_size: data.length }));
        const length = Buffer.alloc(4);
        length.writeUInt32BE(text.length);
        socket.send(Buffer.concat([length, text, data]));
    };
    return { socket, opened, closed, send, binary, answer };
}

async function open(options) {
    const page = connect(options);
    await page.opened;
    return page;
}

const scenarios = {
    async "text of all sizes"() {
        const page = await open();
        for (const size of [0, 1, 100, 125, 126, 127, 128, 65535, 65536, 65537, 1 << 20, 8 << 20]) {
            page.send({ type: "ping", id: size, text: "ä".repeat(size / 2) });
            assert.strictEqual((await page.answer(size)).type, "pong");
        }
        page.socket.close();
    },
    async "binary of all sizes"() {
        const page = await open();
        for (const size of [1, 125, 126, 65535, 65536, 1 << 20, 8 << 20]) {
            page.binary({ type: "ping", id: size }, Buffer.alloc(size, 0xff));
            assert.strictEqual((await page.answer(size)).type, "pong");
        }
        page.send({ type: "command", command: "screenshot", id: "shot" });
        const shot = await page.answer("shot");
        assert.strictEqual(shot.binary.subarray(1, 4).toString(), "PNG");
        page.socket.close();
    },
    async "fragments with pings between them"() {
        const page = await open();
        const text = JSON.stringify({ type: "ping", id: "€ in parts", text: "κόσμε".repeat(1000) });
        const bytes = Buffer.from(text);
        let pongs = 0;
        page.socket.on("pong", () => ++pongs);
        for (let at = 0; at < bytes.length; at += 101) {
            page.socket.send(bytes.subarray(at, at + 101), { binary: false, fin: at + 101 >= bytes.length });
            page.socket.ping(Buffer.from("now"));
        }
        assert.strictEqual((await page.answer("€ in parts")).type, "pong");
        assert.ok(pongs > 0);
        page.socket.close();
    },
    async "a thousand messages in order"() {
        const page = await open();
        page.send({ type: "script", script: "order = {}" });
        for (let i = 0; i < 1000; ++i)
            page.send({ type: "script", id: i, script: `order[#order + 1] = ${i} return #order` });
        for (let i = 0; i < 1000; ++i)
            assert.strictEqual((await page.answer(i)).result, `${i + 1}`);
        page.socket.close();
    },
    async "closes with a code and a reason"() {
        for (const [code, reason] of [[1000, ""], [1000, "bye"], [3000, "mine"], [4999, "x".repeat(123)]]) {
            const page = await open();
            page.socket.close(code, reason);
            assert.strictEqual((await page.closed)[0], code);
        }
        const page = await open();
        page.socket.send("[1, 2");
        const [code, reason] = await page.closed;
        assert.strictEqual(code, 1008);
        assert.match(reason, /expected an object/);
    },
    async "origins"() {
        for (const origin of [`http://127.0.0.1:${port}`, `http://127.0.0.1:${otherPort}`])
            (await open({ origin })).socket.close();
        for (const origin of ["http://evil.example", "null"])
            await assert.rejects(open({ origin }), /403/);
    },
    async "compression is not taken"() {
        const page = await open({ perMessageDeflate: true });
        assert.strictEqual(page.socket.extensions, "");
        page.send({ type: "ping", id: 1 });
        await page.answer(1);
        page.socket.terminate();
    },
};

(async () => {
    let failed = 0;
    for (const [name, run] of Object.entries(scenarios)) {
        try {
            await run();
            console.log(`passed: ${name}`);
        } catch (error) {
            console.log(`failed: ${name}\n${error.stack}`);
            ++failed;
        }
    }
    process.exit(failed ? 1 : 0);
})();
