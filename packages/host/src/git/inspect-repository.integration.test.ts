import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { explainPathError, inspectRepository } from "./inspect-repository.ts";
import { git, newRepository } from "./repository.fixture.ts";

/** In another repository, which must not be found. */
function newFolderWithout(repository: string): string {
  mkdirSync(join(repository, "inner/.git"), { recursive: true });
  return join(repository, "inner");
}

describe("adding a repository", () => {
  test("a folder inside a repository resolves to the repository", async () => {
    const repository = newRepository();
    mkdirSync(join(repository, "deep/er"), { recursive: true });
    expect((await inspectRepository(join(repository, "deep/er"))).directory).toBe(repository);
  });

  test.each([
    ["a path that is not there", () => "/no/such/folder", "path-not-found"],
    ["a relative path", () => "some/where", "path-not-absolute"],
    ["a file", () => join(newRepository(), "a.txt"), "path-not-a-folder"],
    ["a folder whose .git is none", () => newFolderWithout(newRepository()), "not-a-repository"],
    ["a folder that is no repository", () => mkdtempSync(join(tmpdir(), "skein-plain-")), "not-a-repository"],
  ])("%s is recognised", async (_name, path, code) => {
    await expect(inspectRepository(path())).rejects.toMatchObject({ kind: "invalid", code });
  });

  test("a bare repository is rejected", async () => {
    const path = mkdtempSync(join(tmpdir(), "skein-bare-"));
    git(path, "init", "--quiet", "--bare");
    await expect(inspectRepository(path)).rejects.toMatchObject({ code: "bare-repository" });
  });

  test("[X9] a repository with an extension that git does not know, such as reftable, is refused with what to do", async () => {
    const repository = newRepository();
    git(repository, "config", "core.repositoryFormatVersion", "1");
    git(repository, "config", "extensions.fromTheFuture", "true");
    await expect(inspectRepository(repository)).rejects.toMatchObject({
      code: "repository-format-unsupported",
      message: expect.stringContaining("fromthefuture"),
    });
  });

  test("an unreadable folder is reported as such", () => {
    const error = Object.assign(new Error("denied"), { code: "EACCES" });
    expect(explainPathError("/secret", error)).toMatchObject({ code: "path-unreadable" });
  });
});
