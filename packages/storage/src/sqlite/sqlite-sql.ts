import { sql } from "kysely";
import type { SqlDialect } from "../sql-dialect.ts";

export const sqliteSql: SqlDialect = {
  isOneOf: (column, values) => sql`${sql.ref(column)} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`,
  jsonNumber: (column, field) => sql`json_extract(${sql.ref(column)}, ${sql.lit(`$.${field}`)})`,
  jsonFlag: (column, field) => sql`json_extract(${sql.ref(column)}, ${sql.lit(`$.${field}`)})`,
  dayOf: (milliseconds) => sql`date((${milliseconds}) / 1000, 'unixepoch')`,
  matches: (column, pattern) => sql`${sql.ref(column)} LIKE ${pattern} ESCAPE '\\'`,
};
