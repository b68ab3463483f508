/** Each is looked for at every depth: `packages/a/.husky/pre-commit` is one, too. */
const protectedPaths: readonly { pattern: RegExp; reason(path: string): string }[] = [
  {
    pattern: /^\.git(\/|$)/,
    reason: (path) => `${path} belongs to git itself: what is written there can make git run programs.`,
  },
  {
    pattern:
      /^(\.mcp\.json$|\.claude\/(settings[^/]*\.json$|(hooks|agents|commands|skills|plugins)(\/|$))|\.(codex|gemini|opencode|agents)(\/|$)|opencode\.jsonc?$|\.cursor\/(mcp\.json|hooks\.json)$)/,
    reason: (path) => `${path} holds settings of a coding agent: what is written there can make it run programs.`,
  },
  {
    pattern: /^(\.vscode\/(tasks|settings|launch)\.json$|\.envrc$|\.husky(\/|$))/,
    reason: (path) => `${path} is read by an editor, a shell or git: what is written there can make them run programs.`,
  },
  {
    pattern: /^(node_modules|\.venv)(\/|$)/,
    reason: (path) => `${path} is part of an installed package: what is written there runs with every program that uses it.`,
  },
];

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
