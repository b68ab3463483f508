import { sendRequest } from "../api/send-request.ts";
import { saveFile } from "./save-file.ts";

/** Downloads a file from the API, under the name that the server gives it. A plain link could not send the session's secret. */
export async function download(path: string): Promise<void> {
  const response = await sendRequest(path);
  const name = /filename="([^"]*)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  saveFile(await response.blob(), name ?? "download");
}
