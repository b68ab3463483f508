import { describe, expect, it } from "vitest";
import { UnsupportedSqliteError } from "../errors.ts";
import { assertSqliteVersion } from "./sqlite-version.ts";

describe("assertSqliteVersion", () => {
  it.each(["3.51.2", "3.50.10", "2.99.9", "3.51"])("rejects %s and explains the fix", (version) => {
    expect(() => assertSqliteVersion(version)).toThrow(UnsupportedSqliteError);
    expect(() => assertSqliteVersion(version)).toThrow(/needs SQLite 3\.51\.3 .* Start it with Node/);
  });

  it.each(["3.51.3", "3.51.10", "3.53.0", "4.0.0"])("takes %s", (version) => {
    expect(() => assertSqliteVersion(version)).not.toThrow();
  });
});
