/** The model may name the shell: one of its own making would do something else than the words say. */
export const systemShell = /^(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/bin\/(?:bash|zsh|sh)$/;

/** The text that is given to a shell of the system, from the arguments that start it; undefined where they start anything else. */
export function unwrapShellArguments(command: readonly unknown[]): string | undefined {
  const [shell, option, text, ...more] = command;
  if (typeof shell !== "string" || typeof option !== "string" || typeof text !== "string" || more.length > 0) return undefined;
  return systemShell.test(shell) && /^-l?c$/.test(option) ? text : undefined;
}
