/** What is being typed that can be completed: `@src/ap` names a file, `/com` at the very beginning a command. */
export interface Completion {
  kind: "file" | "command";
  /** What was typed of it, without its sign. */
  query: string;
  /** Where it is, including its sign. */
  from: number;
  to: number;
}

export function findCompletion(text: string, caret: number): Completion | null {
  const before = text.slice(0, caret);
  const command = /^\/([\w:-]*)$/.exec(before);
  if (command) return { kind: "command", query: command[1] ?? "", from: 0, to: caret };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  if (!file) return null;
  const query = file[1] ?? "";
  return { kind: "file", query, from: caret - query.length - 1, to: caret };
}

/** The text with the chosen completion, and where typing continues: after a space, or directly after a folder. */
export function applyCompletion(text: string, { kind, from, to }: Completion, chosen: string): { text: string; caret: number } {
  const sign = kind === "file" ? "@" : "/";
  const rest = text.slice(to);
  const space = chosen.endsWith("/") || /^\s/.test(rest) ? "" : " ";
  const written = `${sign}${chosen}${space}`;
  return { text: `${text.slice(0, from)}${written}${rest}`, caret: from + written.length };
}

/** Commands whose name begins with what was typed, then those that contain it. */
export function matchCommands<Command extends { name: string }>(commands: readonly Command[], query: string): Command[] {
  const wanted = query.toLowerCase();
  const place = ({ name }: Command): number => name.toLowerCase().indexOf(wanted);
  return commands.filter((command) => place(command) !== -1).sort((a, b) => Math.sign(place(a)) - Math.sign(place(b)));
}
