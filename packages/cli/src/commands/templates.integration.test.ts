import { describe, expect, it } from "vitest";
import { createSandbox } from "../testing/spawn-skein.ts";

describe("skein templates", () => {
  it("[L6] creates templates from a prompt and from a task, and skein run --template starts them with their values and settings", async () => {
    await using sandbox = createSandbox();
    const server = sandbox.skein(["serve", "--port", "0"]);
    await server.printed(/is ready/);
    const skein = (...args: string[]) => sandbox.skein(args).ended;
    const here = ["--repo", sandbox.repository];
    expect((await skein("templates")).stdout).toMatch(/^No templates yet/);
    const model = sandbox.script([{ text: "I look at it." }]);
    const settings = ["--model", model, "--agent", "native", "--permission-mode", "plan", "--title", "Review {{file}}"];
    const added = await skein("templates", "add", "review", "Look at {{file}} for {{what}}", ...here, ...settings);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Saved review \(tpl_\w+\)\.\n$/) });

    const started = await skein("run", "--template", "review", "--set", "file=a=b.ts", "--set", "what={{file}} $&", ...here);
    expect([started.code, started.stderr]).toEqual([0, ""]);
    expect(started.stdout).toContain("I look at it.");
    const tasks = JSON.parse((await skein("tasks", "--json")).stdout) as { id: string; title: string; activity: unknown }[];
    expect(tasks.map(({ title }) => title)).toEqual(["Review a=b.ts"]);
    const taskId = tasks[0]?.id ?? "";
    expect((await skein("show", taskId)).stdout).toContain("> Look at a=b.ts for {{file}} $&");

    expect(await skein("templates", "add", "again", "--from", taskId)).toMatchObject({ code: 0 });
    const again = JSON.parse((await skein("templates", "show", "again", "--json")).stdout);
    expect(again).toMatchObject({ agent: "native", model, permissionMode: "plan", baseBranch: null });
    expect(again.prompt).toContain("Look at a=b.ts");
    expect((await skein("templates")).stdout).toMatch(/review +file, what +Look at \{\{file\}\}/);
    expect(await skein("templates", "remove", "again")).toMatchObject({ code: 0, stdout: "Deleted again.\n" });
    expect(JSON.parse((await skein("templates", "--json")).stdout)).toHaveLength(1);
    server.child.kill("SIGTERM");
    await server.ended;
  });

  it.each([
    [["--template", "review"], "The template “review” needs values: file.\n--set file=…"],
    [["--template", "review", "--set", "fil=x", "--set", "file=y"], "The template “review” has no variable fil.\nIts variables: file"],
    [["--template", "other"], "There is no template “other” in this project.\nThere are: review"],
    [["--template", "review", "--set", "x"], "“x” is not a value. Write --set name=value."],
    [["Do it", "--template", "review"], "A template has its own prompt. Set its variables with --set name=value."],
    [["Do it", "--set", "a=b"], "--set needs --template."],
    [[], "Write a prompt, or name a template with --template."],
  ])("[L6] wrong usage %j is refused and starts nothing", async (args, problem) => {
    await using sandbox = createSandbox();
    const here = ["--repo", sandbox.repository];
    await sandbox.skein(["templates", "add", "review", "Look at {{file}}", ...here]).ended;
    const { code, stderr } = await sandbox.skein(["run", ...args, ...here]).ended;
    expect({ code, stderr }).toEqual({ code: 2, stderr: `skein: ${problem}\n` });
    expect((await sandbox.skein(["tasks"]).ended).stdout).not.toContain("tsk_");
  });
});
