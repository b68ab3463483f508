import { anyCallId, anyToolName } from "@skein/testkit/histories";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anthropicIds, chatIds, geminiIds, IdMap, mistralIds, responsesIds } from "./id-map.ts";
import { anthropicNames, geminiNames, NameMap, openaiNames } from "./name-map.ts";

describe.each(Object.entries({ anthropicIds, chatIds, geminiIds, mistralIds, responsesIds }))("%s", (_, rules) => {
  test("ids stay distinct, valid and deterministic", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.oneof(anyCallId, fc.string({ unit: "binary" }))), (ids) => {
        const map = new IdMap(rules);
        const mapped = ids.map((id) => map.map(id));
        expect(new Set(mapped).size).toBe(ids.length);
        for (const id of mapped) expect(id).toMatch(rules.pattern);
        expect(ids.map((id) => map.map(id))).toEqual(mapped);
      }),
    );
  });

  test("[Q9] the replacement of an id does not depend on later ids", () => {
    fc.assert(
      fc.property(fc.array(anyCallId), fc.nat(), (ids, cut) => {
        const whole = new IdMap(rules);
        const part = new IdMap(rules);
        const shorter = ids.slice(0, cut % (ids.length + 1));
        expect(shorter.map((id) => part.map(id))).toEqual(ids.map((id) => whole.map(id)).slice(0, shorter.length));
      }),
    );
  });

  test("an id that looks like another's replacement is replaced itself", () => {
    const map = new IdMap(rules);
    const replaced = map.map("odd id!");
    expect(map.map(replaced)).not.toBe(replaced);
  });
});

test("an id that fits stays as it is", () => {
  expect(new IdMap(anthropicIds).map("toolu_01AbC-9")).toBe("toolu_01AbC-9");
  expect(new IdMap(mistralIds).map("123456789")).toBe("123456789");
});

describe.each(Object.entries({ anthropicNames, geminiNames, openaiNames }))("%s", (_, rules) => {
  test("names are valid, unique and reversible", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.oneof(anyToolName, fc.string({ unit: "binary" }))), (names) => {
        const map = new NameMap(
          rules,
          names.slice(0, 2).map((name) => ({ name })),
        );
        const mapped = names.map((name) => map.map(name));
        expect(new Set(mapped).size).toBe(names.length);
        for (const name of mapped) expect(name).toMatch(rules.pattern);
        expect(mapped.map((name) => map.toOriginal(name))).toEqual(names);
      }),
    );
  });

  test("a name that the model made up stays as it is", () => {
    expect(new NameMap(rules, []).toOriginal("made_up")).toBe("made_up");
  });
});
