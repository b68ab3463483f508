import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConversationMessage, StoredMessage } from "@skein/contracts";
import { beforeAll, expect, test, vi } from "vitest";
import { observeServer } from "./support/observe-server.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { storeManyMessages } from "./support/store-messages.ts";

const messages = 15_000;
const textLength = 3000;

let server: RealServer;
let attempt: { taskId: string; attemptId: string };
beforeAll(async () => {
  // as `npm start` does
  server = await startRealServer({ keep: true, environment: { NODE_OPTIONS: "--max-semi-space-size=4" } });
  attempt = await storeManyMessages(server, { messages, textLength });
  // warm-up: initial compilation and caching are not measured
  await download("messages");
  return () => server.stop();
});

/** The response, and when its first byte arrived. Joined only at the end: this process also measures. */
async function download(path: string): Promise<{ chunks: Uint8Array[]; firstByteMs: number }> {
  const { url, headers } = server.api;
  const startedAt = performance.now();
  const response = await fetch(`${url}/api/attempts/${attempt.attemptId}/${path}`, { headers });
  expect(response.status).toBe(200);
  const chunks: Uint8Array[] = [];
  let firstByteMs = 0;
  for await (const chunk of response.body ?? []) {
    if (chunks.length === 0) firstByteMs = performance.now() - startedAt;
    chunks.push(chunk);
  }
  return { chunks, firstByteMs };
}

test.each(["messages", "export?format=json", "export?format=markdown", "export?format=html"])(
  "[Q14, Q15] %s of a long attempt is complete, takes little memory and does not block other requests",
  async (path) => {
    const { result, durationMs, longestWaitMs, memoryGrowth } = await observeServer(server, () => download(path));
    const text = Buffer.concat(result.chunks).toString();
    if (path === "export?format=markdown") {
      expect(text.match(/^Message \d+ /gm)).toHaveLength(messages);
    } else if (path === "export?format=html") {
      expect(text.match(/"content":"Message \d+ /g)).toHaveLength(2 * messages);
    } else {
      expect(JSON.stringify(JSON.parse(text), null, path === "messages" ? 0 : 2) === text).toBe(true);
      const parsed = JSON.parse(text) as StoredMessage[] | { messages: StoredMessage[]; conversation: ConversationMessage[] };
      const lists: { id: string }[][] = "messages" in parsed ? [parsed.messages, parsed.conversation] : [parsed];
      for (const list of lists)
        expect(list.map(({ id }) => Number(id.slice(4)))).toEqual(Array.from({ length: messages }, (_, i) => i + 1));
    }
    // built in one piece, the response would begin only near its end, and everyone else would wait until then
    expect(result.firstByteMs).toBeLessThan(durationMs / 2);
    expect(longestWaitMs).toBeLessThan(durationMs / 2);
    // built in one piece, it takes five times its size; garbage that is not collected yet counts, too
    expect(memoryGrowth).toBeLessThan(3 * text.length);
  },
);

test("messages are paged from the last one that a client has", async () => {
  const { api } = server;
  const page = (query: string) => api.request<StoredMessage[]>("GET", `/api/attempts/${attempt.attemptId}/messages?${query}`);
  const [first, second] = await page("limit=2");
  expect([first?.position, second?.position]).toEqual([1, 2]);
  expect((await page(`after=${second?.id}&limit=250`)).map(({ position }) => position)).toEqual(
    Array.from({ length: 250 }, (_, i) => i + 3),
  );
  const last = `msg_${String(messages).padStart(26, "0")}`;
  expect(await page(`after=${last}`)).toEqual([]);
  await expect(page("after=msg_nobody")).rejects.toThrow(/404 message-not-found/);
  await expect(page("limit=0")).rejects.toThrow(/400/);
});

test("[Q14, Q15] a message to an agent that reads the whole history costs the server little memory, and leaves no copy", async () => {
  const { api } = server;
  const started = await observeServer(server, async () => {
    const { executionId } = await api.send(attempt.taskId, "And now?");
    const folder = join(server.home, "executions", executionId ?? "");
    // the agent has read it, and builds its request
    const expectRead = () => expect(readFileSync(join(folder, "debug.log"), "utf8")).toContain(String(messages + 1));
    await vi.waitFor(expectRead, { timeout: 120_000, interval: 50 });
    return { folder, executionId };
  });
  const { folder, executionId } = started.result;
  expect(existsSync(join(folder, "history.jsonl"))).toBe(false);
  // read, serialized and sent in one piece, it takes six times its size
  expect(started.memoryGrowth).toBeLessThan(3 * messages * textLength);
  await api.request("POST", "/api/commands", { type: "STOP_EXECUTION", taskId: attempt.taskId, executionId });
});
