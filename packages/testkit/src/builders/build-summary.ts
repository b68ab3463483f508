import { type Summary, summarySchema } from "@skein/contracts";
import { testId, testTime } from "./test-id.ts";

export function buildSummary(overrides: Partial<Summary> = {}): Summary {
  return summarySchema.parse({
    id: testId("sum"),
    attemptId: testId("att"),
    messageIds: [testId("msg", 1), testId("msg", 2)],
    startMessageId: testId("msg", 1),
    endMessageId: testId("msg", 2),
    summary: "They said hello.",
    originalTokenCount: 1000,
    summaryTokenCount: 10,
    model: "scripted/demo",
    status: "active",
    createdAt: testTime,
    ...overrides,
  });
}
