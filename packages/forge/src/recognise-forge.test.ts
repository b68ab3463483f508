import { describe, expect, it } from "vitest";
import { recogniseForge } from "./recognise-forge.ts";

const at = (host: string, path = "acme/app", protocol: "https" | "http" | "ssh" = "https") => ({ host, path, protocol });

describe("[G6] the forge of a remote", () => {
  it.each([
    [at("github.com", "acme/app", "ssh"), { kind: "github", host: "github.com", apiUrl: "https://api.github.com" }],
    [at("ssh.github.com", "acme/app", "ssh"), { kind: "github", host: "github.com", apiUrl: "https://api.github.com" }],
    [at("GitLab.com", "group/sub/app"), { kind: "gitlab", host: "gitlab.com", path: "group/sub/app", apiUrl: "https://gitlab.com/api/v4" }],
    [at("codeberg.org"), { kind: "gitea", apiUrl: "https://codeberg.org/api/v1" }],
  ])("%o is well known", (remote, expected) => {
    expect(recogniseForge(remote, {})).toMatchObject(expected);
  });

  it("other hosts are those of the settings, at the usual place or at a given one", () => {
    const hosts = {
      "git.example.com": { kind: "github" as const },
      "code.example.com:8443": { kind: "gitea" as const, apiUrl: "https://code.example.com:8443/git/api/v1/" },
    };
    expect(recogniseForge(at("git.example.com"), hosts)).toMatchObject({ kind: "github", apiUrl: "https://git.example.com/api/v3" });
    expect(recogniseForge(at("code.example.com:8443"), hosts)?.apiUrl).toBe("https://code.example.com:8443/git/api/v1");
  });

  it("[X11] a name proves nothing: no request is made on a guess", () => {
    expect(recogniseForge(at("github.example.com"), {})).toBeUndefined();
    expect(recogniseForge(at("gitlab.evil.example"), {})).toBeUndefined();
    expect(recogniseForge(at("notgithub.com"), {})).toBeUndefined();
    for (const host of ["constructor", "__proto__", "toString"]) expect(recogniseForge(at(host), {})).toBeUndefined();
  });

  it("[X11] requests to the API use https, except on this machine", () => {
    const hosts = { "git.example.com": { kind: "gitlab" as const }, "127.0.0.1:3000": { kind: "gitea" as const } };
    expect(recogniseForge(at("git.example.com", "a/b", "http"), hosts)?.apiUrl).toBe("https://git.example.com/api/v4");
    expect(recogniseForge(at("127.0.0.1:3000", "a/b", "http"), hosts)?.apiUrl).toBe("http://127.0.0.1:3000/api/v1");
  });

  it.each([["app"], ["acme/app/more"], ["acme/../app"], [""]])("“%s” is no repository of GitHub", (path) => {
    expect(recogniseForge(at("github.com", path), {})).toBeUndefined();
  });
});
