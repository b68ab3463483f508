/** The model may name the shell: one of its own making could do anything with the text. */
export const systemShell = /^(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/bin\/(?:bash|zsh|sh)$/;

/** The text that is passed to a system shell, from the shell's arguments; undefined if they start anything else. */
export function unwrapShellArguments(command: readonly unknown[]): string | undefined {
  const [shell, option, text, ...more] = command;
  if (typeof shell !== "string" || typeof option !== "string" || typeof text !== "string" || more.length > 0) return undefined;
  return systemShell.test(shell) && /^-l?c$/.test(option) ? text : undefined;
}
