import { sql } from "kysely";
import type { SqlDialect } from "../sql-dialect.ts";

export const postgresSql: SqlDialect = {
  isOneOf: (column, values) => {
    const type = sql.raw(typeof values[0] === "number" ? "bigint[]" : "text[]");
    return values.length === 0 ? sql`FALSE` : sql`${sql.ref(column)} = ANY (${values}::${type})`;
  },
  jsonNumber: (column, field) => sql`(${sql.ref(column)}::json ->> ${sql.lit(field)})::double precision`,
  jsonFlag: (column, field) => sql`(${sql.ref(column)}::json ->> ${sql.lit(field)})::boolean::integer`,
  dayOf: (milliseconds) => sql`to_char(to_timestamp((${milliseconds}) / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  // with the collation "C", ILIKE ignores the case of ASCII letters only
  matches: (column, pattern) => sql`${sql.ref(column)} ILIKE ${pattern} ESCAPE '\\'`,
};
