import { toCommandLine } from "../text/to-command-line.ts";

/** What is typed into the form. */
export interface CustomAgentDraft {
  kind: "acp" | "command";
  name: string;
  program: string;
  /** One argument per line. */
  args: string;
  /** `NAME=value` or `NAME`, one per line. */
  variables: string;
}

export const emptyCustomAgent: CustomAgentDraft = { kind: "acp", name: "", program: "", args: "", variables: "" };

/** Empty where the name has no character that an id may have, as in 我的助手. */
export function toAgentId({ kind, name }: CustomAgentDraft): string {
  const part = name
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80);
  return name.trim() === "" ? "" : `${kind}:${part || "agent"}`;
}

/** The first line that sets no variable. */
export function findBadVariable({ variables }: CustomAgentDraft): string | undefined {
  return toLines(variables).find((line) => !/^[A-Za-z_][A-Za-z0-9_]*(?:=|$)/.test(line));
}

/** A relative path would mean another program in every folder. */
export function isRelativeProgram({ program }: CustomAgentDraft): boolean {
  return program.includes("/") && !program.trim().startsWith("/");
}

/**
 * The line to be run in a terminal, every word quoted where a shell would interpret it; undefined until the form is complete.
 * @param start the command up to its arguments, as the server gives it
 */
export function toAddCommand(draft: CustomAgentDraft, start: readonly string[]): string | undefined {
  const id = toAgentId(draft);
  const program = draft.program.trim();
  if (id === "" || program === "" || isRelativeProgram(draft) || findBadVariable(draft) !== undefined) return undefined;
  const variables = toLines(draft.variables).flatMap((line) => ["--env", line]);
  const args = draft.args.split("\n").filter((line) => line !== "");
  return toCommandLine([...start, id, "--name", draft.name.trim(), ...variables, "--", program, ...args]);
}

function toLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
