import { arrayField, objectField, stringField } from "@skein/engine/json-fields";
import type { JsonObject } from "../lines/parse-line.ts";

/** If no turn has begun this long after a result, nothing more is coming. */
const idlePatienceMs = 10_000;
/** A background command may be a test that ends, or a server that never does. */
const commandPatienceMs = 10 * 60_000;

const endedStatus = /^(completed|failed|killed|stopped)$/;

interface BackgroundTask {
  description: string;
  isCommand: boolean;
}

export interface TurnWatchOptions {
  /** Whether a message was sent that Claude Code has not read yet. */
  hasUnread(): boolean;
  /** Called once, when there is nothing left to wait for; `isWorking`: background work is abandoned. */
  onOver(end: { isWorking: boolean }): void;
  /** The answer is complete, and only background commands are running: called once per turn. */
  onWaiting(commands: readonly string[]): void;
}

/**
 * Detects the end of a conversation with Claude Code. A result is not the end: background work triggers another turn, and so does a
 * message that came too late for the last one.
 */
export class TurnWatch {
  readonly #options: TurnWatchOptions;
  readonly #tasks = new Map<string, BackgroundTask>();
  #isInTurn = true;
  /** The last turn left background work, whose end starts another turn. */
  #leftWork = false;
  #isOver = false;
  #isStopping = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TurnWatchOptions) {
    this.#options = options;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The next result is the last one, regardless of background work. */
  stop(): void {
    this.#isStopping = true;
    this.#look();
  }

  see(line: JsonObject): void {
    if (line.type === "system") this.#seeSystem(line);
    else if (line.type === "result") this.#isInTurn = false;
    else return;
    this.#look();
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #seeSystem(line: JsonObject): void {
    const id = stringField(line, "task_id") ?? "";
    switch (line.subtype) {
      case "init":
        this.#isInTurn = true;
        this.#leftWork = false;
        return;
      case "background_tasks_changed":
        this.#tasks.clear();
        for (const task of arrayField(line, "tasks") ?? []) this.#add(stringField(task, "task_id") ?? "", task as JsonObject);
        return;
      case "task_started":
        // 2.1.112 omits it, and reports the end of each
        if (line.is_backgrounded !== false) this.#add(id, line);
        return;
      case "task_updated":
        if (endedStatus.test(stringField(objectField(line, "patch"), "status") ?? "")) this.#tasks.delete(id);
        return;
      case "task_notification":
        this.#tasks.delete(id);
        return;
    }
  }

  #add(id: string, task: JsonObject): void {
    const isCommand = stringField(task, "task_type") === "local_bash";
    this.#tasks.set(id, { isCommand, description: stringField(task, "description") ?? "a command" });
  }

  #look(): void {
    clearTimeout(this.#timer);
    const patienceMs = this.#isOver || this.#isInTurn ? undefined : this.#findPatience();
    if (patienceMs === 0) this.#finish();
    else if (patienceMs !== undefined) this.#timer = setTimeout(() => this.#finish(), patienceMs);
  }

  /** How long to wait for more after a result; undefined if more is certain to come. */
  #findPatience(): number | undefined {
    if (this.#isStopping) return 0;
    if (this.#options.hasUnread()) return idlePatienceMs;
    const tasks = [...this.#tasks.values()];
    if (tasks.length === 0) return this.#leftWork ? idlePatienceMs : 0;
    const isFirstLook = !this.#leftWork;
    this.#leftWork = true;
    if (!tasks.every(({ isCommand }) => isCommand)) return undefined;
    if (isFirstLook) this.#options.onWaiting(tasks.map(({ description }) => description));
    return commandPatienceMs;
  }

  #finish(): void {
    this.end();
    this.#options.onOver({ isWorking: this.#tasks.size > 0 });
  }
}
