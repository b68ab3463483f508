import {
  type AttemptSummary,
  attemptCheckSchema,
  attemptSummarySchema,
  type DiffStat,
  diffStatSchema,
  type TaskId,
  taskSummarySchema,
} from "@skein/contracts";
import { isGoing, type Racer, type Ranking, rankAttempts } from "@skein/engine";
import type { ApiClient } from "../client/api-client.ts";
import { formatDuration } from "../format/duration.ts";
import { formatTable } from "../format/table.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

/** An attempt of a race as the command shows it. */
export interface ShownRacer extends Racer {
  number: number;
  agent: string;
  model: string | null;
  state: string;
  /** In English, for the table. */
  checkText: string;
  additions: number | null;
  deletions: number | null;
}

export interface RaceView {
  racers: ShownRacer[];
  ranking: Ranking;
  isOver: boolean;
}

/** The attempts of the task's last race, or all of them if there was none. */
export async function readRace(client: ApiClient, taskId: TaskId): Promise<RaceView> {
  const task = await client.get(`/api/tasks/${taskId}`, taskSummarySchema);
  const listed = (await client.get(`/api/tasks/${taskId}/attempts`, attemptSummarySchema.array())).filter(
    ({ archived }) => archived !== true,
  );
  const raceId = listed.findLast((one) => one.raceId !== undefined)?.raceId;
  const attempts = listed.filter((one) => one.raceId === raceId);
  const racers = await Promise.all(
    attempts.map((attempt) =>
      toRacer(
        client,
        attempt,
        task.activity.open.find(({ attemptId }) => attemptId === attempt.id),
      ),
    ),
  );
  return { racers, ranking: rankAttempts(racers), isOver: racers.length > 0 && racers.every((racer) => !isGoing(racer)) };
}

type Open = Awaited<ReturnType<typeof taskSummarySchema.parse>>["activity"]["open"][number];

async function toRacer(client: ApiClient, attempt: AttemptSummary, open: Open | undefined): Promise<ShownRacer> {
  const isRunning = open?.executionId != null;
  const hasEnded = !isRunning && attempt.lastEnd !== null;
  const [stat, check] = await Promise.all([
    // an unreadable folder must not hide how the race ended
    hasEnded ? client.get(`/api/attempts/${attempt.id}/diff-stat`, diffStatSchema).catch(() => undefined) : undefined,
    hasEnded ? client.get(`/api/attempts/${attempt.id}/check`, attemptCheckSchema).catch(() => undefined) : undefined,
  ]);
  const known = check?.check ?? attempt.check ?? null;
  const isOutdated = check?.isOutdated === true;
  const { usage, durationMs } = attempt.totals;
  return {
    ...{ id: attempt.id, number: attempt.number, agent: attempt.agent, model: attempt.model, isRunning, isOutdated },
    check: known?.state ?? null,
    ...toLines(stat),
    workingMs: attempt.lastEnd === null ? null : durationMs,
    costUsd: usage.costUsd ?? null,
    state: describeState(attempt, open),
    checkText: describeCheck(known, isOutdated),
  };
}

function toLines(stat: DiffStat | undefined): Pick<ShownRacer, "lines" | "additions" | "deletions"> {
  if (stat === undefined) return { lines: null, additions: null, deletions: null };
  const { additions, deletions } = stat;
  return { lines: additions + deletions, additions, deletions };
}

function describeState({ lastEnd }: AttemptSummary, open: Open | undefined): string {
  if (open !== undefined && open.approvals.length > 0) return "waits for you";
  if (open?.wait?.for === "limit") return "waits for a slot";
  if (open?.wait?.for === "server") return `waits for the server ${open.wait.name}`;
  if (open?.wait?.for === "budget") return "budget used up";
  if (open?.wait?.for === "provider") return "parked";
  if (open?.executionId != null) return "running";
  return lastEnd === null ? "not started" : lastEnd.status;
}

function describeCheck(check: AttemptSummary["check"] | null, isOutdated: boolean): string {
  if (check === null || check === undefined) return "–";
  if (check.state === "failed") return `failed (${check.exitCode ?? "signal"})${isOutdated ? ", outdated" : ""}`;
  return `${check.state.replace("-", " ")}${isOutdated ? ", outdated" : ""}`;
}

/** The table of a race, best attempt first once it has a place. */
export function formatRace({ racers, ranking: { order, winner } }: RaceView): string {
  const place = (racer: ShownRacer): number => order.indexOf(racer.id);
  const sorted = racers.toSorted((a, b) => (place(a) === -1 ? racers.length : place(a)) - (place(b) === -1 ? racers.length : place(b)));
  const rows = sorted.map((racer) => [
    place(racer) === -1 ? "" : String(place(racer) + 1),
    `#${racer.number}`,
    toRevealedLine(racer.model === null ? racer.agent : `${racer.agent} ${racer.model}`),
    racer.state,
    racer.checkText,
    racer.additions === null ? "–" : `+${racer.additions} −${racer.deletions}`,
    racer.workingMs === null ? "–" : formatDuration(racer.workingMs),
    racer.costUsd === null ? "–" : `$${racer.costUsd.toFixed(2)}`,
    racer.id === winner ? "← best" : "",
  ]);
  return formatTable(["", "NO", "AGENT", "STATE", "CHECKS", "CHANGE", "TIME", "COST", ""], rows)
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

const reasons: Record<Exclude<Ranking["rankedBy"], "check">, string> = {
  changes: "the others changed nothing",
  size: "smallest change",
  time: "least time",
  cost: "lowest cost",
  equal: "the others are equal, as far as known",
  only: "the only attempt so far",
};

/** Why the first attempt is the best one: “Checks passed, smallest change.” */
export function explainRanking({ racers, ranking }: RaceView): string {
  const { winner, verdict, rankedBy, running, passed } = ranking;
  const still = running === 0 ? "" : ` ${running === 1 ? "One attempt still runs" : `${running} attempts still run`}: this may change.`;
  const best = racers.find(({ id }) => id === winner);
  if (verdict === null) return still.trim();
  if (best === undefined)
    return `There is no winner: ${passed === 0 && verdict === "not-passed" ? "no attempt passed the checks" : "nothing was changed"}.${still}`;
  const checks = verdict === "passed" ? "checks passed" : "not checked";
  const byCheck = verdict === "passed" ? "the only one" : "the others failed theirs";
  return `#${best.number} is the best: ${checks}, ${rankedBy === "check" ? byCheck : reasons[rankedBy]}.${still}`;
}
