import type { ClientContext } from "@agentclientprotocol/sdk";
import { arrayField, objectField, stringField } from "@skein/engine/json-fields";
import type { JsonObject } from "../lines/parse-line.ts";
import type { OpenSession } from "./open-session.ts";

/** Modes in which an agent asks before it changes anything, by the names that agents give them. */
const askingModes = ["default", "ask", "manual", "read-only"];
/** Modes in which it does not. Skein answers its questions instead, so that protected files are still asked about. */
const boldModes = [
  "auto",
  "autoEdit",
  "auto_edit",
  "acceptEdits",
  "accept-edits",
  "yolo",
  "bypassPermissions",
  "dontAsk",
  "full-access",
  "agent-full-access",
];

export async function setModel(agent: ClientContext, { sessionId, told }: OpenSession, model: string): Promise<void> {
  const option = findOption(told, "model");
  const models = objectField(told, "models");
  if (option !== undefined) {
    if (option.current !== model) await agent.request("session/set_config_option", { sessionId, configId: option.id, value: model });
  } else if (models !== undefined && stringField(models, "currentModelId") !== model) {
    await agent.request("session/set_model", { sessionId, modelId: model });
  }
}

/** Brings a session to ask before it acts; who answers depends on the permission mode. */
export async function setAskingMode(agent: ClientContext, { sessionId, told }: OpenSession): Promise<void> {
  const modes = objectField(told, "modes");
  const current = stringField(modes, "currentModeId");
  if (modes !== undefined) {
    const asking = pickAskingMode(
      current,
      (arrayField(modes, "availableModes") ?? []).flatMap((mode) => stringField(mode, "id") ?? []),
    );
    if (asking !== undefined) await agent.request("session/set_mode", { sessionId, modeId: asking });
    return;
  }
  const option = findOption(told, "mode");
  const asking = option && pickAskingMode(option.current, option.values);
  if (option !== undefined && asking !== undefined) {
    await agent.request("session/set_config_option", { sessionId, configId: option.id, value: asking });
  }
}

function pickAskingMode(current: string | undefined, available: readonly string[]): string | undefined {
  if (current !== undefined && !boldModes.includes(current)) return undefined;
  return askingModes.find((mode) => available.includes(mode));
}

interface ConfigOption {
  id: string;
  current: string | undefined;
  values: string[];
}

function findOption(told: JsonObject, category: string): ConfigOption | undefined {
  const option = (arrayField(told, "configOptions") ?? []).find((candidate) => stringField(candidate, "category") === category);
  const id = stringField(option, "id");
  if (option === undefined || id === undefined) return undefined;
  const values = (arrayField(option, "options") ?? []).flatMap((value) => stringField(value, "value") ?? []);
  return { id, current: stringField(option, "currentValue"), values };
}
