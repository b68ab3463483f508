// Several event stream clients in one process. Orders arrive as messages, reports leave as messages.
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Violation } from "../checks/violations.ts";
import { createRandom } from "../random.mjs";
import { checkClient } from "./check-client.ts";
import type { ClientOrder, ClientReport } from "./client-protocol.ts";
import { SseClient } from "./sse-client.ts";

const reportMs = 500;
const switchMs = 20_000;
const catchUpPatienceMs = 120_000;

let clients: SseClient[] = [];
let tasks: string[] = [];
let violations: Violation[] = [];
let delays: number[] = [];
let reconnects: number[] = [];
let [frames, bytes] = [0, 0];

const violate = (invariant: string, detail: string): void => void violations.push({ invariant, detail, at: Date.now() });
const sum = (read: (client: SseClient) => number): number => clients.reduce((total, client) => total + read(client), 0);

function report(isFinished = false, checked = 0): void {
  const [framesNow, bytesNow] = [sum((client) => client.frames), sum((client) => client.bytes)];
  const message: ClientReport = {
    connected: sum(({ isConnected }) => (isConnected ? 1 : 0)),
    frames: framesNow - frames,
    bytes: bytesNow - bytes,
    jumps: sum(({ seqs }) => seqs.jumps.length),
    ...{ delays, reconnects, violations, checked, isFinished },
  };
  [frames, bytes, delays, reconnects, violations] = [framesNow, bytesNow, [], [], []];
  process.send?.(message);
}

function start({ first, clients: count, auditors, targets, seed }: Extract<ClientOrder, { type: "start" }>): void {
  const random = createRandom(seed);
  clients = Array.from({ length: count }, (_, index) => {
    return new SseClient({
      ...{ name: `client ${first + index}`, targets, random },
      ...{ measures: index % 5 === 0, audits: index < auditors },
      onViolation: violate,
      onDelay: (ms) => delays.push(ms),
      onReconnect: (ms) => reconnects.push(ms),
    });
  });
  for (const client of clients) client.connect();
  setInterval(report, reportMs);
  // one after the other, so that each opens another task now and then
  let next = 0;
  setInterval(
    () => {
      const client = clients[next++ % clients.length];
      if (client !== undefined && !client.audit && tasks.length > 0) client.open(random.pick(tasks));
    },
    Math.max(50, switchMs / count),
  ).unref();
}

async function finish(order: Extract<ClientOrder, { type: "finish" }>): Promise<void> {
  tasks = [];
  const numbers = new Float64Array(new Uint8Array(readFileSync(order.numbers)).buffer);
  let checked = 0;
  await Promise.all(
    clients.map(async (client) => {
      const isThere = (): boolean => (client.seqs.lastSeq ?? 0) >= order.lastSeq && client.conversation?.needsPage !== true;
      for (const until = Date.now() + catchUpPatienceMs; !isThere() && Date.now() < until; ) await wait(100);
      checked += checkClient(client, { ...order, numbers, isCaughtUp: isThere(), violate });
    }),
  );
  report(true, checked);
  for (const client of clients) client.close();
  process.disconnect();
  process.exit(0);
}

process.on("message", (order: ClientOrder) => {
  if (order.type === "start") start(order);
  else if (order.type === "tasks") tasks = order.ids;
  else void finish(order);
});
process.on("disconnect", () => process.exit(0));
