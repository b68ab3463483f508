import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openSqliteStorage } from "@skein/storage";
import { createExportService } from "../../packages/server/src/services/export-attempt.ts";
import { medianWaits, time, watchTurns } from "../ingestion/measure-ingestion.mjs";
import { withHome } from "../server-process.mjs";
import { createDatabase } from "../size/create-database.mjs";

const defaults = { messages: 100_000, rounds: 3 };
const formats = ["json", "markdown", "html"];
/** Redaction is on, as it is by default. */
const targets = { json: 15, markdown: 8, html: 15 };

/** Exports of one long attempt, by the service of the server, as fast as a client can take them. */
export async function measureExport({ messages, rounds } = defaults) {
  return withHome(async (home) => {
    const file = path.join(home, "skein.db");
    const { probes } = await createDatabase({
      file,
      messages: Math.ceil(messages * 1.12),
      repository: home,
      probes: 1,
      probeSize: messages,
    });
    const [{ attemptId }] = probes;
    const storage = await openSqliteStorage({ file });
    try {
      const service = createService(storage);
      const results = [];
      for (const format of formats) {
        const measured = [];
        for (let round = 0; round < rounds; round++) measured.push(await exportOnce({ service, file, attemptId, format }));
        results.push(...toResults({ measured, format, messages, rounds }));
      }
      return results;
    } finally {
      await storage.close();
    }
  });
}

function toResults({ measured, format, messages, rounds }) {
  const toRatio = ({ bare, exported }) => exported.cpuSeconds / bare.cpuSeconds;
  const { bare, exported, bytes } = measured.toSorted((a, b) => toRatio(a) - toRatio(b))[Math.floor(rounds / 2)];
  const waits = medianWaits(measured);
  const name = `export of ${messages.toLocaleString("en")} messages as ${format}`;
  return [
    {
      name: `${name}, compared with JSON.parse and JSON.stringify of each row`,
      value: toRatio({ bare, exported }),
      unit: "× the CPU time",
      target: targets[format],
      note: `${exported.cpuSeconds.toFixed(1)} s CPU, ${exported.seconds.toFixed(1)} s on the clock, ${(bytes / 1024 ** 2).toFixed(0)} MB; median of ${rounds}`,
    },
    {
      name: `other requests wait during an ${name}`,
      value: waits.cpuMs,
      unit: "ms",
      target: 50,
      note: `most CPU time between two turns of a timer; ${waits.ms.toFixed(0)} ms on the clock`,
    },
    {
      name: `memory during an ${name}, above the one before it`,
      value: measured.map(({ memory }) => memory).toSorted((a, b) => a - b)[Math.floor(rounds / 2)],
      unit: "MB",
      target: 100,
      note: `resident; median of ${rounds}`,
    },
  ];
}

function createService(storage) {
  const environment = {
    listSecrets: () => ({ secrets: [{ name: "A_KEY", value: "correct-horse-battery" }], homes: ["/home/somebody"], userName: "somebody" }),
    readPage: async () => "<title><!--skein:title--></title><!--skein:data-->",
    readColours: async () => ({ words: { ts: "typescript" }, grammars: { typescript: "" } }),
  };
  const context = { storage, now: Date.now, version: "1.0.0", exports: environment };
  const none = async () => Promise.reject(new Error("no changes"));
  return createExportService(context, none, none);
}

async function exportOnce({ service, file, attemptId, format }) {
  const bare = await time(() => copyRows(file, attemptId));
  globalThis.gc?.();
  const idle = process.memoryUsage.rss();
  let most = idle;
  let bytes = 0;
  const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  const endWatch = watchTurns();
  const exported = await time(async () => {
    const { pieces } = await service.export(attemptId, {
      ...{ format, include: { thinking: true, messages: true, changes: false } },
      redaction: { keep: [], words: [] },
    });
    for await (const piece of pieces) bytes += Buffer.byteLength(piece);
  });
  const waits = endWatch();
  clearInterval(sampling);
  return { bare, exported, waits, bytes, memory: (most - idle) / 1024 ** 2 };
}

function copyRows(file, attemptId) {
  using database = new DatabaseSync(file, { readOnly: true });
  let length = 0;
  for (const table of ["messages", "conversation_messages"]) {
    const rows = database.prepare(`SELECT body FROM ${table} WHERE attempt_id = ?`).iterate(attemptId);
    for (const { body } of rows) length += JSON.stringify(JSON.parse(body), null, 2).length;
  }
  return length;
}
