import { startAgentProcess } from "../driver/agent-process.ts";
import type { Driver } from "../driver/driver.ts";
import { toSeededMessage } from "../driver/seeded-message.ts";
import { toStartFailure } from "../driver/start-failure.ts";

/** Drives a program that reads a prompt on stdin and prints text. It has no sessions: the prompt includes the transcript. */
export const driveCommand: Driver = async (context) => {
  const { order, log, record, stop } = context;
  const agent = startAgentProcess(context, { command: order.command, args: [], directory: order.directory });
  stop.addEventListener("abort", () => agent.signal("SIGTERM"));
  if (order.permissionMode !== "full" && order.transcript === null) {
    record({ type: "notice", text: { code: "permissions-not-asked", agent: order.name }, code: "permissions-ignored" });
  }
  agent.write(toSeededMessage(order));
  agent.closeStdin();
  for await (const line of agent.lines) log(line);
  const { exitCode, startError } = await agent.ended;
  if (startError !== undefined) record(toStartFailure(order, startError));
  else if (exitCode === 0) record({ type: "end", status: "success" });
  return exitCode;
};
