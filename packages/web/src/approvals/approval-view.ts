import type { Approval, JsonValue } from "@skein/contracts";
import { toCommandLine } from "../text/to-command-line.ts";

export interface ApprovalView {
  /** A command that will run, word for word; null for tools that run none. */
  command: string | null;
  /** The tool's other input. */
  fields: { name: string; value: string }[];
}

/** The complete input of the tool, not shortened: an approval covers exactly this. */
export function toApprovalView({ input }: Pick<Approval, "input">): ApprovalView {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    return { command: null, fields: [{ name: "", value: toText(input) }] };
  const { command, ...rest } = input;
  const asCommand = command === undefined ? null : toCommand(command);
  const others = asCommand === null ? input : rest;
  return { command: asCommand, fields: Object.entries(others).map(([name, value]) => ({ name, value: toText(value) })) };
}

function toCommand(command: JsonValue): string | null {
  if (typeof command === "string") return command;
  if (!Array.isArray(command) || !command.every((argument) => typeof argument === "string")) return null;
  return toCommandLine(command);
}

function toText(value: JsonValue): string {
  if (typeof value === "string") return value;
  const compact = JSON.stringify(value);
  // The indentation of deeply nested values is many times longer than they are.
  return compact.length > 20_000 ? compact : JSON.stringify(value, null, 2);
}
