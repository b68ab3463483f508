import type { ExecutionId, RunningLimits } from "@skein/contracts";
import type { Occupant } from "@skein/engine";

/**
 * The executions that wait for a slot and may start now, in their order. A paused agent keeps its slot; one that was not started and
 * waits for the user or a provider needs none. One that has to wait for its agent or its project does not hold up
 * those behind it.
 */
export function admitWaiting(occupants: readonly Occupant[], limits: RunningLimits): ExecutionId[] {
  const agents = new Map<string, number>();
  const projects = new Map<string, number>();
  let running = 0;
  const count = ({ agent, projectId }: Occupant): void => {
    running += 1;
    agents.set(agent, (agents.get(agent) ?? 0) + 1);
    projects.set(projectId, (projects.get(projectId) ?? 0) + 1);
  };
  const fits = ({ agent, projectId }: Occupant): boolean =>
    running < (limits.running ?? Number.POSITIVE_INFINITY) &&
    (agents.get(agent) ?? 0) < (limits.perAgent[agent] ?? Number.POSITIVE_INFINITY) &&
    (projects.get(projectId) ?? 0) < (limits.perProject[projectId] ?? Number.POSITIVE_INFINITY);

  const waiting: Occupant[] = [];
  for (const occupant of occupants) {
    const { wait } = occupant.execution;
    if (wait === undefined || (wait.for === "budget" && wait.isPaused)) count(occupant);
    else if (wait.for === "limit") waiting.push(occupant);
  }
  const admitted: ExecutionId[] = [];
  for (const occupant of waiting.toSorted((a, b) => positionOf(a) - positionOf(b))) {
    if (!fits(occupant)) continue;
    count(occupant);
    admitted.push(occupant.execution.id);
  }
  return admitted;
}

const positionOf = ({ execution: { wait } }: Occupant): number => (wait?.for === "limit" ? wait.position : 0);
