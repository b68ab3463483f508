/** Saves a file as a download of the browser. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Saves an answer of the API, under the name that the server gives it. `onReceived` gets the number of bytes so far. */
export async function saveResponse(response: Response, onReceived?: (bytes: number) => void): Promise<void> {
  const name = /filename="([^"]*)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  let bytes = 0;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        onReceived?.(bytes);
        controller.enqueue(chunk);
      },
    }),
  );
  saveFile(await new Response(counted ?? null, { headers: response.headers }).blob(), name ?? "download");
}
