import { setTimeout as wait } from "node:timers/promises";
import type { ServerQueries } from "../../../packages/storage/src/postgres/__fixtures__/query-server.ts";

export interface CommittedEvent {
  seq: number;
  type: string;
  attemptId: string | null;
  executionId: string | null;
  /** When it was read here. */
  seenAt: number;
}

/** The committed events, read from the database itself: what every client must have received. */
export interface EventTruth {
  readonly numbers: readonly number[];
  readonly lastSeq: number;
  onEvent(listener: (event: CommittedEvent) => void): void;
  /** Types and times of the events around a moment, for reports. */
  around(at: number, withinMs: number): CommittedEvent[];
  /** Resolves when everything that is committed now has been read. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

const pauseMs = 200;
const pageSize = 20_000;
const keptEvents = 200_000;

interface Row {
  seq: string;
  type: string;
  attempt_id: string | null;
  execution_id: string | null;
}

export function recordEvents(database: ServerQueries): EventTruth {
  const numbers: number[] = [];
  const recent: CommittedEvent[] = [];
  const listeners: ((event: CommittedEvent) => void)[] = [];
  let isStopped = false;
  let passes = 0;

  const read = async (): Promise<void> => {
    for (;;) {
      const sql = "SELECT seq, type, attempt_id, execution_id FROM events WHERE seq > $1 ORDER BY seq LIMIT $2";
      const rows = await database.query<Row>(sql, [numbers.at(-1) ?? 0, pageSize]);
      const seenAt = Date.now();
      for (const row of rows) {
        const event = { seq: Number(row.seq), type: row.type, attemptId: row.attempt_id, executionId: row.execution_id, seenAt };
        numbers.push(event.seq);
        recent.push(event);
        for (const listener of listeners) listener(event);
      }
      if (recent.length > 2 * keptEvents) recent.splice(0, recent.length - keptEvents);
      if (rows.length < pageSize) return;
    }
  };
  const running = (async () => {
    while (!isStopped) {
      // the database may be down at the moment
      await read().then(
        () => passes++,
        () => {},
      );
      await wait(pauseMs);
    }
  })();

  return {
    numbers,
    get lastSeq() {
      return numbers.at(-1) ?? 0;
    },
    onEvent: (listener) => void listeners.push(listener),
    around: (at, withinMs) => recent.filter(({ seenAt }) => Math.abs(seenAt - at) <= withinMs),
    async catchUp() {
      const before = passes;
      while (passes < before + 2) await wait(pauseMs);
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
