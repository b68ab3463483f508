import type { AttemptId, HostId, ProjectId } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import type { Creation, Host } from "@skein/host";
import type { Logger } from "../logger.ts";

/** Where folders of attempts may be made. Null: the server's own machine. */
export interface CreationPlace {
  hostId: HostId | null;
  host: Pick<Host, "workspaces">;
}

/**
 * Folders and branches are made before their attempt is saved, or moved in the database. Hosts note what they make; what was cut off by a
 * kill, of this server or of a worker, is removed when both are back.
 */
export interface AttemptCreations {
  /**
   * Runs `save`, which makes the folder of an attempt on a host and saves the attempt. If it rejects, what was made is removed, unless the
   * attempt is saved nevertheless, as after a lost answer of the database. `isRepeated`: an earlier call with this id may have been cut off.
   */
  during<T>(creation: { id: AttemptId; hostId: HostId | null; isRepeated?: boolean }, save: () => Promise<T>): Promise<T>;
  /** Removes what belongs to no attempt. Never rejects: what cannot be decided now is left for the next call. */
  recover(): Promise<void>;
}

export function createAttemptCreations(input: {
  storage: Pick<Storage, "transaction">;
  /** The server's own machine and all connected hosts. */
  listPlaces(): readonly CreationPlace[];
  /** Whether a host was removed: nothing will be found there any more. */
  isGone(id: HostId): boolean;
  /** If several servers share the database, each looks after the attempts of its own projects. */
  hasRepository(id: ProjectId): Promise<boolean>;
  logger: Logger;
}): AttemptCreations {
  const { storage, logger } = input;
  const active = new Map<AttemptId, number>();
  let recovering: Promise<void> | undefined;

  /** The branch keeps its name reserved until nothing has it checked out on the other host. */
  async function isFolderLeft({ id, folderOn }: Creation): Promise<boolean> {
    if (folderOn === null || input.isGone(folderOn)) return false;
    const place = input.listPlaces().find(({ hostId }) => hostId === folderOn);
    return place === undefined || (await place.host.workspaces.listCreations()).some((creation) => creation.id === id);
  }

  async function settle({ hostId, host }: CreationPlace, creation: Creation): Promise<void> {
    const { id, folderOn } = creation;
    const { workspaces } = host;
    // in a transaction: a commit whose answer was lost is over by then
    const attempt = await storage.transaction((tx) => tx.findAttempt({ id }));
    const isHere = attempt !== undefined && (folderOn !== null || (attempt.hostId ?? null) === hostId);
    if (!isHere && (await isFolderLeft(creation))) return;
    if (isHere) return workspaces.keepCreation({ id });
    await workspaces.removeCreation({ id, folderOnly: attempt !== undefined });
    logger.info("what an interrupted creation of an attempt has left was removed", { attemptId: id, hostId });
  }

  /** The server's own machine last: what it has reserved for another one is free once that is clean. */
  const listPlaces = () => input.listPlaces().toSorted((a, b) => Number(a.hostId === null) - Number(b.hostId === null));

  async function settleAll(
    places: readonly CreationPlace[],
    isWanted: (creation: Creation, place: CreationPlace) => Promise<boolean> | boolean,
  ): Promise<void> {
    for (const place of places) {
      try {
        for (const creation of await place.host.workspaces.listCreations()) {
          if (await isWanted(creation, place)) await settle(place, creation);
        }
      } catch (error) {
        logger.warn("interrupted creations of attempts could not be looked for", { hostId: place.hostId, error });
      }
    }
  }

  return {
    async during({ id, hostId, isRepeated = false }, save) {
      const listOwn = () => listPlaces().filter((place) => place.hostId === null || place.hostId === hostId);
      const settleOwn = () => settleAll(listOwn(), (creation) => creation.id === id);
      active.set(id, (active.get(id) ?? 0) + 1);
      try {
        if (isRepeated) await settleOwn();
        const result = await save();
        // what cannot be reached now is found later
        for (const { host } of listOwn()) void host.workspaces.keepCreation({ id }).catch(() => {});
        return result;
      } catch (error) {
        await settleOwn();
        throw error;
      } finally {
        const left = (active.get(id) ?? 1) - 1;
        if (left === 0) active.delete(id);
        else active.set(id, left);
      }
    },
    recover() {
      const isForgotten = async (creation: Creation, { hostId }: CreationPlace) =>
        !active.has(creation.id) && (hostId === null || (await input.hasRepository(creation.projectId)));
      recovering ??= settleAll(listPlaces(), isForgotten).finally(() => {
        recovering = undefined;
      });
      return recovering;
    },
  };
}
