import { startOwnJobs } from "../jobs/own-jobs.ts";
import { declareSchedules } from "../services/schedule-jobs.ts";
import { tidyDataDir } from "../services/tidy-data-dir.ts";
import type { Cleanup } from "./cleanup.ts";
import type { Core } from "./create-core.ts";
import type { Foundation } from "./open-foundation.ts";

/** Interval for finding executions without an owner. */
const reconcileEveryMs = 60_000;

/** Continues what an earlier server left. Call it before requests are accepted. Returns what finds executions without an owner. */
export async function continueExecutions(
  { storageHealth, logger }: Foundation,
  { services, supervisor, checks, creations, quarantine }: Core,
  cleanup: Cleanup,
): Promise<() => Promise<unknown>> {
  // before an agent may start in such a folder
  await services.branches
    .recover()
    .catch((error: unknown) => logger.error("an operation that was cut off could not be completed", { error }));
  await Promise.all([supervisor.resume(), checks.recover(), storageHealth.check()]);
  const reconcile = () =>
    Promise.all([
      supervisor.reconcile(),
      checks.recover(),
      creations.recover(),
      quarantine.hasRunning() ? quarantine.sweep() : undefined,
    ]).catch((error: unknown) => logger.error("running executions could not be checked", { error }));
  const reconciling = setInterval(() => void reconcile(), reconcileEveryMs).unref();
  cleanup.add(() => clearInterval(reconciling));
  return reconcile;
}

/** Begins what a server does by itself, once it can be reached. */
export function beginBackgroundWork({ dataDir, storage, host, logger }: Foundation, core: Core, cleanup: Cleanup): void {
  const { services, jobs, backgroundDeletion, quarantine } = core;
  jobs.start();
  const closing = new AbortController();
  const declared = startOwnJobs({ storage, jobs, signal: closing.signal }).catch((error: unknown) =>
    logger.error("jobs could not be stored", { error }),
  );
  cleanup.add(() => {
    closing.abort();
    return declared;
  });
  const scheduled = declareSchedules({ storage, jobs }).catch((error: unknown) =>
    logger.error("schedules could not be declared", { error }),
  );
  cleanup.add(() => scheduled);
  void core.creations.recover();
  backgroundDeletion.start();
  services.pullRequests.watch();
  services.imports.watch();
  services.clean.watch();
  // not awaited: nothing depends on it
  const tidied = tidyDataDir({ storage, host, quarantine, home: dataDir.home, logger, now: Date.now }).catch((error: unknown) =>
    logger.warn("the data dir could not be cleaned up", { error }),
  );
  cleanup.add(() => tidied);
}
