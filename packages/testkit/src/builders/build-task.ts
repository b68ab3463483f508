import { type Task, taskSchema } from "@skein/contracts";
import { testId, testTime } from "./test-id.ts";

export function buildTask(overrides: Partial<Task> = {}): Task {
  return taskSchema.parse({
    id: testId("tsk"),
    projectId: testId("prj"),
    title: "Task",
    description: "",
    status: "todo",
    priority: "none",
    tags: [],
    position: 1,
    archived: false,
    activeAttemptId: null,
    createdAt: testTime,
    updatedAt: testTime,
    ...overrides,
  });
}
