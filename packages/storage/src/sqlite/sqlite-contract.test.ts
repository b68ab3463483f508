import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeStorageContract } from "@skein/testkit";
import { afterAll } from "vitest";
import { openSqliteStorage } from "./open-sqlite-storage.ts";

const directory = mkdtempSync(join(tmpdir(), "skein-storage-"));
let opened = 0;

afterAll(() => rmSync(directory, { recursive: true }));

describeStorageContract({ name: "SQLite", open: () => openSqliteStorage({ file: join(directory, `${opened++}.db`) }) });
