import type { GeneralSettings, ProjectId, ResourceLimits } from "@skein/contracts";

/** What the processes of an execution of a project may use together. */
export function toResourceLimits({ resources }: Pick<GeneralSettings, "resources">, projectId: ProjectId | undefined): ResourceLimits {
  const { perProject, ...all } = resources;
  return { ...all, ...(projectId === undefined ? {} : perProject[projectId]) };
}

/** What a sandbox of a project's attempt may connect to. */
export function toSandboxHosts({ sandbox }: Pick<GeneralSettings, "sandbox">, projectId: ProjectId | undefined): string[] {
  const own = projectId === undefined ? [] : (sandbox.perProject[projectId]?.hosts ?? []);
  return [...new Set([...sandbox.hosts, ...own])];
}
