import type { TerminalExit } from "@skein/contracts";
import type { workspaceEn } from "../i18n/en-workspace.ts";
import type { Texts } from "../i18n/texts.ts";

/** How a program ended, in words. */
export function describeExit({ lost, startError, exitCode, signal }: TerminalExit, text: Texts<typeof workspaceEn>): string {
  if (startError !== undefined) return text.exit.notStarted(startError);
  if (lost) return text.exit.lost;
  if (exitCode !== null) return text.exit.code(exitCode);
  return signal === null ? text.exit.unknown : text.exit.signal(signal);
}
