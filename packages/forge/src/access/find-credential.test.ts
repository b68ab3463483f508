import { describe, expect, it } from "vitest";
import { findCredential } from "./find-credential.ts";

const github = { kind: "github", host: "github.com" } as const;
const enterprise = { kind: "github", host: "git.example.com" } as const;
const gitlab = { kind: "gitlab", host: "gitlab.com" } as const;
const gitea = { kind: "gitea", host: "code.example.com" } as const;

const noCli = async () => undefined;

describe("[G6] the token for a host", () => {
  it("comes from the environment, then the settings, then the login of the command line tool", async () => {
    const calls: string[] = [];
    const run = async (program: string, args: readonly string[]) => {
      calls.push([program, ...args].join(" "));
      return "from-cli\n";
    };
    const environment = { GITHUB_TOKEN: "second", GH_TOKEN: "first" };
    expect(await findCredential(github, { environment, setting: "set", run })).toEqual({ token: "first", source: "environment" });
    expect(await findCredential(github, { environment: { GITHUB_TOKEN: "second" }, run })).toMatchObject({ token: "second" });
    expect(await findCredential(github, { environment: {}, setting: "set", run })).toEqual({ token: "set", source: "settings" });
    expect(calls).toEqual([]);
    expect(await findCredential(github, { environment: {}, run })).toEqual({ token: "from-cli", source: "cli" });
    expect(await findCredential(gitlab, { environment: {}, run })).toEqual({ token: "from-cli", source: "cli" });
    expect(calls).toEqual(["gh auth token --hostname github.com", "glab config get token --host gitlab.com"]);
  });

  it("[X11] a variable counts only for the host that it belongs to", async () => {
    const environment = { GH_TOKEN: "a", GITHUB_TOKEN: "b", GH_ENTERPRISE_TOKEN: "c", GITLAB_TOKEN: "d", GITEA_TOKEN: "e" };
    expect(await findCredential(enterprise, { environment, run: noCli })).toBeUndefined();
    expect(await findCredential({ ...gitlab, host: "git.example.com" }, { environment, run: noCli })).toBeUndefined();
    expect(await findCredential(gitea, { environment, run: noCli })).toBeUndefined();
    const named = {
      ...environment,
      GH_HOST: "git.example.com",
      GITLAB_HOST: "https://git.example.com",
      GITEA_SERVER_URL: "https://code.example.com/",
    };
    expect(await findCredential(enterprise, { environment: named, run: noCli })).toMatchObject({ token: "c" });
    expect(await findCredential({ ...gitlab, host: "git.example.com" }, { environment: named, run: noCli })).toMatchObject({ token: "d" });
    expect(await findCredential(gitlab, { environment: named, run: noCli })).toBeUndefined();
    expect(await findCredential(gitea, { environment: named, run: noCli })).toMatchObject({ token: "e" });
  });

  it("a tool that prints a message instead of a token has none", async () => {
    const run = async () => "no oauth token found for github.com\n";
    expect(await findCredential(github, { environment: {}, run })).toBeUndefined();
  });

  it("a tool that is not installed has none, which is not an error", async () => {
    const path = process.env.PATH;
    process.env.PATH = "/nowhere";
    try {
      expect(await findCredential(github, { environment: {} })).toBeUndefined();
    } finally {
      process.env.PATH = path;
    }
  });
});
