import { sendRequest } from "../api/send-request.ts";
import { saveResponse } from "./save-file.ts";

/** Downloads a file from the API, under the name that the server gives it. A plain link could not send the session's secret. */
export async function download(path: string): Promise<void> {
  await saveResponse(await sendRequest(path));
}
