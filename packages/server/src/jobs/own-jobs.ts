import { setTimeout as wait } from "node:timers/promises";
import type { Storage } from "@skein/engine";
import type { JobHandlers, Jobs } from "./jobs.ts";

const messagesAtOnce = 200;
/** Pause between slices: this work is never urgent. */
const pauseMs = 100;
const dayMs = 24 * 60 * 60_000;
const keepEndedMs = 14 * dayMs;

/** The jobs of every server. */
export function createOwnJobs({ storage, now }: { storage: Storage; now(): number }): JobHandlers {
  const renewSlice = () => storage.transaction((tx) => tx.renewSearch({ limit: messagesAtOnce }));
  return {
    /** Rebuilds the index entries of an earlier release. */
    "renew-search": {
      async run({ signal }) {
        while (!signal.aborted && (await renewSlice())) await wait(pauseMs, undefined, { signal, ref: false }).catch(() => {});
      },
    },
    /** Deletes what is no longer valid: sessions, tokens, codes, invitations of workers; and jobs that ended long ago. */
    "purge-expired": {
      run: ({ complete }) =>
        complete(async (tx) => {
          const at = now();
          await tx.purgeExpired({ at, limitsBefore: at - dayMs });
          for (const { id, state, expiresAt } of await tx.listHosts()) {
            if (state === "invited" && expiresAt !== null && expiresAt < at) await tx.deleteHost({ id });
          }
          await tx.deleteEndedJobs({ before: at - keepEndedMs });
        }),
    },
  };
}

/** Computing the times of a schedule takes 6 MB, and a new data dir has nothing to purge. */
const scheduleAfterMs = 10 * 60_000;

/** Stores the jobs and schedules of the server. `signal` cancels those that are not stored yet. */
export async function startOwnJobs({ storage, jobs, signal }: { storage: Storage; jobs: Jobs; signal: AbortSignal }): Promise<void> {
  const isKnown = async () => (await storage.read.listJobSchedules()).some(({ name }) => name === "purge-expired");
  if (!(await isKnown())) {
    void wait(scheduleAfterMs, undefined, { signal, ref: false })
      // the zone of the server that stored it first: several servers must not change it in turn
      .then(async () => (await isKnown()) || (await schedulePurge(jobs)))
      // without it, the next start tries again
      .catch(() => {});
  }
  // no job if nothing is left to index
  if (await storage.transaction((tx) => tx.renewSearch({ limit: messagesAtOnce }))) {
    await jobs.enqueue({ name: "renew-search", key: "renew-search" });
  }
}

async function schedulePurge(jobs: Jobs): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  await jobs.schedule({ name: "purge-expired", cron: "17 3 * * *", timeZone, missed: "once" });
}
