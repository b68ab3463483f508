import type { PermissionMode } from "@skein/contracts";

/** What a start is made of, as options. */
export interface FormOptions {
  title?: string;
  agent?: string;
  model?: string;
  permissionMode?: PermissionMode;
  sandbox?: boolean;
  base?: string;
}

/** Only what was given. */
export function toForm({ title, agent, model, permissionMode, sandbox, base }: FormOptions) {
  return {
    ...(title === undefined ? {} : { title }),
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(sandbox === undefined ? {} : { sandbox: sandbox ? ("workspace" as const) : ("off" as const) }),
    ...(base === undefined ? {} : { baseBranch: base }),
  };
}
