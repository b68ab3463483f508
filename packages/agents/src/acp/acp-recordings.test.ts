import { describe, expect, it } from "vitest";
import { checkPlayed } from "../recordings/check-recording.fixture.ts";
import { formatConversation } from "../recordings/format-conversation.fixture.ts";
import { playLines } from "../recordings/play-recording.fixture.ts";
import { listRecordings, readTwoWayRecording } from "../recordings/read-recording.fixture.ts";
import { createAcpDecoder } from "./create-acp-decoder.ts";

const names = listRecordings("acp", /ndjson$/);

describe("recordings", () => {
  it.each(names)("[T9] %s is shown as it happened", (name) => {
    const played = playLines(readTwoWayRecording("acp", name), createAcpDecoder);
    checkPlayed(played);
    expect(formatConversation(played)).toMatchSnapshot();
  });

  it.each(names)("[Q7] %s gives the same result after a restart at any line", (name) => {
    const lines = readTwoWayRecording("acp", name);
    const whole = playLines(lines, createAcpDecoder);
    for (let cut = 0; cut < lines.length; cut++) expect(playLines(lines, createAcpDecoder, cut)).toEqual(whole);
  });
});
