import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Writes the complete output to a file as soon as it exceeds what is shown. */
export class OutputSpill {
  readonly path: string;
  readonly #limit: number;
  #held: string[] | undefined = [];
  #heldLength = 0;
  #descriptor: number | undefined;

  constructor(directory: string, name: string, limit: number) {
    this.path = join(directory, `${name.replace(/[^\w.-]/g, "_").slice(0, 100)}.txt`);
    this.#limit = limit;
  }

  get isOpen(): boolean {
    return this.#descriptor !== undefined;
  }

  /** Synchronous: a command that prints faster than the disk writes has to wait, instead of filling the memory. */
  append(text: string): void {
    if (this.#held !== undefined) {
      this.#held.push(text);
      this.#heldLength += text.length;
      if (this.#heldLength <= this.#limit) return;
      const held = this.#held.join("");
      this.#held = undefined;
      this.#write(held);
    } else if (this.#descriptor !== undefined) {
      this.#write(text);
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  #write(text: string): void {
    try {
      if (this.#descriptor === undefined) {
        mkdirSync(join(this.path, ".."), { recursive: true, mode: 0o700 });
        this.#descriptor = openSync(this.path, "wx", 0o600);
      }
      writeSync(this.#descriptor, text);
    } catch {
      // A full disk must not fail the command: only the complete output is lost.
      if (this.#descriptor !== undefined) closeSync(this.#descriptor);
      this.#descriptor = undefined;
    }
  }
}
