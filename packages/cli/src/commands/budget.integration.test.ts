import { describe, expect, it } from "vitest";
import { createSandbox } from "../testing/spawn-skein.ts";

/** Three calls that cost a dollar each. */
const spending = [
  ...Array.from({ length: 2 }, () => ({ toolCalls: [{ name: "bash", arguments: { command: "true" } }], costUsd: 1 })),
  { text: "Done.", costUsd: 1 },
];

describe("skein budget", () => {
  it("[L2] shows what was used, asks through `skein waiting`, and is answered; a wrong amount changes nothing", async () => {
    await using sandbox = createSandbox();
    const server = sandbox.skein(["serve", "--port", "0"]);
    await server.printed(/is ready/);
    const skein = (...args: string[]) => sandbox.skein(args).ended;
    const run = sandbox.skein([
      ...["run", "Spend it", "--repo", sandbox.repository, "--permission-mode", "full", "--budget", "1.5", "--json"],
      ...["--model", sandbox.script(spending)],
    ]);
    const [, task = ""] = await run.printed(/"taskId":"(tsk_\w+)"/);

    const waiting = async (): Promise<string> => (await skein("waiting")).stdout;
    await expect.poll(waiting, { timeout: 60_000, interval: 500 }).toContain("budget");
    expect(await skein("budget", task)).toMatchObject({
      code: 0,
      stdout: "this task: $2.00 of $1.50\nIt is used up, and an answer is needed: skein budget answer <id> more|unlimited|stop\n",
    });
    expect(JSON.parse((await skein("budget", task, "--json")).stdout)).toMatchObject({ taskId: task, own: { costUsd: 1.5 } });
    const wrong = await skein("budget", task, "--cost", "much");
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain("“much” is not an amount");

    expect(await skein("budget", "answer", task, "unlimited")).toMatchObject({ code: 0, stdout: "It continues.\n" });
    expect((await run.ended).code).toBe(0);
    expect(await skein("budget", "answer", task, "more")).toMatchObject({ code: 1 });
    expect((await skein("budget", task, "--cost", "20", "--minutes", "30")).stdout).toMatch(
      /^this task: \$3\.00 of \$20\.00\nthis task: .* of 30 min\n$/,
    );
    expect((await skein("budget", task, "--none")).stdout).toBe("No budget applies to this task.\n");
  });
});
