/*
 * Files that make a program run something without being asked for it: git's own, settings of agents and editors, what a shell
 * reads in a folder, what installed git hooks read, and installed packages, which trust does not compare.
 */

/** `.claude` as a whole, but for the texts right in it: what its folders mean changes with every version. */
const claude = /\.claude(?:$|\/(?![^/]+\.md$))/;
const otherAgents =
  /\.mcp\.json$|\.(?:codex|gemini|opencode|agents|qwen|kiro|windsurf|roo|continue|amazonq)(?:\/|$)|opencode\.jsonc?$|\.cursor(?:$|\/(?!rules\/))|\.aider\.conf\.yml$/;
const editors =
  /\.vscode\/(?:tasks|settings|launch|mcp)\.json$|[^/]+\.code-workspace$|\.(?:zed|idea|fleet|devcontainer)(?:\/|$)|\.devcontainer\.json$|\.(?:exrc|nvimrc|vimrc|nvim\.lua|dir-locals\.el)$/;
const shells = /\.envrc$|\.?mise(?:\.[\w-]+)*\.toml$|\.mise\/|\.config\/mise(?:\/|\.toml$)/;
const gitHooks = /\.(?:husky|githooks)(?:\/|$)|\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)$|\.pre-commit-config\.ya?ml$/;
const packages = /(?:node_modules|\.venv|venv|\.yarn)(?:\/|$)/;

/** Each is looked for at every depth: `packages/a/.husky/pre-commit` is one, too. */
const protectedPaths: readonly { pattern: RegExp; reason(path: string): string }[] = [
  {
    pattern: /^\.git(\/|$)/,
    reason: (path) => `${path} belongs to git itself: what is written there can make git run programs.`,
  },
  {
    pattern: anyOf(claude, otherAgents),
    reason: (path) => `${path} holds settings of a coding agent: what is written there can make it run programs.`,
  },
  {
    pattern: anyOf(editors, shells, gitHooks),
    reason: (path) => `${path} is read by an editor, a shell or git: what is written there can make them run programs.`,
  },
  {
    pattern: anyOf(packages),
    reason: (path) => `${path} is part of an installed package: what is written there runs with every program that uses it.`,
  },
];

function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(`^(?:${patterns.map(({ source }) => source).join("|")})`);
}

/**
 * Why a file asks that an agent's trusted settings run: what is written there runs without another look, until the execution
 * ends (X16). Null for all others. `trusted` has paths in the working folder.
 */
export function findTrustedFile(relativePath: string, trusted: readonly string[]): string | null {
  const wanted = relativePath.split("/").map(toPlainName).join("/");
  const isTrusted = trusted.some((path) => path.split("/").map(toPlainName).join("/") === wanted);
  return isTrusted
    ? `${relativePath} is run by settings of this repository that you trust: what is written there would run at once.`
    : null;
}

/**
 * Files that make other programs run things: whoever writes them gets out of the working folder later. Null for all others.
 * Names are compared as the most lenient disk does: without case, without what HFS+ ignores and Windows cuts off.
 */
export function findProtection(relativePath: string): string | null {
  const segments = relativePath.split("/").map(toPlainName);
  for (const { pattern, reason } of protectedPaths) {
    if (segments.some((_, index) => pattern.test(segments.slice(index).join("/")))) return reason(relativePath);
  }
  return null;
}

function toPlainName(segment: string): string {
  return segment
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .replace(/[. ]+$/, "");
}
