import type { Forge, ForgeRepository } from "./forge.ts";

/** The forge of a repository. The adapter is loaded with the first one of its kind. */
export async function createForge(input: { repository: ForgeRepository; token: string }): Promise<Forge> {
  switch (input.repository.kind) {
    case "github":
      return (await import("./github/create-github-forge.ts")).createGithubForge(input);
    case "gitlab":
      return (await import("./gitlab/create-gitlab-forge.ts")).createGitlabForge(input);
    case "gitea":
      return (await import("./gitea/create-gitea-forge.ts")).createGiteaForge(input);
  }
}

/** The user name that goes with a token when git pushes over https. */
export function toGitCredential({ kind }: ForgeRepository, token: string): { username: string; token: string } {
  return { username: kind === "gitlab" ? "oauth2" : "x-access-token", token };
}
