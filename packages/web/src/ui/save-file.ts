/** Saves a file as a download of the browser. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Saves an answer of the API, under the name that the server gives it. */
export async function saveResponse(response: Response): Promise<void> {
  const name = /filename="([^"]*)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  saveFile(await response.blob(), name ?? "download");
}
