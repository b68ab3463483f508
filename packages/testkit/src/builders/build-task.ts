import { type Task, taskFieldsSchema, taskSchema } from "@skein/contracts";
import { testId, testTime } from "./test-id.ts";

export function buildTask(overrides: Partial<Task> = {}): Task {
  return taskSchema.parse({
    id: testId("tsk"),
    projectId: testId("prj"),
    ...taskFieldsSchema.parse({ title: "Task" }),
    position: 1,
    archived: false,
    activeAttemptId: null,
    createdAt: testTime,
    updatedAt: testTime,
    ...overrides,
  });
}
