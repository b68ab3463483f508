import { type QueuedMessage, queuedMessageSchema } from "@skein/contracts";
import { testId, testTime } from "./test-id.ts";

export function buildQueuedMessage(overrides: Partial<QueuedMessage> = {}): QueuedMessage {
  return queuedMessageSchema.parse({
    id: testId("que"),
    taskId: testId("tsk"),
    attemptId: testId("att"),
    message: "And then?",
    images: [],
    steer: false,
    createdAt: testTime,
    ...overrides,
  });
}
