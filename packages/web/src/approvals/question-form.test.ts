import { describe, expect, it } from "vitest";
import { chooseLabel, chooseOther, emptyDraft, isRefused, type Question, toAnswers, toQuestions } from "./question-form.ts";

const one: Question = {
  header: null,
  question: "Which?",
  options: [
    { label: "A", description: null },
    { label: "B", description: "the second" },
  ],
  multiple: false,
};
const many: Question = { ...one, question: "Which ones?", multiple: true };
const open: Question = { ...one, question: "Why?", options: [] };

describe("[E10] toQuestions", () => {
  it("reads what the agent asks", () => {
    const input = {
      questions: [
        { question: "Which?", options: [{ label: "A" }, { label: "B", description: "the second" }] },
        { header: "H", question: "Why?", options: [] },
      ],
    };
    expect(toQuestions({ toolName: "ask", input })).toEqual([one, { ...open, header: "H" }]);
  });

  it("is null for a tool that acts, and for questions that cannot be read: those are shown as they are", () => {
    expect(toQuestions({ toolName: "bash", input: { questions: [{ question: "Which?", options: [] }] } })).toBeNull();
    for (const input of [{ questions: [] }, { questions: [{ options: [] }] }, "ask", { questions: [{ question: "x", options: "y" }] }])
      expect(toQuestions({ toolName: "ask", input })).toBeNull();
  });
});

describe("[E10] the fields of a form", () => {
  const ask = (questions: unknown[]) => toQuestions({ toolName: "ask", input: { questions } as never }) ?? [];
  const [port, strict, tags, name] = ask([
    { question: "Port", options: [], type: "integer", minimum: 1, maximum: 9, optional: true, initial: ["8"] },
    { question: "Strict?", options: [{ label: "Yes" }, { label: "No" }], type: "boolean", initial: ["Yes"] },
    { question: "Tags", options: [{ label: "a" }, { label: "b" }], multiple: true, type: "choices", maxItems: 1 },
    { question: "Name", options: [], type: "text" },
  ]);
  if (!port || !strict || !tags || !name) throw new Error("not read");
  const type = (question: Question, other: string) => chooseOther(emptyDraft(question), { usesOther: true, other }, question);

  it("begin with what the agent proposes", () => {
    expect(toAnswers([port, strict], [emptyDraft(port), emptyDraft(strict)])).toEqual({ Port: "8", "Strict?": "Yes" });
  });

  it("may be left empty where they are optional, and only there", () => {
    expect(toAnswers([port, strict], [type(port, ""), emptyDraft(strict)])).toEqual({ "Strict?": "Yes" });
    expect(toAnswers([name], [emptyDraft(name)])).toBeNull();
  });

  it("accept what their type and bounds allow, and show a refusal at once", () => {
    for (const wrong of ["1.5", "ten", "10", "0"]) {
      expect([wrong, toAnswers([port], [type(port, wrong)]), isRefused(port, type(port, wrong))]).toEqual([wrong, null, true]);
    }
    expect([toAnswers([port], [type(port, "9")]), isRefused(port, type(port, "9")), isRefused(port, type(port, ""))]).toEqual([
      { Port: "9" },
      false,
      false,
    ]);
    const both = chooseLabel(chooseLabel(emptyDraft(tags), "a", tags), "b", tags);
    expect([toAnswers([tags], [both]), isRefused(tags, both)]).toEqual([null, true]);
  });

  it("a page to open, and consent, need no words", () => {
    const questions = ask([
      { question: "Sign in", options: [], type: "url", url: "https://example.com" },
      { question: "Go on?", options: [], type: "consent" },
    ]);
    expect(toAnswers(questions, questions.map(emptyDraft))).toEqual({});
  });
});

describe("[E10] toAnswers", () => {
  it("waits until every question has an answer", () => {
    const chosen = chooseLabel(emptyDraft(one), "B", one);
    expect(toAnswers([one, many], [chosen, emptyDraft(many)])).toBeNull();
    expect(toAnswers([one], [chooseOther(chosen, { usesOther: true }, one)])).toBeNull();
    expect(toAnswers([one], [chosen])).toEqual({ "Which?": "B" });
  });

  it("gives one answer, or a list in the order of the options with the user's own answer last", () => {
    const both = chooseLabel(chooseLabel(emptyDraft(many), "B", many), "A", many);
    const own = chooseOther(both, { usesOther: true, other: " C " }, many);
    expect(toAnswers([many], [own])).toEqual({ "Which ones?": ["A", "B", "C"] });
    expect(toAnswers([many], [chooseLabel(both, "A", many)])).toEqual({ "Which ones?": ["B"] });
  });

  it("uses the user's own answer instead of an option where one answer is wanted, and alone where there are no options", () => {
    const own = chooseOther(chooseLabel(emptyDraft(one), "A", one), { usesOther: true, other: "C" }, one);
    expect(toAnswers([one], [own])).toEqual({ "Which?": "C" });
    expect(toAnswers([one], [chooseLabel(own, "A", one)])).toEqual({ "Which?": "A" });
    expect(toAnswers([open], [chooseOther(emptyDraft(open), { usesOther: true, other: "because" }, open)])).toEqual({ "Why?": "because" });
  });
});
