import { expect, it } from "vitest";
import { parseRemoteUrl } from "./parse-remote-url.ts";

it.each([
  ["https://github.com/owner/name.git", { host: "github.com", path: "owner/name", protocol: "https" }],
  ["https://user:pw@git.example:8443/group/sub/name", { host: "git.example:8443", path: "group/sub/name", protocol: "https" }],
  ["git@github.com:owner/name.git", { host: "github.com", path: "owner/name", protocol: "ssh" }],
  ["ssh://git@git.example:2222/owner/name.git", { host: "git.example", path: "owner/name", protocol: "ssh" }],
  ["/srv/git/name.git", undefined],
  ["../name", undefined],
])("parseRemoteUrl reads %s", (url, expected) => {
  expect(parseRemoteUrl(url)).toEqual(expected);
});
