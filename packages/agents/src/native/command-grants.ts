/**
 * Whatever can chain, redirect, substitute or expand: a command that holds one of these may do more than its first words
 * say, also inside quotes. Being asked once too often is harmless, being asked once too seldom is not.
 */
const shellSyntax = /[;&|<>`$(){}\\\n\r\0]/;

/** Their second word says what they do. */
const multiWordCommands = new Set(
  "apt apt-get brew bun bundle cargo composer deno docker docker-compose dotnet flutter gcloud gh git go gradle helm just kubectl make mise mix mvn npm npx pip pip3 pnpm podman poetry rails rake rustup swift systemctl task terraform uv yarn".split(
    " ",
  ),
);

/** They run the program, file or text that they are given: their name alone says nothing. */
const interpreters = new Set("awk bash dash fish ksh lua node perl php python python3 ruby sh tsx zsh".split(" "));
const wrappers = new Set(
  "builtin chroot command doas env eval exec find ionice nice nohup parallel script setsid source ssh stdbuf strace su sudo time timeout watch xargs .".split(
    " ",
  ),
);

const plainWord = /^[\w./@:+-]+$/;

/** Whole words from the beginning, and nothing in the command that could do anything else. */
export function coversCommand(prefix: string, command: string): boolean {
  if (shellSyntax.test(command)) return false;
  const wanted = toWords(prefix);
  const words = toWords(command);
  return wanted.length > 0 && wanted.every((word, index) => words[index] === word);
}

/** The words that “always” would allow; undefined where they would allow more than the person sees. */
export function toCommandPrefix(command: string): string | undefined {
  if (shellSyntax.test(command)) return undefined;
  const [first, second] = toWords(command);
  if (first === undefined || !plainWord.test(first)) return undefined;
  const name = first.slice(first.lastIndexOf("/") + 1);
  if (wrappers.has(name)) return undefined;
  if (!multiWordCommands.has(name) && !interpreters.has(name)) return first;
  // `git` alone, or `git -C elsewhere`, as a beginning would allow all of git.
  return second === undefined || second.startsWith("-") || !plainWord.test(second) ? undefined : `${first} ${second}`;
}

function toWords(text: string): string[] {
  return text.split(/[ \t]+/).filter((word) => word !== "");
}
