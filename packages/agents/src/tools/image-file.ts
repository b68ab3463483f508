import type { ImagePart } from "@skein/contracts";
import { type findImageProblem, imageLimits } from "@skein/engine";

/** Limit of the providers. */
export const maximumImageBytes = 5 * 1024 * 1024;

const signatures: readonly [ImagePart["mediaType"], (bytes: Buffer) => boolean][] = [
  ["image/png", (bytes) => bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"))],
  ["image/jpeg", (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ["image/gif", (bytes) => /^GIF8[79]a/.test(bytes.toString("latin1", 0, 6))],
  ["image/webp", (bytes) => bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP"],
];

/** Detected from the content, whatever the file's name: a wrong type makes the request fail. */
export function findImageType(start: Buffer): ImagePart["mediaType"] | undefined {
  return signatures.find(([, fits]) => fits(start))?.[0];
}

/** A few kilobytes can decode to gigabytes: the size in pixels is limited, too. */
export function describeImageProblem(name: string, problem: NonNullable<ReturnType<typeof findImageProblem>>): string {
  if (problem.kind === "unreadable") return `${name} is not a readable PNG, JPEG, GIF or WebP. Use bash to look into it, for example file.`;
  const { width, height } = problem.header;
  const most = `${imageLimits.agentEdge} pixels on a side and ${imageLimits.shownPixels / 1_000_000} million in all`;
  return `${name} has ${width} × ${height} pixels; pictures can have ${most}. Make a smaller copy with bash first.`;
}
