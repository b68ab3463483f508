/** Arguments as a shell would take them: quoted where needed, so that one with spaces cannot pass for two. */
export function toCommandLine(args: readonly string[]): string {
  return args.map((argument) => (/^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`)).join(" ");
}
