import { SetupError } from "./fail.mjs";
import { formatDuration } from "./progress.mjs";

/** Runs steps one after the other and records their results; a failed one does not stop steps that do not depend on it. */
export class Steps {
  #results = [];

  /** `work` returns an exit code or nothing; a SetupError is a failure with its message. Returns whether it succeeded. */
  async run(name, work) {
    console.log(`\n── ${name} ${"─".repeat(Math.max(0, 70 - name.length))}`);
    const startedAt = performance.now();
    let failure;
    try {
      const code = await work();
      if (typeof code === "number" && code !== 0) failure = `exit code ${code}`;
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      failure = error.message;
      console.error(error.message);
    }
    this.#results.push({
      name,
      state: failure === undefined ? "passed" : "failed",
      durationMs: performance.now() - startedAt,
      note: failure,
    });
    return failure === undefined;
  }

  skip(name, note) {
    this.#results.push({ name, state: "failed", durationMs: 0, note });
  }

  get allPassed() {
    return this.#results.every(({ state }) => state === "passed");
  }

  table() {
    const width = Math.max(...this.#results.map(({ name }) => name.length));
    return this.#results
      .map(({ name, state, durationMs, note }) => {
        const line = `${state === "passed" ? "✓" : "✗"} ${name.padEnd(width)}  ${state}  ${formatDuration(durationMs).padStart(12)}`;
        return note === undefined ? line : `${line}  ${note.split("\n")[0]}`;
      })
      .join("\n");
  }
}
