// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences
const answers = /\x1b(?:\[[?>=]?[\d;]*\$?[cnRyt]|\][^\x07\x1b]*(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\)/g;

/**
 * Removes what a terminal answers to a program that asks for its kind, its colours or its cursor. When old output is shown again, the
 * questions in it are answered again, and nobody waits for that: a shell would take it for keys.
 */
export function removeTerminalAnswers(typed: string): string {
  return typed.replace(answers, "");
}
