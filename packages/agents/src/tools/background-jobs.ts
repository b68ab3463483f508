import { setTimeout as delay } from "node:timers/promises";
import type { NoticeText } from "@skein/contracts";
import { takeStart } from "@skein/engine";
import { BoundedOutput } from "./bounded-output.ts";
import { describeCut } from "./keep-output.ts";
import { OutputSpill } from "./output-spill.ts";
import { type CommandEnd, type CommandInput, runCommand } from "./run-command.ts";

const shownLength = 16 * 1024;
const maximumRunning = 16;
const searchedLength = 64 * 1024;

export interface JobInput extends Pick<CommandInput, "command" | "cwd" | "environment" | "sandbox"> {
  spillDirectory: string;
  toolUseId: string;
}

/** A command that runs while the turn continues. */
export class Job {
  readonly id: string;
  readonly command: string;
  readonly ended: Promise<void>;
  readonly #stopping = new AbortController();
  readonly #spill: OutputSpill;
  #unread = new BoundedOutput(shownLength);
  #recent = "";
  #end: CommandEnd | undefined;
  #onOutput = Promise.withResolvers<void>();

  constructor(id: string, { command, cwd, environment, sandbox, spillDirectory, toolUseId }: JobInput) {
    this.id = id;
    this.command = command;
    this.#spill = new OutputSpill(spillDirectory, toolUseId, 2 * shownLength);
    this.ended = runCommand({
      command,
      cwd,
      environment,
      sandbox,
      signal: this.#stopping.signal,
      onOutput: (_, text) => this.#append(text),
    }).then((end) => {
      this.#end = end;
      this.#spill.close();
      this.#onOutput.resolve();
    });
  }

  /** Undefined while it runs. */
  get end(): CommandEnd | undefined {
    return this.#end;
  }

  /** Its output since the last call, truncated. */
  takeOutput(): string {
    const text = this.#unread.toText((leftOut) => describeCut(leftOut, this.#spill.isOpen ? this.#spill.path : undefined));
    this.#unread = new BoundedOutput(shownLength);
    return text;
  }

  /** Resolves when it has ended, has printed `text`, the time is over or the signal aborts. */
  async wait({ timeoutMs, text, signal }: { timeoutMs: number; text?: string | undefined; signal: AbortSignal }): Promise<void> {
    const over = new AbortController();
    const timer = delay(timeoutMs, undefined, { signal: AbortSignal.any([signal, over.signal]) }).then(
      () => "over" as const,
      () => "over" as const,
    );
    try {
      while (this.#end === undefined && (text === undefined || !this.#recent.includes(text))) {
        const printed = this.#onOutput.promise.then(() => "printed" as const);
        if ((await Promise.race([printed, this.ended, timer])) === "over") return;
      }
    } finally {
      over.abort();
    }
  }

  /** The whole process group. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.ended;
  }

  #append(text: string): void {
    if (text === "") return;
    this.#unread.append(text);
    this.#spill.append(text);
    this.#recent = (this.#recent + text).slice(-searchedLength);
    this.#onOutput.resolve();
    this.#onOutput = Promise.withResolvers();
  }
}

/** The background commands of one execution. They end with it; otherwise a forgotten server would keep its port. */
export class BackgroundJobs {
  readonly #jobs = new Map<string, Job>();

  /** Undefined if too many are running. */
  start(input: JobInput): Job | undefined {
    if (this.#running().length >= maximumRunning) return undefined;
    const job = new Job(`job_${this.#jobs.size + 1}`, input);
    this.#jobs.set(job.id, job);
    return job;
  }

  find(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  list(): Job[] {
    return [...this.#jobs.values()];
  }

  /** Resolves when all of them have ended, with a notice about those that were still running. */
  async endAll(): Promise<NoticeText | undefined> {
    const running = this.#running();
    await Promise.all(running.map((job) => job.stop()));
    if (running.length === 0) return undefined;
    return { code: "background-commands-ended", commands: running.map((job) => takeStart(job.command, 80)) };
  }

  #running(): Job[] {
    return this.list().filter((job) => job.end === undefined);
  }
}
