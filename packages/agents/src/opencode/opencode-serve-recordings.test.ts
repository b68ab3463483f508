import { describe, expect, it } from "vitest";
import { checkPlayed } from "../recordings/check-recording.fixture.ts";
import { playLines } from "../recordings/play-recording.fixture.ts";
import { listRecordings } from "../recordings/read-recording.fixture.ts";
import { tellConversation } from "../recordings/tell-conversation.fixture.ts";
import { createOpencodeServeDecoder } from "./create-opencode-serve-decoder.ts";
import { readServeRecording } from "./read-serve-recording.fixture.ts";

const names = listRecordings("opencode", /^opencode-serve-.*ndjson$/);

describe("recordings", () => {
  it.each(names)("[T9] %s is shown as it happened", (name) => {
    const played = playLines(readServeRecording(name), createOpencodeServeDecoder);
    checkPlayed(played);
    expect(tellConversation(played)).toMatchSnapshot();
  });

  it.each(names)("[Q7] %s gives the same after a restart at any line", (name) => {
    const lines = readServeRecording(name);
    const whole = playLines(lines, createOpencodeServeDecoder);
    for (let cut = 0; cut < lines.length; cut++) expect(playLines(lines, createOpencodeServeDecoder, cut)).toEqual(whole);
  });
});
