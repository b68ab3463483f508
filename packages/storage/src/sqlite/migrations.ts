import { initialSchema } from "./initial-schema.ts";

/** `version` is what the database has after it. Forward only; a migration that has been released never changes. */
export interface Migration {
  version: number;
  sql: string;
}

export const migrations: readonly Migration[] = [{ version: 1, sql: initialSchema }];
