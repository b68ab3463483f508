import type { AttemptUse, CleanItem, CleanPlan, CleanRun, StartClean } from "@skein/contracts";
import type { CleanAges } from "./plan-clean.ts";
import type { ServiceContext } from "./service-context.ts";

/** Removes what is not needed any more, and measures what there is (L8). */
export interface CleanService {
  plan(query: { olderThanDays: number }): Promise<CleanPlan>;
  /** Removes items in the background; while a clean-up is in progress, after its own. */
  start(order: StartClean): CleanRun;
  last(): CleanRun | null;
  measure(): Promise<AttemptUse>;
  /** Removes by itself what the settings say, from some minutes after the start, once a day; and every hour processes that agents left. */
  watch(): void;
  /** Stops after the current item. */
  close(): Promise<void>;
}

const hourMs = 60 * 60_000;
/** A server that has just started has more important things to do. */
const firstAfterMs = 10 * 60_000;
const hoursBetween = 24;

/** Nothing of it is needed at the start of a server. */
const load = () => import("./clean-attempts.ts");

const processesOnly: CleanAges = { worktree: null, "sandbox-home": null, "execution-log": null };

export function createCleanService(context: ServiceContext): CleanService {
  const { now, logger, settings } = context;
  const ending = new AbortController();
  const { signal } = ending;
  let run: CleanRun | undefined;
  const left: { id: string; ages: CleanAges }[] = [];
  let working: Promise<void> | undefined;
  let hours = 0;
  /** Of the last plan: a check right before a removal does not measure. */
  let sizes = new Map<string, number | null>();
  const timers: NodeJS.Timeout[] = [];

  async function removeAll(current: CleanRun): Promise<void> {
    const { removeItem } = await load();
    for (let next = left.shift(); next !== undefined && !signal.aborted; next = left.shift()) {
      const result = await removeItem(context, next.id, next.ages);
      current.results.push(result.outcome === "removed" ? { ...result, bytes: result.bytes ?? sizes.get(next.id) ?? null } : result);
    }
    current.endedAt = now();
    working = undefined;
    // the files of worktrees are in the trash
    context.backgroundDeletion.start();
  }

  /** Items on the way are removed only once. */
  function enqueue(ids: readonly string[], ages: CleanAges): CleanRun {
    const known = new Set(left.map(({ id }) => id));
    const added = [...new Set(ids)].filter((id) => !known.has(id));
    if (run === undefined || working === undefined) run = { startedAt: now(), endedAt: null, total: 0, results: [] };
    run.total += added.length;
    left.push(...added.map((id) => ({ id, ages })));
    working ??= removeAll(run);
    return run;
  }

  async function removeDue(): Promise<void> {
    const { planAttempts, toRetentionAges } = await load();
    const isDaily = hours++ % hoursBetween === 0;
    const ages = isDaily ? toRetentionAges(settings.general().retention) : processesOnly;
    const { items } = await planAttempts(context, { ages });
    if (items.length === 0 || signal.aborted) return;
    logger.info("removing what is not needed any more", countKinds(items));
    enqueue(
      items.map(({ id }) => id),
      ages,
    );
  }

  const removeDueOrWarn = (): void =>
    void removeDue().catch((error: unknown) => logger.warn("what is not needed any more could not be removed", { error }));

  return {
    async plan({ olderThanDays }) {
      const { planAttempts, toAges } = await load();
      const plan = await planAttempts(context, { ages: toAges(olderThanDays) });
      sizes = new Map(plan.items.map(({ id, bytes }) => [id, bytes]));
      return plan;
    },
    start({ ids, olderThanDays }) {
      const age = olderThanDays * 24 * hourMs;
      return structuredClone(enqueue(ids, { worktree: age, "sandbox-home": age, "execution-log": age }));
    },
    last: () => (run === undefined ? null : structuredClone(run)),
    async measure() {
      return (await import("./attempt-use.ts")).measureAttempts(context);
    },
    watch() {
      timers.push(setTimeout(removeDueOrWarn, firstAfterMs).unref(), setInterval(removeDueOrWarn, hourMs).unref());
    },
    async close() {
      ending.abort();
      for (const timer of timers) clearTimeout(timer);
      await working;
    },
  };
}

function countKinds(items: readonly CleanItem[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of items) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
