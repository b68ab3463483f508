import { describe, expect, it } from "vitest";
import { type StorageContract, useStorage } from "./contract-fixture.ts";

export function describeInstance(contract: StorageContract): void {
  describe("the instance", () => {
    const fixture = useStorage(contract);

    it("[Q21] a database knows which start of a server used it last, and in which data dir", async () => {
      const { storage } = fixture;
      expect(await storage.read.findInstance()).toBeUndefined();
      await storage.transaction((tx) => tx.putInstance({ epoch: "one", home: "/data" }));
      await storage.transaction((tx) => tx.putInstance({ epoch: "two", home: "/moved" }));
      expect(await storage.read.findInstance()).toEqual({ epoch: "two", home: "/moved" });
      expect(await storage.inspect()).toBeUndefined();
    });
  });
}
