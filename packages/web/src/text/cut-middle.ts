import { takeEnd, takeStart } from "@skein/engine";

/** Cuts the middle of a long path: the file name matters most. */
export function cutMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const tail = Math.ceil((maxLength - 1) * 0.65);
  return `${takeStart(text, maxLength - 1 - tail)}…${takeEnd(text, tail)}`;
}
