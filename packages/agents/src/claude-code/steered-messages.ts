import { randomUUID } from "node:crypto";
import type { DriverControl } from "../driver/driver-control.ts";
import { isAtLeast } from "../programs/read-version.ts";

/** Older ones answer a message that reaches them at work twice. */
const leastVersion = "2.1.0";

type Steering = Extract<DriverControl, { type: "message" }>;

/**
 * What the user says to Claude Code at work. It counts as taken when Claude Code says that it has read it; what it never
 * reads waits in Skein for the next execution.
 */
export class SteeredMessages {
  readonly #send: (uuid: string, message: Steering) => void;
  readonly #seen = new Set<string>();
  readonly #unread = new Map<string, Steering>();
  #early: Steering[] = [];
  #takesThem: boolean | undefined;

  constructor(send: (uuid: string, message: Steering) => void) {
    this.#send = send;
  }

  get areUnread(): boolean {
    return this.#unread.size > 0;
  }

  /** Each turn reports the version; messages from before are sent with the first. */
  begin(version: string | undefined): void {
    this.#takesThem = version !== undefined && isAtLeast(version, leastVersion);
    for (const message of this.#early) this.#pass(message);
    this.#early = [];
  }

  /** A message may come twice: the server sends it again after a restart. */
  add(message: Steering): void {
    if (this.#seen.has(message.id)) return;
    this.#seen.add(message.id);
    if (this.#takesThem === undefined) this.#early.push(message);
    else this.#pass(message);
  }

  /** The message with this id, the first time that Claude Code reports it as read. */
  take(uuid: string): Steering | undefined {
    const message = this.#unread.get(uuid);
    this.#unread.delete(uuid);
    return message;
  }

  #pass(message: Steering): void {
    if (!this.#takesThem) return;
    const uuid = randomUUID();
    this.#unread.set(uuid, message);
    this.#send(uuid, message);
  }
}
