import { describe, expect, it } from "vitest";
import { checkPlayed } from "../recordings/check-recording.fixture.ts";
import { formatConversation } from "../recordings/format-conversation.fixture.ts";
import { playLines } from "../recordings/play-recording.fixture.ts";
import { listRecordings, readRecording, readTwoWayRecording } from "../recordings/read-recording.fixture.ts";
import { createCodexDecoder } from "./create-codex-decoder.ts";

const createDecoder = createCodexDecoder;

describe.each([
  { read: readRecording, names: listRecordings("codex", /^codex-exec/) },
  { read: readTwoWayRecording, names: listRecordings("codex", /^codex-appserver/) },
])("recordings", ({ read, names }) => {
  it.each(names)("[T9] %s is shown as it happened", (name) => {
    const played = playLines(read("codex", name), createDecoder);
    checkPlayed(played);
    expect(formatConversation(played)).toMatchSnapshot();
  });

  it.each(names)("[Q7] %s gives the same result after a restart at any line", (name) => {
    const lines = read("codex", name);
    const whole = playLines(lines, createDecoder);
    for (let cut = 0; cut < lines.length; cut++) expect(playLines(lines, createDecoder, cut)).toEqual(whole);
  });
});
