import type { AgentInfo, AgentList, PermissionMode, ProjectId, StartTask } from "@skein/contracts";
import { offersMode, permissionModes } from "../agents/mode-hint.ts";
import { readStored, writeStored } from "../preferences/stored-value.ts";
import { chooseAgent } from "./choose-agent.ts";
import { recommendedMode } from "./recommended-mode.ts";

/** What was chosen for the last start in a project; what is null was left to the defaults. */
export interface StartChoice {
  agent: string | null;
  model: string | null;
  permissionMode: string | null;
}

const nothing: StartChoice = { agent: null, model: null, permissionMode: null };
const keyOf = (projectId: ProjectId) => `skein.start.${projectId}`;

/** Kept in this browser, for each project. */
export const startChoices = {
  read: (projectId: ProjectId): StartChoice => parseChoice(readStored(keyOf(projectId))),
  write: (projectId: ProjectId, choice: StartChoice): void => writeStored(keyOf(projectId), JSON.stringify(choice)),
};

export function parseChoice(stored: string | null): StartChoice {
  try {
    const read = JSON.parse(stored ?? "null") as Record<string, unknown> | null;
    const field = (name: keyof StartChoice) => (typeof read?.[name] === "string" ? read[name] : null);
    return { agent: field("agent"), model: field("model"), permissionMode: field("permissionMode") };
  } catch {
    return nothing;
  }
}

export interface ResolvedChoice {
  agent: AgentInfo | undefined;
  /** Null: the agent's own default. */
  model: string | null;
  permissionMode: PermissionMode;
  /** False until the user has chosen a mode, here or in the settings. */
  isModeChosen: boolean;
}

/** Falls back to the defaults for an agent that is gone, and for a model or mode that its agent does not offer. */
export function resolveChoice(choice: StartChoice, list: AgentList): ResolvedChoice {
  const remembered = list.agents.find(({ id, available }) => id === choice.agent && available);
  const agent = remembered ?? chooseAgent(list);
  const isKnown = choice.model !== null && (agent?.models.some(({ id }) => id === choice.model) ?? false);
  const mode = permissionModes.find((known) => known === choice.permissionMode && offersMode(agent, known)) ?? list.defaultPermissionMode;
  return {
    agent,
    model: remembered !== undefined && isKnown ? choice.model : (agent?.defaultModel ?? null),
    permissionMode: mode ?? recommendedMode,
    isModeChosen: mode !== undefined,
  };
}

/** What is left out is chosen by the server. */
export function toAttemptInput({ agent, model, permissionMode }: ResolvedChoice): NonNullable<StartTask["attempt"]> {
  return { ...(agent === undefined ? {} : { agent: agent.id }), ...(model === null ? {} : { model }), permissionMode };
}
