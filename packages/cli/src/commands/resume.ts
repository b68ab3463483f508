import { randomUUID } from "node:crypto";
import { commandResultSchema, conversationPageSchema } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import { createApiClient } from "../client/api-client.ts";
import { findRunningServer } from "../client/running-server.ts";
import { exitCode } from "../exit-code.ts";
import { resolveHome } from "../home.ts";
import { parseIdPrefix, resolveId } from "../ids/resolve-id.ts";

/** `skein resume`: continues a paused queue. It needs a running server, which sends one message after the other. */
export async function resume(id: string, options: { home?: string }): Promise<number> {
  const prefix = parseIdPrefix(id);
  const home = resolveHome(options.home);
  const server = await findRunningServer(home);
  if (server === undefined) throw new CliError(`No Skein server is running for ${home}.`, { hint: "Start one first: skein serve" });
  const client = createApiClient(server);
  const { taskId, attemptId } = await resolveId(client, prefix);
  const place = attemptId === null ? {} : { attemptId };
  const query = new URLSearchParams({ limit: "1", ...place });
  const { queue, queuePause } = await client.get(`/api/tasks/${taskId}/conversation?${query}`, conversationPageSchema);
  if (queuePause === null) {
    console.log(queue.length === 0 ? "Nothing is queued." : "The queue is not paused.");
    return exitCode.success;
  }
  const command = { id: randomUUID(), type: "RESUME_QUEUE", taskId, ...place };
  const { executionId } = await client.post("/api/commands", command, commandResultSchema);
  const messages = queue.length === 1 ? "1 queued message" : `${queue.length} queued messages`;
  console.log(
    executionId === undefined ? `The ${messages} will be sent when the running execution has succeeded.` : `Sending ${messages}.`,
  );
  return exitCode.success;
}
