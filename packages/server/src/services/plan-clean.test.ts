import { attemptIdSchema, executionIdSchema, projectIdSchema, taskIdSchema } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AttemptFacts, isOver, planClean, toAges, toRetentionAges, type WorktreeState, wantsState } from "./plan-clean.ts";

const dayMs = 24 * 60 * 60_000;
const now = 1000 * dayMs;
const branch = "skein/work-1";

const merged: WorktreeState = { branch, head: "a".repeat(40), ahead: 0, conflict: null, landing: null, dirty: 0, hasSubmodules: false };

function newFacts(changes: Partial<AttemptFacts> = {}): AttemptFacts {
  return {
    attempt: { id: attemptIdSchema.parse("att_1"), number: 1, directory: "/worktrees/work-1", branch, isolation: "worktree" },
    task: { id: taskIdSchema.parse("tsk_1"), title: "Work", projectId: projectIdSchema.parse("prj_1"), status: "done", archived: false },
    isBusy: false,
    lastUsedAt: now - 30 * dayMs,
    worktree: { bytes: 5000, state: merged },
    sandboxHome: null,
    executions: [],
    ...changes,
  };
}

const execution = (id: string, changes: Partial<AttemptFacts["executions"][number]> = {}): AttemptFacts["executions"][number] => ({
  ...{ id: executionIdSchema.parse(id), endedAt: now - 100 * dayMs, logBytes: 10, isStored: true, processes: [] },
  ...changes,
});

const ages = toAges(7);
const plan = (facts: AttemptFacts) => planClean([facts], { ages, now });
const kindsOf = (facts: AttemptFacts) => plan(facts).items.map(({ kind }) => kind);
const keptOf = (facts: AttemptFacts) => plan(facts).kept.map(({ why }) => why);

describe("[L8] the plan of a clean-up", () => {
  it("removes a worktree whose work is merged, and names the branch that it is recreated from", () => {
    expect(plan(newFacts()).items).toEqual([
      {
        ...{
          kind: "worktree",
          id: "worktree:att_1",
          projectId: "prj_1",
          taskId: "tsk_1",
          taskTitle: "Work",
          attemptId: "att_1",
          number: 1,
        },
        ...{ bytes: 5000, lastUsedAt: now - 30 * dayMs, directory: "/worktrees/work-1", branch, because: "merged" },
      },
    ]);
  });

  it.each([
    ["uncommitted changes", { dirty: 3 }, { code: "uncommitted", files: 3 }],
    ["commits that its base does not have", { ahead: 2 }, { code: "unmerged", commits: 2 }],
    ["no base branch to compare with", { ahead: null }, { code: "no-base" }],
    ["a conflict", { conflict: { files: [] } as never }, { code: "in-conflict" }],
    ["another branch checked out", { branch: "mine" }, { code: "other-branch" }],
    ["no branch checked out", { branch: null }, { code: "other-branch" }],
    ["no commit", { head: null }, { code: "other-branch" }],
    ["submodules", { hasSubmodules: true }, { code: "submodules" }],
  ])("keeps a worktree with %s, and says so", (_, changes, why) => {
    const facts = newFacts({ worktree: { bytes: 1, state: { ...merged, ...changes } } });
    expect([plan(facts).items, keptOf(facts)]).toEqual([[], [why]]);
  });

  it.each([
    ["a worker that is not connected", { problem: "unreachable" } as const, { code: "unreachable" }],
    ["a folder that git cannot read", { problem: "unreadable", detail: "broken" } as const, { code: "unreadable", detail: "broken" }],
  ])("keeps a worktree on %s", (_, state, why) => {
    expect(keptOf(newFacts({ worktree: { bytes: 1, state } }))).toEqual([why]);
  });

  it("keeps what is in use, and does not mention what is not over or was used lately", () => {
    expect(keptOf(newFacts({ isBusy: true, sandboxHome: 3 }))).toEqual([{ code: "in-use" }, { code: "in-use" }]);
    const { task } = newFacts();
    for (const changes of [{ task: { ...task, status: "in-review" as const } }, { lastUsedAt: now - 6 * dayMs }]) {
      expect(plan(newFacts({ ...changes, sandboxHome: 3 }))).toMatchObject({ items: [], kept: [] });
    }
    expect(kindsOf(newFacts({ task: { ...task, status: "todo", archived: true } }))).toEqual(["worktree"]);
    const { attempt } = newFacts();
    expect(kindsOf(newFacts({ task: { ...task, status: "todo" }, attempt: { ...attempt, archived: true } }))).toEqual(["worktree"]);
  });

  it("removes logs that are stored whole, but not the last one of an unfinished task: a retry reads it", () => {
    const executions = [execution("exe_1"), execution("exe_2"), execution("exe_3", { endedAt: now - dayMs })];
    const { task } = newFacts();
    const open = newFacts({ worktree: null, executions: executions.slice(0, 2), task: { ...task, status: "in-progress" } });
    expect(plan(open).items).toMatchObject([{ kind: "execution-log", bytes: 10, executionIds: ["exe_1"] }]);
    expect(plan(newFacts({ worktree: null, executions })).items).toMatchObject([{ executionIds: ["exe_1", "exe_2"], bytes: 20 }]);
    for (const [isStored, code] of [
      [false, "not-stored"],
      [null, "unreachable"],
    ] as const) {
      expect(keptOf(newFacts({ worktree: null, executions: [execution("exe_1", { isStored })] }))).toEqual([{ code }]);
    }
  });

  it("ends processes of executions that ended a while ago, whatever their task, and keeps the logs of those", () => {
    const processes = [{ pid: 7, name: "node" }];
    const { task } = newFacts();
    const left = newFacts({ worktree: null, task: { ...task, status: "in-progress" }, executions: [execution("exe_1", { processes })] });
    expect(plan(left).items).toMatchObject([{ kind: "process", id: "process:exe_1", processes }]);
    expect(kindsOf({ ...left, executions: [execution("exe_1", { processes, endedAt: now - 1000 })] })).toEqual([]);
    expect(kindsOf({ ...left, task })).toEqual(["process"]);
  });

  it("leaves out what the settings keep for ever", () => {
    const none = toRetentionAges({ worktreeDays: 0, sandboxHomeDays: 0, executionLogDays: 0 });
    const facts = newFacts({ sandboxHome: 1, executions: [execution("exe_1")] });
    expect(planClean([facts], { ages: none, now })).toMatchObject({ items: [], kept: [] });
    expect(wantsState(facts, { ages: none, now })).toBe(false);
    const some = toRetentionAges({ worktreeDays: 29, sandboxHomeDays: 31, executionLogDays: 90 });
    expect(planClean([facts], { ages: some, now }).items.map(({ kind }) => kind)).toEqual(["worktree", "execution-log"]);
  });

  it("never selects a worktree with work that is nowhere else", () => {
    const conflict = { files: [] } as never;
    const state = fc.oneof(
      fc.constant({ problem: "unreachable" } as const),
      fc.constant({ problem: "unreadable", detail: "" } as const),
      fc.record({
        branch: fc.constantFrom(branch, "other", null),
        head: fc.constantFrom("a".repeat(40), null),
        ahead: fc.constantFrom(0, 1, 5, null),
        conflict: fc.constantFrom(null, conflict),
        landing: fc.constant(null),
        dirty: fc.constantFrom(0, 1, 9),
        hasSubmodules: fc.boolean(),
      }),
    );
    const { attempt, task } = newFacts();
    const facts = fc.record({
      attempt: fc.record({ branch: fc.constantFrom(branch, null), isolation: fc.constantFrom("worktree" as const, "in-place" as const) }),
      task: fc.record({ status: fc.constantFrom("todo" as const, "in-progress" as const, "done" as const), archived: fc.boolean() }),
      isBusy: fc.boolean(),
      lastUsedAt: fc.integer({ min: now - 20 * dayMs, max: now }),
      worktree: fc.option(fc.record({ bytes: fc.option(fc.nat()), state: fc.option(state) })),
    });
    fc.assert(
      fc.property(facts, fc.integer({ min: 0, max: 20 }), (random, days) => {
        const one = newFacts({ ...random, attempt: { ...attempt, ...random.attempt }, task: { ...task, ...random.task } });
        const { items } = planClean([one], { ages: toAges(days), now });
        if (!items.some(({ kind }) => kind === "worktree")) return;
        const known = one.worktree?.state;
        if (!known || "problem" in known) throw new Error("selected without knowing");
        expect([known.dirty, known.ahead, known.conflict, known.hasSubmodules, one.isBusy, isOver(one)]).toEqual([
          ...[0, 0, null, false, false, true],
        ]);
        expect([known.branch, one.attempt.isolation, one.lastUsedAt <= now - days * dayMs]).toEqual([branch, "worktree", true]);
      }),
      { numRuns: 2000 },
    );
  });
});
