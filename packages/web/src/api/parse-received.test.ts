import { expect, it } from "vitest";
import { UnreadableError } from "./api-error.ts";
import { parseReceived } from "./parse-received.ts";
import { answerSchemas } from "./wire-schemas.ts";

const project = { id: "prj_1", name: "One", path: "/one", systemPrompt: "", createdAt: 1, updatedAt: 1 };

it("reads an answer, without fields that only a newer server knows", () => {
  expect(parseReceived(answerSchemas.projects, [{ ...project, colour: "red" }], "GET /api/projects")).toEqual([project]);
});

it("an answer that does not fit is an error that names the route and the field", () => {
  const read = () => parseReceived(answerSchemas.projects, [project, { ...project, name: 7 }], "GET /api/projects");
  expect(read).toThrow(UnreadableError);
  expect(read).toThrow("GET /api/projects: 1.name: Invalid input: expected string, received number");
  expect(() => parseReceived(answerSchemas.project, "<html>", "POST /api/projects")).toThrow("POST /api/projects: Invalid input");
});

it("[X19] one message that does not fit takes no others with it; one that lacks what every message has is named", () => {
  const message = { id: "m1", role: "assistant", messageType: "text", content: "Hi", timestamp: 1, revision: 1 };
  const odd = { ...message, id: "m2", messageType: "hologram", metadata: { depth: 3 } };
  const page = { messages: [message, odd], isExecuting: false, canSendMessage: true, attemptId: null, queue: [], queuePause: null };
  const answer = { ...page, approvals: [], lastSeq: 1, hasMore: false };
  expect(parseReceived(answerSchemas.conversation, answer, "GET").messages).toEqual([message, odd]);
  const broken = { ...answer, messages: [message, { ...odd, revision: "new" }] };
  expect(() => parseReceived(answerSchemas.conversation, broken, "GET /c")).toThrow("GET /c: messages.1.revision");
});
