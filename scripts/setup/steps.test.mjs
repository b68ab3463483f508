import { expect, test } from "vitest";
import { SetupError } from "./fail.mjs";
import { runCommand } from "./run-command.mjs";
import { printLine, StepOutput } from "./step-output.mjs";
import { Steps } from "./steps.mjs";

/** Steps whose work ends when the test says so. */
function newSteps({ atOnce }) {
  const started = [];
  const gates = new Map();
  let shown = "";
  const steps = new Steps({ atOnce, output: new StepOutput((text) => (shown += text)) });
  const wait = (name) => async () => {
    started.push(name);
    printLine(`${name} begins`);
    const { promise, resolve, reject } = Promise.withResolvers();
    gates.set(name, { resolve, reject });
    const result = await promise;
    printLine(`${name} ends`);
    return result;
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    steps,
    started,
    /** Without the results that are announced in between. */
    lines: () => shown.split("\n").filter((line) => / (begins|ends)$/.test(line)),
    shown: () => shown,
    add: (name, options) => steps.add(name, wait(name), options),
    end: async (name, result) => {
      gates.get(name).resolve(result);
      await settled();
    },
    fail: async (name, error) => {
      gates.get(name).reject(error);
      await settled();
    },
    settled,
  };
}

test("at most two steps run at a time, in their order; set-up runs next to them, and a step waits for what it needs", async () => {
  const { steps, started, add, end, settled } = newSteps({ atOnce: 2 });
  add("check");
  add("install", { isSetUp: true });
  add("agents", { needs: ["install"] });
  add("unit");
  add("browser");
  const all = steps.run();
  await settled();
  expect(started.toSorted()).toEqual(["check", "install", "unit"]);
  await end("check");
  expect(started.at(-1)).toBe("browser");
  await end("install");
  expect(started).toHaveLength(4);
  await end("unit");
  expect(started.at(-1)).toBe("agents");
  await end("browser");
  await end("agents");
  await all;
  expect(steps.allPassed).toBe(true);
});

test("a failed step stops only those that need it, and the table gives the reasons", async () => {
  const { steps, started, add, end, fail, settled } = newSteps({ atOnce: 2 });
  add("install", { isSetUp: true });
  add("agents", { needs: ["install"] });
  add("compare", { needs: ["install"], after: ["agents"] });
  add("unit", { after: ["install"] });
  const all = steps.run();
  await settled();
  await fail("install", new SetupError("No network.\nCheck the proxy."));
  expect(started).toEqual(["install", "unit"]);
  await end("unit", 1);
  await all;
  expect(steps.allPassed).toBe(false);
  expect(steps.table().split("\n")).toEqual([
    expect.stringMatching(/^✗ install +failed .* No network\.$/),
    expect.stringMatching(/^✗ agents +failed .* not run: “install” failed, see above$/),
    expect.stringMatching(/^✗ compare +failed .* not run: “install” failed, see above$/),
    expect.stringMatching(/^✗ unit +failed .* exit code 1$/),
  ]);
});

test("outputs of steps that run at the same time do not mix, and none is lost", async () => {
  const { steps, lines, shown, add, end, settled } = newSteps({ atOnce: 3 });
  for (const name of ["one", "two", "three"]) add(name);
  const all = steps.run();
  await settled();
  expect(lines()).toEqual(["one begins"]);
  await end("three");
  expect(lines()).toEqual(["one begins"]);
  expect(shown()).toMatch(/✓ three +passed/);
  await end("one");
  expect(lines()).toEqual(["one begins", "one ends", "three begins", "three ends", "two begins"]);
  await end("two");
  await all;
  expect(lines().at(-1)).toBe("two ends");
});

test("the output of a command belongs to the step that started it", async () => {
  let shown = "";
  const output = new StepOutput((text) => (shown += text));
  const { promise: held, resolve: release } = Promise.withResolvers();
  const first = output.within("first", () => held);
  await output.within("second", () => runCommand(process.execPath, ["-e", "console.log('out'); console.error('err')"]));
  expect(shown).not.toContain("out");
  release();
  await first;
  expect(shown).toMatch(/── first ─+\n\n── second ─+\n(?:out\nerr|err\nout)\n$/);
});
