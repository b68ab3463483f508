/** Variables of the server's environment that agents inherit (X11): the minimum for a program of this user. */
const allowed = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TERM",
  "TMPDIR",
  "TZ",
  "SSH_AUTH_SOCK",
  "EDITOR",
]);
const allowedPrefixes = ["LC_", "XDG_"];

/** The variables of an environment that every agent gets. Keys and tokens are not among them. */
export function toAgentEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && (allowed.has(name) || allowedPrefixes.some((prefix) => name.startsWith(prefix))) ? [[name, value]] : [],
    ),
  );
}
