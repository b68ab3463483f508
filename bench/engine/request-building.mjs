import { RequestMessageBuilder } from "@skein/engine";
import { convertToModelMessages } from "ai";
import { appendTurn, createConversation, splitConversation } from "./conversation.mjs";
import { quietTimes } from "./rounds.mjs";

const sizes = [1_000, 10_000, 100_000];
const total = 100_000;
const systemPrompts = ["You are a coding agent."];

function build({ entities }) {
  const messages = new RequestMessageBuilder().setSystemPrompts(systemPrompts).setMessages(entities).build();
  if (messages.length !== entities.length + 1) throw new Error("The request lost messages.");
}

async function convert({ uiMessages, entities }) {
  const messages = await convertToModelMessages(uiMessages);
  if (messages.length !== entities.length) throw new Error("The reference lost messages.");
}

/**
 * A size is measured over all parts of that size of one conversation, so that the small ones do not win by staying in the
 * processor's cache from one round to the next.
 */
export async function measureRequestBuilding() {
  const rounds = 15;
  const conversation = createConversation(total);
  const times = await quietTimes(
    sizes
      .map((size) => splitConversation(conversation, size))
      .flatMap((parts) => [
        { run: () => parts.forEach(build) },
        {
          async run() {
            for (const part of parts) await convert(part);
          },
        },
      ]),
    { rounds, warmUps: 8 },
  );
  const perMessage = (ms) => `${((ms / total) * 1e6).toFixed(0)} ns`;
  const results = sizes.map((size, i) => ({
    name: `a request of ${size.toLocaleString("en")} messages, compared with convertToModelMessages`,
    value: times[2 * i + 1] / times[2 * i],
    unit: "× as fast",
    target: 5,
    atLeast: true,
    note: `${perMessage(times[2 * i])} to ${perMessage(times[2 * i + 1])} a message, fastest quarter of ${rounds}`,
  }));
  results.push({
    name: "time per message of a request of 100,000, compared with 1,000",
    value: times[4] / times[0],
    unit: "×",
    target: 2,
    note: `${perMessage(times[4])} to ${perMessage(times[0])}`,
  });
  return results;
}

/** One more turn in a conversation of 100,000 messages: a builder that was kept, compared with a new one. */
export async function measureOneMoreTurn() {
  const rounds = 21;
  const conversation = createConversation(total);
  const kept = new RequestMessageBuilder().setSystemPrompts(systemPrompts).setMessages(conversation.entities);
  kept.build();
  let turn = total;
  const addTurn = () => {
    const before = conversation.entities.length;
    appendTurn(conversation, turn++);
    return conversation.entities.slice(before);
  };
  const [whole, added] = await quietTimes(
    [{ run: () => build(conversation) }, { prepare: addTurn, run: (messages) => void kept.addMessages(messages).buildView() }],
    { rounds, warmUps: 10 },
  );
  return [
    {
      name: "one more turn after 100,000 messages, compared with building it whole",
      value: whole / added,
      unit: "× as fast",
      target: 50,
      atLeast: true,
      note: `${added.toFixed(2)} ms to ${whole.toFixed(1)} ms, fastest quarter of ${rounds}`,
    },
  ];
}
