import type { GeneralSettings } from "@skein/contracts";
import type { HostedContext } from "../executions/execution-context.ts";

/** Dependencies of imports. */
export interface ImportContext extends Pick<HostedContext, "storage" | "host" | "logger" | "now" | "loadPresentTool"> {
  /** The data dir: copies of databases are made in it, and sessions of its worktrees are Skein's own. */
  home: string;
  settings: { general(): Pick<GeneralSettings, "importAs" | "importWatch"> };
}
