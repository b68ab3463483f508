import type { ConversationMessage, Execution } from "@skein/contracts";
import { expect, it } from "vitest";
import { findLastRewind } from "./find-last-rewind.ts";

const execution = (id: string, status: Execution["status"]) => ({ id, status }) as Execution;
const said = (id: string, executionId: string, content: string, role = "user") =>
  ({ id, role, messageType: "text", content, metadata: { executionId } }) as ConversationMessage;

it("[G3] the palette goes back to before the last execution that has ended, and resends the message that started it", () => {
  const executions = [execution("exe_1", "success"), execution("exe_2", "failed"), execution("exe_3", "running")];
  const messages = [
    ...[
      said("m1", "exe_1", "First"),
      said("m2", "exe_2", "Second"),
      said("m3", "exe_2", "By the way"),
      said("m4", "exe_2", "Done.", "assistant"),
    ],
    said("m5", "exe_3", "Third"),
  ];
  const find = (action: "restore" | "fork" | "resend") => findLastRewind(action, { executions, messages });
  expect([find("restore"), find("fork"), find("resend")]).toEqual([
    { kind: "restore", executionId: "exe_2", to: "before" },
    { kind: "fork", executionId: "exe_2" },
    { kind: "resend", executionId: "exe_2", message: { text: "Second", images: [] } },
  ]);
});

it("[G3] there is nothing to go back to before an execution has ended", () => {
  expect(findLastRewind("restore", { executions: [execution("exe_1", "running")], messages: [] })).toBeUndefined();
  expect(findLastRewind("resend", { executions: [execution("exe_1", "success")], messages: [] })).toBeUndefined();
});
