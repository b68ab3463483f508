import type { SecretKind, SecretPlace } from "@skein/contracts";
import { createPlural } from "./plural.ts";

const plural = createPlural("en");

const kind: Record<SecretKind, string> = {
  "environment-secret": "Secret of the environment",
  "private-key": "Private key",
  "provider-key": "API key of a provider",
  "github-token": "GitHub token",
  "gitlab-token": "GitLab token",
  "aws-key": "AWS key",
  "service-token": "Token of a service",
  "skein-token": "Skein token",
  jwt: "JSON Web Token",
  authorization: "Credentials in a header",
  "connection-string": "Password in an address",
  "url-parameter": "Key in an address",
  assignment: "Value of a secret variable",
  "home-path": "Home folder",
  "user-name": "User name",
  "own-word": "Your own word",
};
const part: Record<SecretPlace["part"], string> = {
  task: "Task",
  conversation: "Conversation",
  messages: "Messages to the model",
  changes: "Changes",
};

/** Texts of the export dialog and of exported pages. Loaded with them. */
export const exportEn = {
  title: "Export",
  what: "A file with the whole conversation of this attempt.",
  format: "Format",
  formats: {
    html: { label: "Web page", hint: "One file that opens in any browser, without a network" },
    markdown: { label: "Markdown", hint: "For reading and editing" },
    json: { label: "JSON", hint: "For programs, with every detail" },
  },
  include: "Include",
  parts: { thinking: "Thoughts of the model", changes: "Changed files", messages: "Messages as the model gets them" },
  redact: "Redact secrets",
  redactHint: "Keys, tokens, passwords, your home folder and your user name are replaced before the file is made.",
  notRedacted: "The file will contain everything as it is, secrets included.",
  looking: "Looking for secrets…",
  none: "No secrets were found.",
  found: (count: number) => plural(count, { one: "1 value is redacted", other: `${count} values are redacted` }),
  kept: (count: number) => plural(count, { one: "1 is kept", other: `${count} are kept` }),
  more: (count: number) =>
    plural(count, { one: "1 more value is redacted and not listed.", other: `${count} more values are redacted and not listed.` }),
  times: (count: number) => plural(count, { one: "once", other: `${count} times` }),
  redactValue: (value: string) => `Redact ${value}`,
  places: "Where it occurs",
  replacedBy: (text: string) => `Replaced by ${text}`,
  words: "Also redact",
  wordsHint: "One word or phrase per line, such as the name of a customer",
  download: "Download",
  received: (size: string) => `Received ${size}…`,
  kind,
  part,
  page: {
    views: "Views",
    view: { conversation: "Conversation", messages: "Messages", changes: "Changes" },
    exported: (time: string) => `exported ${time}`,
    redacted: (count: number) => plural(count, { one: "1 secret redacted", other: `${count} secrets redacted` }),
    notRedacted: "nothing redacted",
    find: "Find in the conversation",
    hits: (place: number, count: number) => `${place} / ${count}`,
    previous: "Previous hit",
    next: "Next hit",
    theme: "Theme",
    themes: { system: "System", light: "Light", dark: "Dark" },
    language: "Language",
  },
};
export type ExportText = typeof exportEn;
