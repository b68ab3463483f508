import { InvalidArgumentError, Option } from "commander";

/** Loads the module of a command only when it runs: `serve` must not wait for the others. */
export type Action = () => Promise<number>;

/** Receives the action of the command that was parsed. */
export type Choose = (action: Action) => void;

/** The parser of an option that may be given several times. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value];

/** The description of the argument `<id>`. */
export const idText = "a task (tsk_…: its active attempt) or an attempt (att_…); the beginning of the id is enough";

/** The examples at the end of a command's help. */
export const examples = (...lines: string[]): string =>
  `\n${lines.length === 1 ? "Example" : "Examples"}:\n${lines.map((line) => `  ${line}`).join("\n")}`;

/** `--home`, which every command has. */
export const homeOption = () => new Option("--home <dir>", "data dir (default: SKEIN_HOME or ~/.skein)");

export function toCount(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError("Use a number from 1 to 999.");
  return Number(text);
}

export function toDays(text: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) > 3650) throw new InvalidArgumentError("Use a number of days from 0 to 3650.");
  return Number(text);
}

/** Parses `7d`, `12h`, or a date. */
export function toSince(text: string): number {
  const [, count, unit] = /^(\d{1,5})([dhm])$/.exec(text) ?? [];
  const milliseconds = { d: 86_400_000, h: 3_600_000, m: 60_000 };
  if (count !== undefined) return Date.now() - Number(count) * milliseconds[unit as keyof typeof milliseconds];
  const time = Date.parse(text);
  if (Number.isFinite(time) && time >= 0) return time;
  throw new InvalidArgumentError("Use a date such as 2026-05-31, or a number of days or hours such as 7d or 12h.");
}

export function toPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("Use a number from 0 to 65535.");
  return port;
}
