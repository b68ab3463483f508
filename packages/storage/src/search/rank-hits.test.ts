import type { SearchHit } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { rankHits } from "./rank-hits.ts";

const candidate = (id: string, source: SearchHit["source"], text: string, at = 1) => ({
  hit: { messageId: id, source, at } as SearchHit,
  text,
});
const order = (query: string, ...candidates: ReturnType<typeof candidate>[]) =>
  rankHits(candidates, query, 10).map(({ messageId }) => messageId);

describe("rankHits", () => {
  it("titles before messages, messages before tool output", () => {
    expect(
      order("lamp", candidate("tool", "tool", "lamp", 9), candidate("said", "assistant", "lamp"), candidate("title", "title", "lamp")),
    ).toEqual(["title", "said", "tool"]);
  });
  it("ranks adjacent words before scattered ones, whole words before prefixes", () => {
    expect(
      order(
        "red lamp",
        candidate("apart", "user", "the lamp is red", 9),
        candidate("beginning", "user", "Red lampshade", 5),
        candidate("together", "user", "the RED lamp"),
      ),
    ).toEqual(["together", "beginning", "apart"]);
  });
  it("of equals the newest", () => {
    expect(order("lamp", candidate("old", "user", "lamp", 1), candidate("new", "user", "lamp", 2))).toEqual(["new", "old"]);
  });
});
