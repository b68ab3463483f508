import { describe, expect, it } from "vitest";
import { checkPlayed } from "../recordings/check-recording.fixture.ts";
import { playLines } from "../recordings/play-recording.fixture.ts";
import { listRecordings, readRecording } from "../recordings/read-recording.fixture.ts";
import { tellConversation } from "../recordings/tell-conversation.fixture.ts";
import { createOpencodeDecoder } from "./create-opencode-decoder.ts";

const names = listRecordings("opencode", /^opencode-run-.*ndjson$/);

describe("recordings", () => {
  it.each(names)("[T9] %s is shown as it happened", (name) => {
    const played = playLines(readRecording("opencode", name), createOpencodeDecoder);
    checkPlayed(played);
    expect(tellConversation(played)).toMatchSnapshot();
  });

  it.each(names)("[Q7] %s gives the same after a restart at any line", (name) => {
    const lines = readRecording("opencode", name);
    const whole = playLines(lines, createOpencodeDecoder);
    for (let cut = 0; cut < lines.length; cut++) expect(playLines(lines, createOpencodeDecoder, cut)).toEqual(whole);
  });
});
