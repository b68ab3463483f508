import { type ClientContext, RequestError } from "@agentclientprotocol/sdk";
import type { DriverControl } from "../driver/driver-control.ts";
import type { DriverOrder } from "../driver/driver-order.ts";
import { AcpFailure } from "./acp-failure.ts";
import type { OpenSession } from "./open-session.ts";
import type { PermissionRequests } from "./permission-requests.ts";
import { findPlanMode, pickWorkingMode, readModels, readModes, type SessionChoices } from "./session-modes.ts";

/**
 * Applies the user's settings to the sessions of an execution: first those of the order, then later changes. Changes are applied one
 * after the other, each with the latest values: concurrent ones could end with the older value.
 */
export interface SessionSettings {
  /** The current session; undefined until there is one. */
  readonly session: OpenSession | undefined;
  /** Applies the settings to this session from now on. Rejects if it should plan and cannot: it would work instead. */
  open(session: OpenSession): Promise<void>;
  change(settings: Extract<DriverControl, { type: "settings" }>): void;
  /** After an answer has changed the permission mode. */
  applyMode(): Promise<void>;
}

export function createSessionSettings(input: {
  order: Pick<DriverOrder, "name" | "model" | "agentMode">;
  /** Provides the permission mode. */
  permissions: Pick<PermissionRequests, "mode" | "setMode">;
  agent(): ClientContext;
}): SessionSettings {
  const { order, permissions } = input;
  let { model, agentMode } = order;
  let session: OpenSession | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn(apply: (session: OpenSession) => Promise<void>): Promise<void> {
    const applied = last.then(async () => {
      if (session !== undefined) await apply(session);
    });
    last = applied.catch(() => {});
    return applied;
  }
  const bringToMode = (to: OpenSession) => setMode(input.agent(), to, { name: order.name, permissionMode: permissions.mode(), agentMode });
  const applyMode = () => inTurn((to) => ignoreRefusal(bringToMode(to)));
  const applyModel = () => inTurn((to) => (model === null ? Promise.resolve() : ignoreRefusal(setModel(input.agent(), to, model))));

  return {
    get session() {
      return session;
    },
    async open(opened) {
      session = opened;
      await inTurn((to) => (permissions.mode() === "plan" ? bringToMode(to) : ignoreRefusal(bringToMode(to))));
      await applyModel();
      // changes made in the meantime
      await last;
    },
    change(settings) {
      const hasLeft = (settings.permissionMode === "plan") !== (permissions.mode() === "plan");
      const hasChosen = settings.agentMode !== undefined && settings.agentMode !== agentMode;
      if (settings.agentMode !== undefined) ({ agentMode } = settings);
      permissions.setMode(settings.permissionMode);
      if (hasLeft || hasChosen) void applyMode();
      if (settings.model === null || settings.model === model) return;
      ({ model } = settings);
      void applyModel();
    },
    applyMode,
  };
}

/** A rejected setting is shown from the log; the work continues without it. */
async function ignoreRefusal(request: Promise<void>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof RequestError || error instanceof AcpFailure)) throw error;
  }
}

async function setModel(agent: ClientContext, { sessionId, response }: OpenSession, model: string): Promise<void> {
  const models = readModels(response);
  if (models === undefined || models.current === model) return;
  if (models.configId === undefined) await agent.request("session/set_model", { sessionId, modelId: model });
  else await agent.request("session/set_config_option", { sessionId, configId: models.configId, value: model });
}

/**
 * Sets a session to plan, or to ask before it acts; the permission mode decides who answers.
 * @throws AcpFailure if it should plan and has no mode for that.
 */
async function setMode(
  agent: ClientContext,
  session: OpenSession,
  { name, permissionMode, agentMode }: Pick<DriverOrder, "name" | "permissionMode" | "agentMode">,
): Promise<void> {
  const planning = findPlanMode(session.response);
  if (permissionMode === "plan") {
    if (planning === undefined) throw new AcpFailure({ code: "plan-mode-not-offered", agent: name }, "no-plan-mode");
    return choose(agent, session, planning.list, planning.plan);
  }
  const modes = readModes(session.response);
  const mode = modes && pickWorkingMode(modes, agentMode ?? undefined);
  if (modes !== undefined && mode !== undefined) await choose(agent, session, modes, mode);
  // planning is not a mode of that list, so it ends by itself
  if (planning !== undefined && planning.list.configId !== modes?.configId) await choose(agent, session, planning.list, planning.working);
}

/** The agent has changed its mode by itself. */
export function noteMode({ response }: OpenSession, mode: string): void {
  if (response.modes !== undefined) response.modes = { ...(response.modes as object), currentModeId: mode };
}

/** Keeps the current mode in the session's response up to date. */
async function choose(agent: ClientContext, { sessionId, response }: OpenSession, list: SessionChoices, mode: string): Promise<void> {
  if (list.current === mode) return;
  if (list.configId === undefined) {
    await agent.request("session/set_mode", { sessionId, modeId: mode });
    response.modes = { ...(response.modes as object), currentModeId: mode };
    return;
  }
  await agent.request("session/set_config_option", { sessionId, configId: list.configId, value: mode });
  const options = response.configOptions as { id?: string }[];
  response.configOptions = options.map((option) => (option.id === list.configId ? { ...option, currentValue: mode } : option)) as never;
}
