import type { HostId } from "@skein/contracts";

/** Where another server uses the connection of a worker to this one. */
export const toSharedLinkPath = (id: HostId): string => `/api/nodes/workers/${id}/link`;

/** Its group is the id. */
export const sharedLinkPattern = /^\/api\/nodes\/workers\/([^/]+)\/link$/;
