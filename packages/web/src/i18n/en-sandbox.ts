/** Settings → Sandbox. */
export const sandboxEn = {
  about:
    "A sandbox is enforced by the operating system. The agent can change its own folder and temporary files, and nothing else: not your other files, " +
    "not the repository's settings and hooks, not your shell or its own settings. It cannot see your keys and logins, Skein's data or other attempts.",
  state: "This machine",
  supported: "Sandboxes work here.",
  system: "Sandboxes need Linux on x86-64 or ARM64. Agents that are set to use one do not start here.",
  notInstalled: "bubblewrap is not installed. Until it is, agents that are set to use a sandbox do not start. On Debian and Ubuntu:",
  notPermitted: (detail: string) =>
    `bubblewrap is installed but may not create namespaces, so agents that are set to use a sandbox do not start. It reports: ${detail}`,
  default: "New attempts",
  defaultEffect: "Each attempt can have another setting: below its composer.",
  off: "No sandbox",
  workspace: "In a sandbox",
  hosts: "Addresses that agents in a sandbox may reach",
  hostsText:
    "One per line: example.com, *.example.com, 127.0.0.1:8080, or * for everything on the internet. The agent's own provider is always reachable, " +
    "and nothing else that is not listed. Applies from the next message.",
  hostsOf: "Addresses for",
  allProjects: "All projects",
  projectHostsText:
    "For this project’s attempts, in addition to the addresses for all projects. One per line. Applies from the next message.",
  invalid: (line: string) => `“${line}” is not a name or an address with a port.`,
  save: "Save",
  saved: "Saved.",
};
export type SandboxText = typeof sandboxEn;
