import { arrayField, objectField, stringField } from "@skein/engine/json-fields";
import type { JsonObject } from "../lines/parse-line.ts";

/** Modes in which an agent asks before it changes anything, by the names that agents use. */
const askingModes = ["default", "ask", "manual", "read-only"];
/** Modes in which it does not ask. Skein answers its questions instead, so that protected files still need approval. */
const boldModes = [
  "auto",
  "autoEdit",
  "auto_edit",
  "auto-edit",
  "acceptEdits",
  "accept-edits",
  "yolo",
  "bypassPermissions",
  "dontAsk",
  "full-access",
  "agent-full-access",
  "autopilot",
];
/** Modes in which it only reads, and ends with a plan. */
const planModes = ["plan", "architect"];

export interface SessionChoice {
  id: string;
  name: string;
  description: string | undefined;
}

/** A list of choices of the session, with the current one, and how to change it. */
export interface SessionChoices {
  choices: SessionChoice[];
  current: string | undefined;
  /** The config option that it is a value of; undefined for the protocol's own modes and models. */
  configId: string | undefined;
}

/** The choices of a session, in the forms of all protocol versions; the newer form takes precedence. */
export function readModels(response: JsonObject): SessionChoices | undefined {
  const models = objectField(response, "models");
  const option = readOption(response, "model");
  if (option !== undefined || models === undefined) return option;
  const choices = toChoices(arrayField(models, "availableModels") ?? [], "modelId");
  return { choices, current: stringField(models, "currentModelId"), configId: undefined };
}

export function readModes(response: JsonObject): SessionChoices | undefined {
  const modes = objectField(response, "modes");
  if (modes === undefined) return readOption(response, "mode");
  return {
    choices: toChoices(arrayField(modes, "availableModes") ?? [], "id"),
    current: stringField(modes, "currentModeId"),
    configId: undefined,
  };
}

/** The plan mode, and the mode of the same list that stands for working. */
export function findPlanMode(response: JsonObject): { list: SessionChoices; plan: string; working: string } | undefined {
  for (const list of [readModes(response), readOption(response, "collaboration_mode")]) {
    const plan = list?.choices.find(({ id }) => planModes.includes(toShortId(id)))?.id;
    const working = list && pickWorkingMode(list, undefined);
    if (list !== undefined && plan !== undefined && working !== undefined) return { list, plan, working };
  }
  return undefined;
}

/** Modes that no permission mode of Skein represents. */
export function listOwnModes(response: JsonObject): SessionChoice[] {
  const taken = [...askingModes, ...boldModes, ...planModes];
  const own = (readModes(response)?.choices ?? []).filter(({ id }) => !taken.includes(toShortId(id)));
  return own.length > 1 ? own : [];
}

/** The mode to work in: the user's choice, otherwise one in which it asks. Undefined if the current one is right. */
export function pickWorkingMode({ choices, current }: SessionChoices, chosen: string | undefined): string | undefined {
  const has = (id: string): boolean => choices.some((choice) => choice.id === id);
  if (chosen !== undefined && has(chosen)) return chosen;
  const isLeft = (id: string): boolean => [...boldModes, ...planModes].includes(toShortId(id));
  if (current !== undefined && !isLeft(current)) return current;
  return askingModes.find(has) ?? choices.find(({ id }) => !isLeft(id))?.id;
}

/** Some agents name their modes by the URL of a page that describes them. */
function toShortId(id: string): string {
  return id.slice(id.lastIndexOf("#") + 1);
}

function readOption(response: JsonObject, category: string): SessionChoices | undefined {
  const option = (arrayField(response, "configOptions") ?? []).find((candidate) => stringField(candidate, "category") === category);
  const configId = stringField(option, "id");
  if (option === undefined || configId === undefined) return undefined;
  // values may be grouped
  const values = (arrayField(option, "options") ?? []).flatMap((value) => arrayField(value, "options") ?? [value]);
  return { choices: toChoices(values, "value"), current: stringField(option, "currentValue"), configId };
}

function toChoices(values: readonly unknown[], idField: string): SessionChoice[] {
  return (values as JsonObject[]).flatMap((value) => {
    const id = stringField(value, idField);
    return id === undefined ? [] : [{ id, name: stringField(value, "name") ?? id, description: stringField(value, "description") }];
  });
}
