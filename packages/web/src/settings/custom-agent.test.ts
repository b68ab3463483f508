import { describe, expect, it } from "vitest";
import { emptyCustomAgent, findBadVariable, toAddCommand, toAgentId } from "./custom-agent.ts";

const start = ["skein", "agents", "add", "--custom"];
const draft = {
  ...emptyCustomAgent,
  name: "My Agent",
  program: "my-agent",
  args: "--acp\n--dir=a b\n",
  variables: "A_URL=https://x\nKEY\n",
};

describe("the command that adds a custom program", () => {
  it("[X7] has every word quoted that a shell would read as more", () => {
    expect(toAddCommand(draft, start)).toBe(
      "skein agents add --custom acp:my-agent --name 'My Agent' --env A_URL=https://x --env KEY -- my-agent --acp '--dir=a b'",
    );
    const hostile = { ...draft, name: "x'; rm -rf ~ #", program: "$(touch x)", args: "`id`", variables: "" };
    expect(toAddCommand(hostile, start)).toBe("skein agents add --custom acp:x-rm-rf --name 'x'\\''; rm -rf ~ #' -- '$(touch x)' '`id`'");
  });

  it("is available once the form is complete", () => {
    expect(toAddCommand({ ...draft, name: " " }, start)).toBeUndefined();
    expect(toAddCommand({ ...draft, program: "" }, start)).toBeUndefined();
    expect(toAddCommand({ ...draft, program: "./agent" }, start)).toBeUndefined();
    expect(toAddCommand({ ...draft, variables: "1A=b" }, start)).toBeUndefined();
    expect([findBadVariable({ ...draft, variables: "A=b\nC D=e" }), findBadVariable(draft)]).toEqual(["C D=e", undefined]);
  });

  it("names the agent after its name, also one without Latin letters", () => {
    expect(toAgentId({ ...draft, kind: "command" })).toBe("command:my-agent");
    expect(toAgentId({ ...draft, name: "我的助手" })).toBe("acp:agent");
  });
});
