/**
 * What a sandboxed program may reach. Plain data, because it passes between processes. All paths are absolute; a path that does not exist
 * is ignored.
 */
export interface SandboxOrder {
  /** Folders and files that it may change, besides its private `/tmp`. Everything else is read-only. */
  writable: readonly string[];
  /** Files and folders within `writable` that it may only read. */
  protected: readonly string[];
  /** Folders and files that look empty to it. `writable` and `visible` paths inside of them are reachable. */
  hidden: readonly string[];
  /** Files and folders within `hidden` that it may read. */
  visible: readonly string[];
  /** Where it may connect to: see `network-rules.ts`. Empty: no network. */
  hosts: readonly string[];
}

/** The variable by which a program of Skein receives the order for the commands that it runs. It never reaches a command. */
export const sandboxVariable = "SKEIN_SANDBOX";
