import { AsyncLocalStorage } from "node:async_hooks";

const sectionOfStep = new AsyncLocalStorage();

/** The output of the step that calls it; outside of steps, a stream of this process. */
export const currentOutput = (otherwise = process.stdout) => sectionOfStep.getStore() ?? otherwise;

export const printLine = (text) => currentOutput().write(`${text}\n`);

/**
 * The output of steps that run at the same time, one after the other: one step's output is shown as it comes, that of the others is kept
 * until it is their turn. Steps that have ended come first.
 */
export class StepOutput {
  #write;
  #sections = [];

  constructor(write = (text) => process.stdout.write(text)) {
    this.#write = write;
  }

  /** Runs `work` with its own section; what it writes to `currentOutput()` goes there. */
  async within(title, work) {
    const section = { kept: "", isOpen: true, write: (text) => this.#add(section, String(text)) };
    this.#sections.push(section);
    section.write(`\n── ${title} ${"─".repeat(Math.max(0, 70 - title.length))}\n`);
    try {
      return await sectionOfStep.run(section, work);
    } finally {
      section.isOpen = false;
      this.#showEnded();
    }
  }

  /** One line, at once, whatever step is being shown. */
  announce(line) {
    this.#write(`${line}\n`);
  }

  #add(section, text) {
    if (section === this.#sections[0]) this.#write(text);
    else section.kept += text;
  }

  #showEnded() {
    if (this.#sections[0]?.isOpen !== false) return;
    this.#sections.shift();
    const ended = this.#sections.filter(({ isOpen }) => !isOpen);
    this.#sections = this.#sections.filter(({ isOpen }) => isOpen);
    for (const section of [...ended, ...this.#sections.slice(0, 1)]) {
      this.#write(section.kept);
      section.kept = "";
    }
  }
}
