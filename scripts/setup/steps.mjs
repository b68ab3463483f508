import { SetupError } from "./fail.mjs";
import { formatDuration } from "./progress.mjs";
import { printLine, StepOutput } from "./step-output.mjs";

const hasEnded = (step) => step?.state === "passed" || step?.state === "failed";

/**
 * Runs steps, several at a time, and records their results. They start in the order in which they were added, each when the steps that
 * it `needs` have passed and those that it comes `after` have ended; a failed one does not stop steps that do not need it.
 */
export class Steps {
  #atOnce;
  #output;
  #steps = [];

  constructor({ atOnce, output = new StepOutput() }) {
    this.#atOnce = atOnce;
    this.#output = output;
  }

  /**
   * `work` returns an exit code or nothing; a SetupError is a failure with its message. An `isSetUp` step waits for the network or the
   * disk more than for the processor, and starts at once, whatever else runs.
   */
  add(name, work, { needs = [], after = [], isSetUp = false } = {}) {
    this.#steps.push({ name, work, needs, after, isSetUp, state: "waiting", durationMs: 0 });
    return name;
  }

  /** Resolves when all steps have ended. */
  async run() {
    const running = new Map();
    for (;;) {
      this.#skipImpossible();
      for (const step of this.#startable(running)) {
        const ended = this.#runStep(step).finally(() => running.delete(step));
        running.set(step, ended);
      }
      if (running.size === 0) return;
      await Promise.race(running.values());
    }
  }

  #find = (name) => this.#steps.find((step) => step.name === name);

  #startable(running) {
    const ready = this.#steps.filter(
      ({ state, needs, after }) =>
        state === "waiting" &&
        needs.every((name) => this.#find(name)?.state === "passed") &&
        after.every((name) => hasEnded(this.#find(name))),
    );
    const free = this.#atOnce - [...running.keys()].filter(({ isSetUp }) => !isSetUp).length;
    return [...ready.filter(({ isSetUp }) => isSetUp), ...ready.filter(({ isSetUp }) => !isSetUp).slice(0, free)];
  }

  #skipImpossible() {
    for (const step of this.#steps) {
      const missing = step.needs.find((name) => this.#find(name)?.state === "failed");
      if (step.state !== "waiting" || missing === undefined) continue;
      step.state = "failed";
      step.note = `not run: “${missing}” failed, see above`;
    }
  }

  async #runStep(step) {
    step.state = "running";
    const startedAt = performance.now();
    try {
      const code = await this.#output.within(step.name, async () => {
        try {
          return await step.work();
        } catch (error) {
          if (!(error instanceof SetupError)) throw error;
          printLine(error.message);
          step.note = error.message;
          return 1;
        }
      });
      if (typeof code === "number" && code !== 0) step.note ??= `exit code ${code}`;
    } finally {
      step.durationMs = performance.now() - startedAt;
      step.state = step.note === undefined ? "passed" : "failed";
    }
    if (!this.#steps.every(hasEnded)) this.#output.announce(`── ${formatResult(step)} ──`);
  }

  get allPassed() {
    return this.#steps.every(({ state }) => state === "passed");
  }

  table() {
    const width = Math.max(...this.#steps.map(({ name }) => name.length));
    return this.#steps.map((step) => formatResult(step, width)).join("\n");
  }
}

function formatResult({ name, state, durationMs, note }, width = 0) {
  const line = `${state === "passed" ? "✓" : "✗"} ${name.padEnd(width)}  ${state}  ${formatDuration(durationMs).padStart(width === 0 ? 0 : 12)}`;
  return note === undefined ? line : `${line}  ${note.split("\n")[0]}`;
}
