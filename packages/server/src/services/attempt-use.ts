import { basename } from "node:path";
import type { AttemptId, AttemptUse } from "@skein/contracts";
import type { CleanContext } from "./clean-facts.ts";

type Use = AttemptUse["attempts"][number];

const mostAttempts = 1000;

/** What attempts have on this machine and on connected workers. */
export async function measureAttempts({ storage, listPlaces }: CleanContext): Promise<AttemptUse> {
  const uses = new Map<AttemptId, Use>();
  const places = await Promise.all(
    listPlaces().map(async ({ hostId, host }) => ({ hostId, use: await host.measure().catch(() => undefined) })),
  );
  const missing = new Set<NonNullable<Use["hostId"]>>();
  for (const project of await storage.read.listProjects()) {
    for (const task of await storage.read.listTasks({ projectId: project.id })) {
      for (const attempt of await storage.read.listAttempts({ taskId: task.id })) {
        const hostId = attempt.hostId ?? null;
        const use = places.find((place) => place.hostId === hostId)?.use;
        if (use === undefined) {
          if (hostId !== null) missing.add(hostId);
          continue;
        }
        const ids = await storage.read.listExecutionIds({ attemptId: attempt.id });
        const sum = (sizes: Readonly<Record<string, number>>): number => ids.reduce((total, id) => total + (sizes[id] ?? 0), 0);
        uses.set(attempt.id, {
          projectId: project.id,
          taskId: task.id,
          taskTitle: task.title,
          attemptId: attempt.id,
          number: attempt.number,
          ...(hostId === null ? {} : { hostId }),
          worktree: attempt.isolation === "worktree" ? (use.worktrees[basename(attempt.directory)] ?? 0) : 0,
          executionLogs: sum(use.executionLogs),
          outputs: sum(use.outputs),
          // a worker of an earlier release does not report it
          sandboxHome: use.sandboxHomes?.[attempt.id] ?? 0,
        });
      }
    }
  }
  const total = ({ worktree, executionLogs, outputs, sandboxHome }: Use): number => worktree + executionLogs + outputs + sandboxHome;
  const attempts = [...uses.values()].filter((use) => total(use) > 0).toSorted((a, b) => total(b) - total(a));
  return { attempts: attempts.slice(0, mostAttempts), missingHosts: [...missing] };
}
