import { boundAnswers } from "./bound-answers.ts";
import type { Forge, ForgeRepository } from "./forge.ts";

interface ForgeInput {
  repository: ForgeRepository;
  token: string;
}

/** The forge of a repository. Its adapter is loaded on first use. */
export async function createForge(input: ForgeInput): Promise<Forge> {
  return boundAnswers(await loadAdapter(input), input.repository);
}

async function loadAdapter(input: ForgeInput): Promise<Forge> {
  switch (input.repository.kind) {
    case "github":
      return (await import("./github/create-github-forge.ts")).createGithubForge(input);
    case "gitlab":
      return (await import("./gitlab/create-gitlab-forge.ts")).createGitlabForge(input);
    case "gitea":
      return (await import("./gitea/create-gitea-forge.ts")).createGiteaForge(input);
  }
}

/** For pushing over https: the token, the user name that goes with it, and the only host that may get them. */
export function toGitCredential({ kind, host }: ForgeRepository, token: string): { username: string; token: string; host: string } {
  return { username: kind === "gitlab" ? "oauth2" : "x-access-token", token, host };
}
