import type { ClientContext } from "@agentclientprotocol/sdk";
import type { DriverOrder } from "../driver/driver-order.ts";
import { AcpFailure } from "./acp-failure.ts";
import type { OpenSession } from "./open-session.ts";
import { findPlanMode, pickWorkingMode, readModels, readModes, type SessionChoices } from "./session-modes.ts";

export async function setModel(agent: ClientContext, { sessionId, told }: OpenSession, model: string): Promise<void> {
  const models = readModels(told);
  if (models === undefined || models.current === model) return;
  if (models.configId === undefined) await agent.request("session/set_model", { sessionId, modelId: model });
  else await agent.request("session/set_config_option", { sessionId, configId: models.configId, value: model });
}

/**
 * Brings a session to plan, or to ask before it acts; who answers depends on the permission mode.
 * @throws AcpFailure where it is to plan and offers no mode for that.
 */
export async function setMode(
  agent: ClientContext,
  session: OpenSession,
  { name, permissionMode, agentMode }: Pick<DriverOrder, "name" | "permissionMode" | "agentMode">,
): Promise<void> {
  const planning = findPlanMode(session.told);
  if (permissionMode === "plan") {
    const reason = `${name} offers no plan mode, so nothing was sent. Choose another permission mode, then send the message again.`;
    if (planning === undefined) throw new AcpFailure(reason, "no-plan-mode");
    return choose(agent, session, planning.list, planning.plan);
  }
  const modes = readModes(session.told);
  const mode = modes && pickWorkingMode(modes, agentMode ?? undefined);
  if (modes !== undefined && mode !== undefined) await choose(agent, session, modes, mode);
  // where planning is no mode of that list, it is left by itself
  if (planning !== undefined && planning.list.configId !== modes?.configId) await choose(agent, session, planning.list, planning.working);
}

/** The agent has changed its mode by itself. */
export function noteMode({ told }: OpenSession, mode: string): void {
  if (told.modes !== undefined) told.modes = { ...(told.modes as object), currentModeId: mode };
}

/** What the session told stays what it told: its current mode is kept up to date there. */
async function choose(agent: ClientContext, { sessionId, told }: OpenSession, list: SessionChoices, mode: string): Promise<void> {
  if (list.current === mode) return;
  if (list.configId === undefined) {
    await agent.request("session/set_mode", { sessionId, modeId: mode });
    told.modes = { ...(told.modes as object), currentModeId: mode };
    return;
  }
  await agent.request("session/set_config_option", { sessionId, configId: list.configId, value: mode });
  const options = told.configOptions as { id?: string }[];
  told.configOptions = options.map((option) => (option.id === list.configId ? { ...option, currentValue: mode } : option)) as never;
}
