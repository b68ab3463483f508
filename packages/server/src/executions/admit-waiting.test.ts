import type { ExecutionId, ExecutionWait, ProjectId, RunningLimits } from "@skein/contracts";
import type { Occupant } from "@skein/engine";
import { buildExecution } from "@skein/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admitWaiting } from "./admit-waiting.ts";

const agents = ["native", "codex", "claude-code"];
const projects = ["prj_1", "prj_2"] as ProjectId[];

const occupantOf = (
  serial: number,
  { agent, project, position }: { agent: number; project: number; position: number | null },
): Occupant => ({
  execution: {
    ...buildExecution(),
    id: `exe_${serial}` as ExecutionId,
    status: "running",
    ...(position === null ? {} : { wait: { for: "limit", since: 1, position } }),
  },
  agent: agents[agent] ?? "",
  projectId: projects[project] as ProjectId,
});

const arbitraryOccupants = fc
  .array(fc.record({ agent: fc.nat(2), project: fc.nat(1), position: fc.option(fc.integer({ min: 1, max: 50 })) }), { maxLength: 30 })
  .map((all) => all.map((one, serial) => occupantOf(serial, one)));
const arbitraryLimit = fc.integer({ min: 1, max: 5 });
const arbitraryLimits: fc.Arbitrary<RunningLimits> = fc.record({
  running: fc.option(arbitraryLimit),
  perAgent: fc.dictionary(fc.constantFrom(...agents), arbitraryLimit),
  perProject: fc.dictionary(fc.constantFrom(...projects), arbitraryLimit),
});

function count(occupants: readonly Occupant[], limits: RunningLimits) {
  const isOver = (limit: number | null | undefined, all: readonly Occupant[]): boolean => all.length > (limit ?? Number.POSITIVE_INFINITY);
  return {
    all: isOver(limits.running, occupants),
    agents: agents.filter((agent) =>
      isOver(
        limits.perAgent[agent],
        occupants.filter((one) => one.agent === agent),
      ),
    ),
    projects: projects.filter((project) =>
      isOver(
        limits.perProject[project],
        occupants.filter((one) => one.projectId === project),
      ),
    ),
  };
}

describe("admitWaiting", () => {
  it("[Q22] never lets more run than each limit allows, unless more ran already", () => {
    fc.assert(
      fc.property(arbitraryOccupants, arbitraryLimits, (occupants, limits) => {
        const admitted = new Set(admitWaiting(occupants, limits));
        const before = occupants.filter(({ execution }) => execution.wait === undefined);
        const after = [...before, ...occupants.filter(({ execution }) => admitted.has(execution.id))];
        const over = count(before, limits);
        const now = count(after, limits);
        if (!over.all) expect(now.all).toBe(false);
        else expect(admitted.size).toBe(0);
        expect(now.agents).toEqual(over.agents);
        expect(now.projects).toEqual(over.projects);
      }),
    );
  });

  it("[L1] leaves no execution waiting that could start, and none overtakes another that needs the same slot", () => {
    fc.assert(
      fc.property(arbitraryOccupants, arbitraryLimits, (occupants, limits) => {
        const admitted = admitWaiting(occupants, limits);
        const started = occupants.map((one): Occupant => {
          if (!admitted.includes(one.execution.id)) return one;
          const { wait: _, ...execution } = one.execution;
          return { ...one, execution };
        });
        expect(admitWaiting(started, limits)).toEqual([]);
        const position = (id: ExecutionId): number => {
          const wait = occupants.find(({ execution }) => execution.id === id)?.execution.wait;
          return wait?.for === "limit" ? wait.position : 0;
        };
        expect(admitted.map(position)).toEqual(admitted.map(position).toSorted((a, b) => a - b));
        for (const waiting of started.filter(({ execution }) => execution.wait !== undefined)) {
          const alike = occupants.filter(({ agent, projectId }) => agent === waiting.agent && projectId === waiting.projectId);
          const overtaking = alike.filter(
            ({ execution }) => admitted.includes(execution.id) && position(execution.id) > position(waiting.execution.id),
          );
          expect(overtaking).toEqual([]);
        }
      }),
    );
  });

  it("[L1] an execution that waits for its agent does not hold up those of other agents", () => {
    const occupants = [
      occupantOf(0, { agent: 0, project: 0, position: null }),
      occupantOf(1, { agent: 0, project: 0, position: 1 }),
      occupantOf(2, { agent: 1, project: 0, position: 2 }),
    ];
    expect(admitWaiting(occupants, { running: 2, perAgent: { native: 1 }, perProject: {} })).toEqual(["exe_2"]);
  });

  it("[L1, L2, L3] a paused agent keeps its slot; one that has not been started and waits for the user or a provider has none", () => {
    const reached = { scope: "task", measure: "costUsd", spent: 5, limit: 5, more: 5, isPartial: false } as const;
    const withWait = (serial: number, wait: ExecutionWait): Occupant => {
      const one = occupantOf(serial, { agent: 0, project: 0, position: null });
      return { ...one, execution: { ...one.execution, wait } };
    };
    const waiting = occupantOf(1, { agent: 0, project: 0, position: 1 });
    const limits = { running: 1, perAgent: {}, perProject: {} };
    expect(admitWaiting([waiting, withWait(0, { for: "budget", since: 1, reached, isPaused: true })], limits)).toEqual([]);
    const limit = { code: "plan-limit", resetsAt: null, scope: null } as const;
    const parked = withWait(2, { for: "provider", since: 1, limit, resumesAt: 2, isAutomatic: true, rejections: 1 });
    expect(admitWaiting([waiting, withWait(0, { for: "budget", since: 1, reached, isPaused: false }), parked], limits)).toEqual(["exe_1"]);
  });
});
