import type { HooksRun } from "@skein/contracts";
import { toTerminalText } from "../terminal/terminal-text.ts";

/** What the hooks printed, or why they did not run. Empty, or with a line end. */
export function formatHooks({ outcome, output }: HooksRun): string {
  if (outcome === "ran") return output === "" ? "" : `${toTerminalText(output.trimEnd())}\n`;
  if (outcome === "not-trusted")
    return "The repository's hooks did not run: you have not trusted them. See the project's settings: skein open\n";
  return outcome === "changed" ? "The repository's hooks did not run: they have changed since you trusted them. See: skein open\n" : "";
}
