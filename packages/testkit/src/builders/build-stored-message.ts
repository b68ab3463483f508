import { type StoredMessage, storedMessageSchema } from "@skein/contracts";
import { testId, testTime } from "./test-id.ts";

export function buildStoredMessage(overrides: Partial<StoredMessage> = {}): StoredMessage {
  return storedMessageSchema.parse({
    id: testId("msg"),
    attemptId: testId("att"),
    executionId: testId("exe"),
    position: 0,
    body: { role: "user", content: "Hello" },
    createdAt: testTime,
    ...overrides,
  });
}
