import type { Actor, Attempt, Command, PermissionMode, startTaskSchema } from "@skein/contracts";
import { ServiceError, type StorageReader } from "@skein/engine";
import type { z } from "zod";

type Agent = NonNullable<Actor["agent"]>;
type Start = z.output<typeof startTaskSchema>;

/** The strictest first. */
const modes: readonly PermissionMode[] = ["plan", "ask", "accept-edits", "full"];

/** What the agent of an execution may do with its token, in addition to the token's scope and limits (M1). */
export interface AgentRules {
  /** Nothing that it starts may do more without asking than itself; its mode is the default. Returns the start to make. */
  limitStart(agent: Agent, input: Start): Promise<Start>;
  /** It sends messages only to what it started, and stops only that. */
  checkCommand(agent: Agent, command: Pick<Command, "taskId" | "attemptId">): Promise<void>;
}

export function createAgentRules({ read }: { read: StorageReader }): AgentRules {
  const getOwn = async ({ attemptId }: Agent): Promise<Attempt> => {
    const own = await read.findAttempt({ id: attemptId });
    if (own === undefined) throw new ServiceError("not-found", { code: "attempt-not-found", id: attemptId });
    return own;
  };
  const refuseHigherMode = (own: Attempt, mode: PermissionMode) => {
    if (modes.indexOf(mode) <= modes.indexOf(own.permissionMode)) return;
    throw new ServiceError("forbidden", { code: "agent-mode-too-high", mode: own.permissionMode });
  };

  return {
    async limitStart(agent, input) {
      const own = await getOwn(agent);
      const permissionMode = input.attempt.permissionMode ?? own.permissionMode;
      refuseHigherMode(own, permissionMode);
      if (input.attempt.isolation === "in-place") throw new ServiceError("forbidden", { code: "agent-needs-worktree" });
      // only a user decides who may use Skein
      const { agentAccess: _asked, ...attempt } = input.attempt;
      // what a sandbox keeps from an agent, the agents that it starts do not get either
      const sandbox = own.sandbox === "workspace" ? own.sandbox : input.attempt.sandbox;
      return { ...input, attempt: { ...attempt, permissionMode, ...(sandbox === undefined ? {} : { sandbox }) } };
    },
    async checkCommand(agent, { taskId, attemptId }) {
      const own = await getOwn(agent);
      const id = attemptId ?? (await read.findTask({ id: taskId }))?.activeAttemptId;
      const attempt = id ? await read.findAttempt({ id }) : undefined;
      // unknown ids are reported by the command itself
      if (attempt === undefined) return;
      const starts = await read.listAgentStarts({ attemptId: attempt.id });
      if (!starts.some(({ parentAttempt }) => parentAttempt === own.id)) {
        throw new ServiceError("forbidden", { code: "not-started-by-agent", id: attempt.id });
      }
      refuseHigherMode(own, attempt.permissionMode);
      if (own.sandbox === "workspace" && attempt.sandbox !== "workspace") {
        throw new ServiceError("forbidden", { code: "agent-needs-sandbox" });
      }
    },
  };
}
