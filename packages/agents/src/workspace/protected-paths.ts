import type { ApprovalWarning } from "@skein/contracts";

/*
 * Files that make programs run something implicitly: git's own, settings of agents and editors, what a shell reads in a folder, what
 * installed git hooks read, and installed packages, which trust does not compare.
 */

/** Why a write needs the user's approval. */
export type FileWarning = Extract<ApprovalWarning, { path: string }>;

/** All of `.claude`, except for texts directly in it: the meaning of its folders changes with every version. */
const claude = /\.claude(?:$|\/(?![^/]+\.md$))/;
const otherAgents =
  /\.mcp\.json$|\.(?:codex|gemini|opencode|agents|qwen|kiro|windsurf|roo|continue|amazonq)(?:\/|$)|opencode\.jsonc?$|\.cursor(?:$|\/(?!rules\/))|\.aider\.conf\.yml$/;
const editors =
  /\.vscode\/(?:tasks|settings|launch|mcp)\.json$|[^/]+\.code-workspace$|\.(?:zed|idea|fleet|devcontainer)(?:\/|$)|\.devcontainer\.json$|\.(?:exrc|nvimrc|vimrc|nvim\.lua|dir-locals\.el)$/;
const shells = /\.envrc$|\.?mise(?:\.[\w-]+)*\.toml$|\.mise\/|\.config\/mise(?:\/|\.toml$)/;
const gitHooks = /\.(?:husky|githooks)(?:\/|$)|\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)$|\.pre-commit-config\.ya?ml$/;
const packages = /(?:node_modules|\.venv|venv|\.yarn)(?:\/|$)/;

/** Matched at every depth: `packages/a/.husky/pre-commit` is one, too. */
const protectedPaths: readonly { pattern: RegExp; code: FileWarning["code"] }[] = [
  { pattern: /^\.git(\/|$)/, code: "git-file" },
  { pattern: anyOf(claude, otherAgents), code: "agent-settings-file" },
  { pattern: anyOf(editors, shells, gitHooks), code: "editor-file" },
  { pattern: anyOf(packages), code: "package-file" },
];

function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(`^(?:${patterns.map(({ source }) => source).join("|")})`);
}

/**
 * Why a file that trusted settings run needs approval: its new content would run unreviewed until the execution ends (X16). Null for all
 * others. `trusted` has paths relative to the working folder.
 */
export function findTrustedFile(relativePath: string, trusted: readonly string[]): FileWarning | null {
  const wanted = relativePath.split("/").map(toPlainName).join("/");
  const isTrusted = trusted.some((path) => path.split("/").map(toPlainName).join("/") === wanted);
  return isTrusted ? { code: "trusted-file", path: relativePath } : null;
}

/**
 * Files that make other programs run things: writing one escapes the working folder later. Null for all others. Names are compared as on
 * the most lenient file system: case-insensitive, without characters that HFS+ ignores and Windows strips.
 */
export function findProtection(relativePath: string): FileWarning | null {
  const segments = relativePath.split("/").map(toPlainName);
  for (const { pattern, code } of protectedPaths) {
    if (segments.some((_, index) => pattern.test(segments.slice(index).join("/")))) return { code, path: relativePath };
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
