const agentSettings = [
  /^\.mcp\.json$/,
  /^\.claude\/(settings[^/]*\.json$|hooks(\/|$))/,
  /^\.codex(\/|$)/,
  /^\.gemini(\/|$)/,
  /^\.opencode(\/|$)/,
  /^opencode\.jsonc?$/,
  /^\.cursor\/(mcp\.json|hooks\.json)$/,
];

/**
 * Files that make other programs run things: whoever writes them gets out of the working folder later.
 * Compared without case, because `.GIT/hooks` is the same folder on many disks.
 */
export function findProtection(relativePath: string): string | null {
  const path = relativePath.toLowerCase();
  const segments = path.split("/");
  if (segments.includes(".git")) return `${relativePath} belongs to git itself: what is written there can make git run programs.`;
  const settings = segments.some((_, index) => agentSettings.some((pattern) => pattern.test(segments.slice(index).join("/"))));
  return settings ? `${relativePath} holds settings of a coding agent: what is written there can make it run programs.` : null;
}
