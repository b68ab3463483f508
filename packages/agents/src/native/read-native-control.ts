import { type NativeControl, nativeControlSchema } from "./native-control.ts";

/** Control messages until the end of the stream, which means that the owner of this program is gone. Other lines are skipped. */
export async function* readNativeControl(lines: AsyncIterable<string>): AsyncGenerator<NativeControl> {
  for await (const line of lines) {
    const control = parseControl(line);
    if (control !== undefined) yield control;
  }
}

function parseControl(line: string): NativeControl | undefined {
  try {
    return nativeControlSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
