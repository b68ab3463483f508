import fc from "fast-check";

/** Texts that tend to break things: blank, half an emoji, control characters, JSON, megabytes. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 12 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom("", " ", "\n\t ", "\u200b", "\u00a0", "\u0000", "\ud83d", "\ude00 tail", "a\ud800b", "👍🏽", "𝒳"),
  },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
  {
    weight: 1,
    arbitrary: fc.array(fc.integer({ min: 0xd800, max: 0xdfff }), { maxLength: 4 }).map((units) => String.fromCharCode(...units)),
  },
  { weight: 1, arbitrary: fc.constantFrom("[Previous conversation summary]\n\nolder", "Error: no", "</system>", "```", "__proto__") },
  { weight: 1, arbitrary: fc.integer({ min: 1_000, max: 20_000 }).map((length) => "long 👍 ".repeat(length / 8)) },
);
