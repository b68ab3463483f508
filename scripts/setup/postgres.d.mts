/** A Postgres server of its own, for tests. */
export interface TestPostgres {
  url: string;
  readonly pid: number | undefined;
  /** Resolves when it accepts connections again. `immediate` is like a crash. */
  restart(mode: "fast" | "immediate"): Promise<void>;
  stop(options?: { keep?: boolean }): Promise<void>;
}

export function hasPostgres(): boolean;
export function ensurePostgres(): Promise<void>;
export function startPostgres(options?: { durable?: boolean }): Promise<TestPostgres | undefined>;
export function findFreePort(): Promise<number>;
