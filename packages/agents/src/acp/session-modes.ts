import { arrayField, objectField, stringField } from "@skein/engine/json-fields";
import type { JsonObject } from "../lines/parse-line.ts";

/** Modes in which an agent asks before it changes anything, by the names that agents give them. */
const askingModes = ["default", "ask", "manual", "read-only"];
/** Modes in which it does not. Skein answers its questions instead, so that protected files are still asked about. */
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

/** A list of which the session has one chosen, and how another one is. */
export interface SessionChoices {
  choices: SessionChoice[];
  current: string | undefined;
  /** The option that it is a value of; undefined for modes and models of the protocol itself. */
  configId: string | undefined;
}

/** What a session offers, in the forms of all versions of the protocol; the newer one first, where an agent has both. */
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

/** Where the plan mode is, and which of the same list stands for working. */
export function findPlanMode(response: JsonObject): { list: SessionChoices; plan: string; working: string } | undefined {
  for (const list of [readModes(response), readOption(response, "collaboration_mode")]) {
    const plan = list?.choices.find(({ id }) => planModes.includes(toShortId(id)))?.id;
    const working = list && pickWorkingMode(list, undefined);
    if (list !== undefined && plan !== undefined && working !== undefined) return { list, plan, working };
  }
  return undefined;
}

/** Modes that a permission mode of Skein does not stand for already. */
export function listOwnModes(response: JsonObject): SessionChoice[] {
  const taken = [...askingModes, ...boldModes, ...planModes];
  const own = (readModes(response)?.choices ?? []).filter(({ id }) => !taken.includes(toShortId(id)));
  return own.length > 1 ? own : [];
}

/** The mode to work in: that of the user's choice, else one in which it asks. Undefined where the current one is right. */
export function pickWorkingMode({ choices, current }: SessionChoices, chosen: string | undefined): string | undefined {
  const has = (id: string): boolean => choices.some((choice) => choice.id === id);
  if (chosen !== undefined && has(chosen)) return chosen;
  const isLeft = (id: string): boolean => [...boldModes, ...planModes].includes(toShortId(id));
  if (current !== undefined && !isLeft(current)) return current;
  return askingModes.find(has) ?? choices.find(({ id }) => !isLeft(id))?.id;
}

/** Some agents name their modes by the address of a page that describes them. */
function toShortId(id: string): string {
  return id.slice(id.lastIndexOf("#") + 1);
}

function readOption(response: JsonObject, category: string): SessionChoices | undefined {
  const option = (arrayField(response, "configOptions") ?? []).find((candidate) => stringField(candidate, "category") === category);
  const configId = stringField(option, "id");
  if (option === undefined || configId === undefined) return undefined;
  // values may come in groups
  const values = (arrayField(option, "options") ?? []).flatMap((value) => arrayField(value, "options") ?? [value]);
  return { choices: toChoices(values, "value"), current: stringField(option, "currentValue"), configId };
}

function toChoices(values: readonly unknown[], idField: string): SessionChoice[] {
  return (values as JsonObject[]).flatMap((value) => {
    const id = stringField(value, idField);
    return id === undefined ? [] : [{ id, name: stringField(value, "name") ?? id, description: stringField(value, "description") }];
  });
}
