import { activitySchema } from "./activity-schema.ts";
import { initialSchema } from "./initial-schema.ts";

/** `version` is what the database has after it. Forward only; a migration that has been released never changes. */
export interface Migration {
  version: number;
  sql: string;
}

export const migrations: readonly Migration[] = [
  { version: 1, sql: initialSchema },
  { version: 2, sql: "ALTER TABLE tasks ADD COLUMN archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1));" },
  { version: 3, sql: activitySchema },
  {
    version: 8,
    sql: `
ALTER TABLE projects ADD COLUMN system_prompt TEXT NOT NULL DEFAULT '';
ALTER TABLE attempts ADD COLUMN system_prompt TEXT NOT NULL DEFAULT '';
`,
  },
];
