import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { toShellCommand } from "./shell-command.ts";

it("[G5] a command to run is quoted where a path needs it, and only there", () => {
  expect(toShellCommand("git", "-C", "/home/ada/atlas", "stash", "-u")).toBe("git -C /home/ada/atlas stash -u");
  expect(toShellCommand("rm", "/home/ada/my repo/it's.lock")).toBe(`rm '/home/ada/my repo/it'\\''s.lock'`);
  expect(toShellCommand("git", "remote", "add", "origin", "<address>")).toBe("git remote add origin <address>");
});

it("[G5] a shell reads every argument as it is", () => {
  const argument = fc
    .string({ unit: "binary", minLength: 1, maxLength: 12 })
    .filter((text) => !/[\0\n]|^<[a-z ]+>$/.test(text) && text.isWellFormed());
  fc.assert(
    fc.property(fc.array(argument, { minLength: 1, maxLength: 4 }), (args) => {
      const output = execFileSync("sh", ["-c", `printf '%s\\n' ${toShellCommand(...args)}`], { encoding: "utf8" });
      expect(output).toBe(args.map((arg) => `${arg}\n`).join(""));
    }),
    { numRuns: 20 },
  );
});
