import { expect, test } from "vitest";
import { runScript } from "./run-script.ts";

const order = {
  cwd: process.cwd(),
  environment: { PATH: process.env.PATH ?? "" },
  timeoutMs: null,
  marker: `check-${crypto.randomUUID()}`,
};

test("[L4] a script that was stopped ends no later one with the same marker", async () => {
  const stopped = runScript({ ...order, script: "echo ready; sleep 60" }, () => stopped.stop());
  expect(await stopped.ended).toMatchObject({ signal: "SIGTERM" });
  // longer than a stopped script has to end by itself
  let output = "";
  const next = runScript({ ...order, script: "sleep 3.5; echo done" }, (_stream, text) => {
    output += text;
  });
  stopped.stop();
  expect(await next.ended).toMatchObject({ exitCode: 0, signal: null });
  expect(output).toBe("done\n");
});
