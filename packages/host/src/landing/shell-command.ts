/** A command line for a POSIX shell. Only arguments that need quotes get them; `<…>`, which the user fills in, stays as it is. */
export function toShellCommand(...args: readonly string[]): string {
  return args.map((arg) => (/^[\w./:=@%+,-]+$/.test(arg) || /^<[a-z ]+>$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`)).join(" ");
}
