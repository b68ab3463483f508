import { RequestMessageBuilder } from "@skein/engine";
import { toAnthropicRequest } from "@skein/providers";
import { convertToModelMessages } from "ai";
import { appendTurn, createConversation, splitConversation } from "./conversation.mjs";
import { quietTimes } from "./rounds.mjs";

/** How much faster each size has to be than the reference, which is at its best with 10,000: one in `parts` of all 100,000. */
const targets = [
  { parts: 100, target: 5 },
  { parts: 10, target: 4 },
  { parts: 1, target: 5 },
];
const systemPrompts = ["You are a coding agent."];

const anthropic = { model: "claude-sonnet-4-5", modelId: "anthropic/claude-sonnet-4-5", maxTokens: 8_000, tools: [] };

function buildMessages({ entities }) {
  return new RequestMessageBuilder().setSystemPrompts(systemPrompts).setMessages(entities).build();
}

function build(conversation) {
  if (buildMessages(conversation).length !== conversation.entities.length + 1) throw new Error("The request lost messages.");
}

async function convert({ uiMessages, entities }) {
  const messages = await convertToModelMessages(uiMessages);
  if (messages.length !== entities.length) throw new Error("The reference lost messages.");
}

/**
 * A size is measured over all parts of that size of one conversation, so that the small ones do not win by staying in the
 * processor's cache from one round to the next.
 */
export async function measureRequestBuilding({ total, rounds, warmUps }) {
  const conversation = createConversation(total);
  const times = await quietTimes(
    targets
      .map(({ parts }) => splitConversation(conversation, total / parts))
      .flatMap((parts) => [
        { run: () => parts.forEach(build) },
        {
          async run() {
            for (const part of parts) await convert(part);
          },
        },
      ]),
    { rounds, warmUps },
  );
  const perMessage = (ms) => `${((ms / total) * 1e6).toFixed(0)} ns`;
  const results = targets.map(({ parts, target }, i) => ({
    name: `a request of ${(total / parts).toLocaleString("en")} messages, compared with convertToModelMessages`,
    value: times[2 * i + 1] / times[2 * i],
    unit: "× as fast",
    target,
    atLeast: true,
    note: `${perMessage(times[2 * i])} to ${perMessage(times[2 * i + 1])} a message, fastest quarter of ${rounds}`,
  }));
  results.push({
    name: "time per message of a request of 100,000, compared with 1,000",
    value: times[4] / times[0],
    unit: "×",
    target: 2.5, // a set of 50,000 call ids is larger than the caches of a processor
    note: `${perMessage(times[4])} to ${perMessage(times[0])}`,
  });
  return results;
}

/** The next request of a conversation of 100,000 messages, after one more turn: a builder that was kept, compared with a new one. */
export async function measureNextRequest({ total, rounds, warmUps }) {
  /** Of one round, so that each takes longer than the clock of processor time is coarse. */
  const requests = 40;
  const conversation = createConversation(total);
  const kept = new RequestMessageBuilder().setSystemPrompts(systemPrompts).setMessages(conversation.entities);
  kept.build();
  let turn = total;
  const buildNext = () => {
    appendTurn(conversation, turn++);
    if (kept.build().length !== conversation.entities.length + 1) throw new Error("The request lost messages.");
  };
  const [whole, next] = await quietTimes([{ run: () => build(conversation) }, { run: () => Array.from({ length: requests }, buildNext) }], {
    rounds,
    warmUps,
  });
  return [
    {
      name: "the next request after 100,000 messages, compared with building it whole",
      value: (whole / next) * requests,
      unit: "× as fast",
      // what is left is the new array of 100,000 references, most of which is the operating system's work
      target: 20,
      atLeast: true,
      note: `${(next / requests).toFixed(2)} ms to ${whole.toFixed(1)} ms, fastest quarter of ${rounds}`,
    },
  ];
}

/** The native agent's work before each model call: builds the request, translates it, serializes it. */
export async function measureShareOfSending({ total, rounds, warmUps }) {
  const conversations = splitConversation(createConversation(total), total / 10);
  const [building, sending] = await quietTimes(
    [
      { run: () => conversations.forEach(build) },
      {
        prepare: () => conversations.map(buildMessages),
        run: (requests) => requests.forEach((messages) => void JSON.stringify(toAnthropicRequest({ ...anthropic, messages }).params)),
      },
    ],
    { rounds, warmUps },
  );
  return [
    {
      name: "building a request of 1,000 messages, compared with translating and serializing it for Anthropic",
      value: building / sending,
      unit: "×",
      target: 0.2,
      note: `${(building / 10).toFixed(2)} ms to ${(sending / 10).toFixed(2)} ms, fastest quarter of ${rounds}`,
    },
  ];
}
