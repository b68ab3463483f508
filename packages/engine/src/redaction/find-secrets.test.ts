import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSecretFinder, type KnownSecret } from "./find-secrets.ts";
import { mergeMatches, replaceInLines, replaceMatches } from "./redact-text.ts";

function redact(text: string, known: readonly KnownSecret[] = []): string {
  return replaceMatches(text, mergeMatches(createSecretFinder(known).find(text)), ({ kind }) => `<${kind}>`);
}

// Written in two parts, so that no scanner of repositories takes them for real ones.
const token = (prefix: string, length: number) => prefix + "a1B2c3D4e5F6g7H8".repeat(20).slice(0, length);
const jwt = `${token("eyJ", 30)}.${token("eyJ", 60)}.${token("", 43)}`;
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${token("MIIE", 60)}\n${token("", 64)}\n-----END RSA PRIVATE KEY-----`;

describe("secrets by their form", () => {
  it.each([
    [token("sk-ant-api03-", 80), "<provider-key>"],
    [token("sk-proj-", 60), "<provider-key>"],
    [token("AIza", 35), "<provider-key>"],
    [token("gsk_", 50), "<provider-key>"],
    [token("hf_", 34), "<provider-key>"],
    [token("ghp_", 36), "<github-token>"],
    [token("github_pat_", 60), "<github-token>"],
    [token("glpat-", 20), "<gitlab-token>"],
    [`AKIA${"ABCD1234".repeat(2)}`, "<aws-key>"],
    [`aws_secret_access_key = ${token("", 40)}`, "aws_secret_access_key = <aws-key>"],
    [token("xoxb-", 40), "<service-token>"],
    [token("npm_", 36), "<service-token>"],
    [`sk_live_${token("", 24)}`, "<service-token>"],
    [token("ska_", 43), "<skein-token>"],
    [pem, "<private-key>"],
    [pem.slice(0, 150), "<private-key>"],
    [JSON.stringify({ key: pem }), '{"key":"<private-key>"}'],
    [jwt, "<jwt>"],
    [`Authorization: Bearer ${token("", 20)}`, "Authorization: Bearer <authorization>"],
    [`curl -H "x-api-key: ${token("", 20)}" https://a.dev`, 'curl -H "x-api-key: <authorization>" https://a.dev'],
    ["postgres://ada:pa55word@db.local:5432/app", "postgres://<connection-string>@db.local:5432/app"],
    ["redis://:pa55word@cache", "redis://<connection-string>@cache"],
    ["https://a.dev/x?access_token=0123456789abcdef&b=1", "https://a.dev/x?access_token=<url-parameter>&b=1"],
    ["STRIPE_SECRET=abcdef123456", "STRIPE_SECRET=<assignment>"],
    ['export DB_PASSWORD="hunter2hunter2"', 'export DB_PASSWORD="<assignment>"'],
    ["cd /home/ada/work && ls /Users/ada", "cd <home-path>/work && ls <home-path>"],
    ["C:\\Users\\ada\\x", "<home-path>\\x"],
  ])("[I4] %s", (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    "The token is in the header; a password has eight characters.",
    "const token = getToken(request.headers.authorization)",
    "API_KEY=$OTHER_KEY npm test",
    "https://example.com/home/page?page=2#token",
    "git clone git@github.com:ada/app.git && open http://localhost:3000/home",
    "the sk-learn package, task-force, AKIA",
    "msg_01k8b2xq0123456789abcdefgh tsk_01k8b2xq0123456789abcdefgh",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
  ])("leaves ordinary text as it is: %s", (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe("secrets by their value", () => {
  const known: KnownSecret[] = [
    { kind: "environment-secret", value: 'p"a/s+s wörd', name: "DB_PASS" },
    { kind: "home-path", value: "/srv/people/ada" },
    { kind: "user-name", value: "ada" },
    { kind: "own-word", value: "Project Falcon" },
  ];

  it("[I4] are found as they are, in JSON, in JSON within JSON, in URLs and in base64", () => {
    const value = 'p"a/s+s wörd';
    const inJson = JSON.stringify({ value });
    const texts = [value, inJson, JSON.stringify({ inJson }), encodeURIComponent(value), Buffer.from(value).toString("base64")];
    for (const text of texts) expect([text, redact(text, known)]).toEqual([text, expect.stringContaining("<environment-secret>")]);
    expect(createSecretFinder(known).find(`x ${value}`)).toEqual([{ start: 2, end: 14, kind: "environment-secret", name: "DB_PASS" }]);
  });

  it("[I4] a user name is a word, a home path ends with a name, own words are found in any case", () => {
    expect(redact("ada's ls -l: ada staff; Canada, adapt, /srv/people/ada/x /srv/people/adam", known)).toBe(
      "<user-name>'s ls -l: <user-name> staff; Canada, adapt, <home-path>/x /srv/people/adam",
    );
    expect(redact("about project FALCON", known)).toBe("about <own-word>");
  });
});

describe("long and hostile texts", () => {
  it("[I4] finds in parts what it finds in one piece", () => {
    const finder = createSecretFinder([{ kind: "user-name", value: "ada" }]);
    const piece = fc.constantFrom(token("ghp_", 36), " ", "ada", "\n", pem, "x".repeat(50), "Bearer ", jwt, "/home/bob");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 300 }), (pieces, size) => {
        const text = pieces.join("");
        const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, i) => ({
          from: i * size,
          to: Math.min(text.length, (i + 1) * size),
        }));
        const inParts = mergeMatches(parts.flatMap((range) => finder.find(text, range)));
        const missed = mergeMatches(finder.find(text)).filter(
          ({ start, end }) => !inParts.some((one) => one.start <= start && one.end >= end),
        );
        expect(missed).toEqual([]);
      }),
    );
  });

  it("[Q14] takes time in proportion to the length, whatever is repeated", () => {
    const pieces = [
      "a",
      "eyJ",
      "Bearer ",
      "authorization: ",
      "-----BEGIN PRIVATE KEY-----",
      "https://a:",
      "/home/",
      "?key=",
      "A_KEY=",
      '"',
      "\\",
      "sk-",
    ];
    const finder = createSecretFinder([]);
    const time = (text: string) => {
      const start = process.cpuUsage();
      finder.find(text);
      const { user } = process.cpuUsage(start);
      return user;
    };
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(40_000 / piece.length));
      time(text);
      // four times as long: a quadratic pattern takes sixteen times as long
      expect([piece, time(text.repeat(4)) < 9 * Math.max(time(text), 15_000)]).toEqual([piece, true]);
    }
  });
});

describe("lines", () => {
  it("[I4] a key over several lines of a diff is replaced in each, with their signs", () => {
    const lines = [" before", ...pem.split("\n").map((line) => `+${line}`), " after"];
    const matches = mergeMatches(createSecretFinder([]).find(lines.join("\n")));
    expect(replaceInLines(lines, matches, () => "#")).toEqual([" before", "+#", "+#", "+#", "+#", " after"]);
  });
});
