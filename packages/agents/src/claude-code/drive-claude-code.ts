import type { Driver, DriverContext } from "../driver/driver.ts";
import type { DriverOrder } from "../driver/driver-order.ts";
import { toSeededMessage } from "../driver/seeded-message.ts";
import { readInstructionFiles } from "../instructions/read-instruction-file.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { type ClaudeCodeRunEnd, runClaudeCode } from "./run-claude-code.ts";

const maxInstructionLength = 64 * 1024;

/** Resumes the session, or a branch of one; if Claude Code no longer has it, starts a new one with the transcript (E3). */
export const driveClaudeCode: Driver = async (context) => {
  const { order, record, stop } = context;
  const instructions = await toInstructions(order);
  if (order.sessionId !== null) {
    const { exitCode, knewSession } = await resume(context, { sessionId: order.sessionId, message: order.message, instructions });
    if (knewSession || stop.aborted) return exitCode;
    record({ type: "notice", code: "session-replaced", text: { code: "session-replaced", agent: order.name, isInformed: true } });
  }
  if (order.sessionId === null && order.forkFrom !== undefined) {
    const fork = { sessionId: order.forkFrom, isFork: true, message: order.message, instructions };
    const { exitCode, knewSession } = await runClaudeCode(context, fork);
    if (knewSession || stop.aborted) return exitCode;
  }
  return (await runClaudeCode(context, { sessionId: null, message: toSeededMessage(order), instructions })).exitCode;
};

/** At the end of the session or, for a message that is sent again, before it (E2). If that is not possible, at the end. */
async function resume(context: DriverContext, session: Parameters<typeof runClaudeCode>[1]): Promise<ClaudeCodeRunEnd> {
  const { resumeAt } = context.order;
  const end = resumeAt === undefined ? undefined : await runClaudeCode(context, { ...session, resumeAt });
  return end === undefined || (!end.knewPoint && !context.stop.aborted) ? runClaudeCode(context, session) : end;
}

/** The user's own prompts, then the project's files: Claude Code reads those only if it may read the repository's settings, too. */
async function toInstructions({ systemPrompts, trustsRepository, directory }: DriverOrder): Promise<string | undefined> {
  const files = trustsRepository ? [] : await readInstructionFiles(await openWorkspace(directory), "", maxInstructionLength);
  const texts = [...systemPrompts, ...files.map(({ path, text }) => `Instructions of this project (${path}):\n${text}`)];
  return texts.length === 0 ? undefined : texts.join("\n\n");
}
