import { measureAgents } from "./agents/measure-agents.mjs";
import { measureManyAgents } from "./agents/measure-many-agents.mjs";
import { measureEngine } from "./engine/measure-engine.mjs";
import { measureExport } from "./export/measure-export.mjs";
import { measureFirstLoad } from "./first-load.mjs";
import { measureImport } from "./import/measure-import.mjs";
import { measureIngestion } from "./ingestion/measure-ingestion.mjs";
import { measureMemory } from "./memory.mjs";
import { measureBoard } from "./size/measure-board.mjs";
import { measureSize } from "./size/measure-size.mjs";
import { measureStartTime } from "./start-time.mjs";
import { measureWeb } from "./web/measure-web.mjs";
import { measureReconnection } from "./web/reaction.mjs";

/**
 * Every measure of `npm run bench`, in its order; `npm run bench -- start size` runs those two. `smoke` are the sizes with which
 * `npm run bench -- --smoke` runs it: the same code, in seconds, with figures that mean nothing.
 */
export const measures = [
  { name: "start", measure: measureStartTime, smoke: { rounds: 1, warmUps: 0 } },
  { name: "memory", measure: measureMemory, smoke: { settleMs: 0 } },
  { name: "first-load", measure: measureFirstLoad, smoke: { quietMs: 100 } },
  { name: "engine", measure: measureEngine, smoke: { total: 4_000, rounds: 1, warmUps: 0, lineRounds: 1 } },
  { name: "ingestion", measure: measureIngestion, smoke: { lines: 200, rounds: 1 } },
  { name: "import", measure: measureImport, smoke: { lines: 200, rounds: 1 } },
  { name: "export", measure: measureExport, smoke: { messages: 200, rounds: 1 } },
  { name: "agents", measure: measureAgents, smoke: { agents: 2, lines: 30, pauseMs: 20, startMs: 0, rounds: 1 } },
  { name: "many-agents", measure: measureManyAgents, smoke: { counts: [2], lines: 2, pauseMs: 20, idleMs: 100 } },
  { name: "web", measure: measureWeb, smoke: { short: 10, long: 200, settleMs: 0, rounds: 1, contexts: [400, 800], seconds: 1 } },
  { name: "reconnection", measure: measureReconnection, smoke: { restarts: 1, downMs: 0 } },
  { name: "board", measure: measureBoard, smoke: { messages: [50, 100], rounds: 1, warmUps: 0 } },
  { name: "size", measure: measureSize, smoke: { sizes: [100, 200], rounds: 1, watchedMs: 100, form: { probeSize: 10 } } },
];
