import { setTimeout as wait } from "node:timers/promises";
import {
  type CleanItem,
  type CleanKind,
  type CleanPlan,
  type CleanRun,
  cleanPlanSchema,
  cleanRunSchema,
  type KeptReason,
  lastCleanSchema,
} from "@skein/contracts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatAge } from "../format/age.ts";
import { formatBytes } from "../format/bytes.ts";
import { formatTable } from "../format/table.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

const progressMs = 200;
/** The server takes as many at once. */
const idsAtOnce = 10_000;

/** `skein clean`: removes what is in the server's plan. */
export async function clean(options: {
  home?: string;
  dryRun?: boolean;
  olderThan: number;
  only?: CleanKind[];
  json?: boolean;
}): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const { olderThan: olderThanDays, only } = options;
  const whole = await client.get(`/api/clean?olderThanDays=${olderThanDays}`, cleanPlanSchema);
  const plan = only === undefined ? whole : withKinds(whole, only);
  if (!options.json) console.log(formatPlan(plan));
  if (options.dryRun || plan.items.length === 0) {
    if (options.json) console.log(JSON.stringify(plan, null, 2));
    else if (plan.items.length > 0) console.log("\nNothing was removed. Run: skein clean");
    return exitCode.success;
  }
  const ids = plan.items.map(({ id }) => id).slice(0, idsAtOnce);
  const run = await untilDone(client, await client.post("/api/clean", { ids, olderThanDays }, cleanRunSchema));
  console.log(options.json ? JSON.stringify(run, null, 2) : `\n${formatResult(run)}`);
  return run.results.some(({ outcome }) => outcome === "failed") ? exitCode.failed : exitCode.success;
}

function withKinds({ items, kept, plannedAt }: CleanPlan, kinds: readonly CleanKind[]): CleanPlan {
  const isWanted = ({ kind }: { kind: CleanKind }): boolean => kinds.includes(kind);
  return { items: items.filter(isWanted), kept: kept.filter(isWanted), plannedAt };
}

async function untilDone(client: ApiClient, started: CleanRun): Promise<CleanRun> {
  for (let run = started; ; await wait(progressMs)) {
    if (run.endedAt !== null) return run;
    run = (await client.get("/api/clean/run", lastCleanSchema)).run ?? run;
  }
}

function formatPlan({ items, kept, plannedAt }: CleanPlan): string {
  const toRow = (item: CleanItem | CleanPlan["kept"][number], note: string): string[] => [
    item.kind,
    item.bytes === null ? "–" : formatBytes(item.bytes),
    formatAge(plannedAt - item.lastUsedAt),
    `${toRevealedLine(item.taskTitle)} #${item.number}`,
    note,
  ];
  const columns = ["KIND", "SIZE", "UNUSED", "ATTEMPT"];
  const total = items.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  const parts = [
    items.length === 0
      ? "Nothing to remove."
      : `To remove: ${items.length}, at least ${formatBytes(total)}.\n\n${formatTable(
          [...columns, "WHY IT IS SAFE"],
          items.map((item) => toRow(item, describeItem(item))),
        )}`,
    ...(kept.length === 0
      ? []
      : [
          `Kept: ${kept.length}.\n\n${formatTable(
            [...columns, "WHY IT IS KEPT"],
            kept.map((one) => toRow(one, describeReason(one.why))),
          )}`,
        ]),
  ];
  return parts.join("\n\n");
}

function describeItem(item: CleanItem): string {
  switch (item.kind) {
    case "worktree":
      return `${item.because}; the branch ${toRevealedLine(item.branch)} stays, ignored files do not`;
    case "sandbox-home":
      return "caches; its agent starts a new session from the transcript";
    case "execution-log":
      return `${item.executionIds.length} logs whose messages are all stored`;
    case "process":
      return `left by an execution that has ended: ${item.processes.map(({ pid, name }) => `${toRevealedLine(name)} (${pid})`).join(", ")}`;
    default:
      return item satisfies never;
  }
}

function describeReason(why: KeptReason): string {
  switch (why.code) {
    case "uncommitted":
      return `${why.files} uncommitted files`;
    case "unmerged":
      return `${why.commits} commits that its base branch does not have`;
    case "no-base":
      return "its base branch is gone: what is merged is not known";
    case "in-conflict":
      return "an update with conflicts is in progress";
    case "other-branch":
      return "another branch is checked out in it";
    case "submodules":
      return "it has submodules, which may contain work";
    case "in-use":
      return "an agent works in it, or messages wait";
    case "unreachable":
      return "its worker is not connected";
    case "unreadable":
      return `git cannot read it: ${toRevealedLine(why.detail)}`;
    case "not-stored":
      return "not all of it is in the database";
    case "changed":
      return "it has changed since the plan was made";
    default:
      return why satisfies never;
  }
}

function formatResult({ results }: CleanRun): string {
  const removed = results.filter((result) => result.outcome === "removed");
  const freed = removed.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  const others = results.flatMap((result) => {
    if (result.outcome === "kept") return [`Kept ${result.id}: ${describeReason(result.why)}.`];
    return result.outcome === "failed" ? [`Failed ${result.id}: ${toRevealedLine(result.detail)}`] : [];
  });
  return [`Removed ${removed.length}, ${formatBytes(freed)}.`, ...others].join("\n");
}
