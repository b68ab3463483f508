/** Phrases that several English texts share. */

interface Login {
  command?: string;
  enter?: string;
  variable?: string;
}

/** How to log in to an agent. */
export function toLogIn({ command, enter, variable }: Login = {}): string {
  if (command === undefined) return "Log in with its own program, or set its API key in config.json.";
  if (enter === undefined && variable === undefined) return `Run: ${command}`;
  const how = enter === undefined ? "" : ` (${enter})`;
  return `Run \`${command}\` in a terminal and log in there${how}${variable === undefined ? "" : `, or set ${variable}`}.`;
}

/** `a.sh, b.sh and 2 more`. */
export function toNames({ names, more }: { names: readonly string[]; more: number }): string {
  return `${names.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
}

/** `1 file`, `2 files`. */
export function toCount(count: number, one: string, other = `${one}s`): string {
  return `${count} ${count === 1 ? one : other}`;
}

/** `$0.12`; two significant digits below a cent. */
export function toDollars(usd: number): string {
  if (usd < 0.0001) return "less than $0.0001";
  return `$${usd < 0.01 ? usd.toPrecision(2) : usd.toFixed(2)}`;
}
