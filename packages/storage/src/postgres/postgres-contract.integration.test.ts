import { describeStorageContract } from "@skein/testkit";
import { describe } from "vitest";
import { createTestDatabases, testServerUrl } from "./__fixtures__/test-databases.ts";

describe.skipIf(testServerUrl === undefined)("Postgres", () => {
  const databases = createTestDatabases();
  describeStorageContract({ name: "Postgres", open: databases.open });
});
