import { loadWireSchemas } from "./load-wire-schemas.ts";

/** One of each kind, without any content: none is valid, but each is looked at. */
const hollow = {
  task: { activity: {} },
  attempts: [{}],
  executions: [{ status: "running" }, { status: "success", usage: {} }],
  conversation: {
    messages: ["text", "thinking", "tool_execution", "notice", "error", "summary"].map((messageType) => ({
      messageType,
      metadata: { usage: {}, summary: {}, state: "completed" },
    })),
    currentExecution: { status: "running" },
    approvals: [{}],
    queue: [{}],
  },
};

/** Schemas prepare themselves at their first use, which takes longer than most answers: done ahead for the answer that opens a task. */
export async function prepareTaskSchemas(): Promise<void> {
  const { answerSchemas } = await loadWireSchemas();
  answerSchemas.taskOverview.safeParse(hollow);
}
