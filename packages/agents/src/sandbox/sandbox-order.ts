/** What a sandboxed program may reach. Plain data, because it passes between processes. All paths are absolute. */
export interface SandboxOrder {
  /** What differs from the rule: the machine's files can be read and not changed, and `/tmp` is private. */
  mounts: readonly SandboxMount[];
  /** Where it may connect to: see `network-rules.ts`. Empty: no network. */
  hosts: readonly string[];
}

/**
 * A file or folder as the sandbox sees it. One inside another counts there; of two for the same path, the later one. A path that does
 * not exist is ignored.
 */
export type SandboxMount =
  /** `from`: shows another file or folder at this path, which need not exist outside. */
  | { path: string; access: "read" | "write"; from?: string }
  /** Looks empty. */
  | { path: string; access: "none" };

/** The variable by which a program of Skein receives the order for the commands that it runs. It never reaches a command. */
export const sandboxVariable = "SKEIN_SANDBOX";

/** Reads that variable. @throws if it is set and not an order: nothing may run without the sandbox then */
export function parseSandboxOrder(text: string | undefined): SandboxOrder | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as SandboxOrder);
}
