import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createAsker } from "../agents/asker.mjs";
import { findFreePort, startSkein } from "../server-process.mjs";
import { readCpuMs } from "./cpu-time.mjs";
import { createLargeHome } from "./large-homes.mjs";

const agent = fileURLToPath(new URL("../agents/replayed-agent.mjs", import.meta.url));

/** A data dir with that many messages, and a server on it that can be stopped and started again. */
export async function createSizedServer(messages, form) {
  const { home, content, close } = await createLargeHome(messages, form);
  writeFileSync(path.join(home, "config.json"), JSON.stringify({ agents: { "claude-code": { command: [process.execPath, agent] } } }));
  let server;
  let url;
  const authorize = () => ({ authorization: `Bearer ${readFileSync(path.join(home, "token"), "utf8").trim()}` });
  const openEvents = (signal) => fetch(new URL("/api/events?after=0&repeats=short", url), { headers: authorize(), signal });
  const request = async (method, route, body) => {
    const headers = { ...authorize(), "content-type": "application/json" };
    const response = await fetch(new URL(route, url), { method, headers, body: body && JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const sized = {
    messages,
    content,
    request,
    get pid() {
      return server.pid;
    },
    /** Resolves with what the start cost until the first answer, in milliseconds. */
    async start() {
      const port = await findFreePort();
      server = await startSkein({ home, port });
      url = `http://127.0.0.1:${port}`;
      return readCpuMs(server.pid) ?? server.readyMs;
    },
    stop: () => server?.stop(),
    /** Resolves with the first event of a client that has seen nothing. */
    async catchUp() {
      const leaving = new AbortController();
      for await (const chunk of (await openEvents(leaving.signal)).body) if (Buffer.from(chunk).includes("\ndata:")) break;
      leaving.abort();
    },
    /** Reads all that a client which has seen nothing is sent, for that long. Resolves with the number of bytes. */
    async readEvents(ms) {
      const signal = AbortSignal.timeout(ms);
      let bytes = 0;
      try {
        for await (const chunk of (await openEvents(signal)).body) bytes += chunk.length;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      return bytes;
    },
    /** How long small requests wait while `work` runs: see `createAsker`. */
    async listWaits(work) {
      const asker = createAsker({ url, headers: authorize(), pid: server.pid }, "/api/projects", { pauseMs: 5 });
      try {
        await asker.until(delay(50)); // the thread has started
        return await asker.until(work());
      } finally {
        await asker.close();
      }
    },
    async close() {
      await server?.stop();
      close();
    },
  };
  return sized;
}
