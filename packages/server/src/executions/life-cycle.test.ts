import { buildAttempt, buildExecution } from "@skein/testkit";
import { describe, expect, it } from "vitest";
import type { ExecutionFollower } from "./execution-follower.ts";
import { createLifeCycle, type LifeCycleState } from "./life-cycle.ts";
import type { RunnerLink } from "./runner-link.ts";

const follower = {} as ExecutionFollower;
const states: { [Name in LifeCycleState["name"]]: Extract<LifeCycleState, { name: Name }> } = {
  waiting: { name: "waiting", wakeUp: new AbortController() },
  starting: { name: "starting" },
  running: { name: "running", follower, runner: {} as RunnerLink },
  settling: { name: "settling", follower, exit: undefined },
  recorded: { name: "recorded", next: { execution: buildExecution(), attempt: buildAttempt(), message: "next", images: [] } },
  released: { name: "released" },
};
type Name = keyof typeof states;

/** A life that went this way. */
function walk(...names: Name[]) {
  const cycle = createLifeCycle();
  for (const name of names) cycle.enter(states[name]);
  return cycle;
}

describe("the life cycle of an execution", () => {
  const ways: Name[][] = [
    ["starting", "running", "settling", "recorded"],
    ["starting", "waiting", "starting", "running", "settling", "recorded"],
    ["starting", "settling", "recorded"],
    ["released"],
    ["starting", "released"],
    ["starting", "running", "released"],
    ["starting", "running", "settling", "released"],
  ];

  it.each(ways.map((names) => [names.join(", "), names] as const))("[Q7] begins by waiting and continues: %s", (_way, names) => {
    const cycle = createLifeCycle();
    expect(cycle.state.name).toBe("waiting");
    for (const name of names) {
      cycle.enter(states[name]);
      expect(cycle.state).toBe(states[name]);
    }
  });

  it.each<[string, Name[], Name[]]>([
    ["an agent that was not started does not run", [], ["running", "settling", "recorded"]],
    ["an agent runs once", ["starting", "running"], ["waiting", "starting", "running"]],
    ["an end is saved before it is recorded", ["starting", "running"], ["recorded"]],
    ["an execution that ends does not run again", ["starting", "running", "settling"], ["waiting", "starting", "running", "settling"]],
    ["it ends once", ["starting", "settling", "recorded"], ["waiting", "starting", "running", "settling", "recorded", "released"]],
    ["what was released has another owner", ["released"], ["waiting", "starting", "running", "settling", "recorded", "released"]],
  ])("[Q4, Q7] %s", (_rule, before, impossible) => {
    for (const name of impossible) {
      const cycle = walk(...before);
      expect(() => cycle.enter(states[name]), name).toThrow(/^An execution that is \w+ cannot be \w+\.$/);
      expect(cycle.state.name).toBe(before.at(-1) ?? "waiting");
    }
  });
});
