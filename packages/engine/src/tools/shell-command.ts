const wrapped = /^(?:\S*\/)?(?:bash|zsh|sh) -l?c (.+)$/s;

/** The command as a user would type it: agents wrap it in a shell and quotes. */
export function unwrapShellCommand(command: string): string {
  const argument = wrapped.exec(command)?.[1];
  if (argument === undefined) return command;
  return unquote(argument) ?? command;
}

/** One shell word without its quotes; undefined if there is more. */
function unquote(word: string): string | undefined {
  let text = "";
  let rest = word;
  while (rest !== "") {
    const [part = "", single, double, plain] =
      /^(?:'([^']*)'|"((?:[^"\\$`]|\\["\\$`])*)"|((?:[A-Za-z0-9_@%+=:,./-]|\\.)+))/s.exec(rest) ?? [];
    if (part === "") return undefined;
    text += single ?? (double ?? plain ?? "").replace(/\\(.)/gs, "$1");
    rest = rest.slice(part.length);
  }
  return text;
}
