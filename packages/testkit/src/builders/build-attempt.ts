import { type Attempt, attemptSchema } from "@skein/contracts";
import { testId, testTime } from "./test-id.ts";

export function buildAttempt(overrides: Partial<Attempt> = {}): Attempt {
  return attemptSchema.parse({
    id: testId("att"),
    taskId: testId("tsk"),
    number: 1,
    agent: "native",
    model: "scripted/demo",
    permissionMode: "full",
    systemPrompt: "",
    isolation: "in-place",
    directory: "/projects/prj_0001",
    branch: null,
    baseBranch: null,
    baseCommit: null,
    sessionId: null,
    continuedFrom: null,
    active: true,
    createdAt: testTime,
    updatedAt: testTime,
    ...overrides,
  });
}
