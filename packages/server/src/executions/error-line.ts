/** The most informative line of an agent's stderr: the last one that names an error, else the last one. */
export function toErrorLine(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  const informative = lines.filter((line) => line !== "" && !/^Node\.js v\d/.test(line) && !line.startsWith("at "));
  return informative.findLast((line) => /\b(\w*error|fatal|panic(ked)?)\b\s*:?/i.test(line)) ?? informative.at(-1) ?? "";
}
