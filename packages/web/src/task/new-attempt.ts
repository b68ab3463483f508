import type { AgentInfo, AgentList, Attempt, Isolation, PermissionMode, Sandbox, StartTask, Task } from "@skein/contracts";
import { toTaskPrompt } from "@skein/engine";
import { offersMode } from "../agents/mode-hint.ts";
import { chooseAgent } from "../start/choose-agent.ts";
import { recommendedMode } from "../start/recommended-mode.ts";

/** What the user has chosen for a new attempt; null where nothing was chosen. */
export interface NewAttemptForm {
  agent: string | null;
  model: string | null;
  isolation: Isolation;
  permissionMode: PermissionMode | null;
  sandbox: Sandbox | null;
  baseBranch: string | null;
  /** A session that the agent already has. */
  session: string | null;
  message: string;
  systemPrompt: string;
}

/** Starts from the settings of the attempt that is shown. */
export function createNewAttemptForm(task: Task, like: Attempt | undefined): NewAttemptForm {
  return {
    agent: like?.agent ?? null,
    model: like?.model ?? null,
    isolation: like?.isolation ?? "worktree",
    permissionMode: like?.permissionMode ?? null,
    sandbox: like?.sandbox ?? null,
    baseBranch: null,
    session: null,
    message: toTaskPrompt(task),
    systemPrompt: like?.systemPrompt ?? "",
  };
}

/** The form with defaults where nothing was chosen, or where the agent does not offer the choice. */
export interface ResolvedAttempt {
  /** Undefined while the agents are not known. */
  agent: AgentInfo | undefined;
  /** Null: the agent's own default. */
  model: string | null;
  permissionMode: PermissionMode;
}

export function resolveNewAttempt(form: NewAttemptForm, list: AgentList | undefined): ResolvedAttempt {
  const agent = list?.agents.find(({ id }) => id === form.agent) ?? (list && chooseAgent(list));
  const isOffered = form.permissionMode !== null && offersMode(agent, form.permissionMode);
  return {
    agent,
    model: form.model ?? agent?.defaultModel ?? null,
    permissionMode: isOffered && form.permissionMode ? form.permissionMode : (list?.defaultPermissionMode ?? recommendedMode),
  };
}

export function toNewAttempt(
  { isolation, sandbox, baseBranch, session, systemPrompt }: NewAttemptForm,
  { agent, model, permissionMode }: ResolvedAttempt,
): NonNullable<StartTask["attempt"]> {
  return {
    ...(agent === undefined ? {} : { agent: agent.id }),
    isolation,
    permissionMode,
    ...(sandbox === null ? {} : { sandbox }),
    ...(model === null ? {} : { model }),
    ...(systemPrompt.trim() === "" ? {} : { systemPrompt }),
    ...(isolation === "in-place" && session !== null ? { session } : {}),
    ...(isolation === "worktree" && baseBranch !== null ? { baseBranch } : {}),
  };
}
