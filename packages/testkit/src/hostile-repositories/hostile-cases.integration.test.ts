import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { hostileCases } from "./hostile-cases.ts";
import { newHostileRepository } from "./hostile-repository.ts";

const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(execFileSync("git", ["--version"], { encoding: "utf8" })) ?? []).slice(1).map(Number);

test.each(Object.values(hostileCases).flat())(
  "[X9] plain git starts the program of $name",
  ({ build, asAgent, provoke, since = [0, 0] }) => {
    if (major < since[0] || (major === since[0] && minor < since[1])) return;
    const repository = newHostileRepository();
    build?.(repository);
    asAgent?.(repository, repository.path);
    repository.forgetTrace();
    provoke(repository, repository.path);
    expect(repository.fired()).not.toBe("");
  },
);
