import { randomUUID } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import { deregisterSender, heartbeat, registerSender } from './senders.ts'

/** The id under which this process claims deliveries. It gets a new id after other nodes expired the old one. */
export type SenderIdentity = {
  current(): string
  /** True if the sender with this id certainly hasn't expired yet. */
  isTrusted(id: string): boolean
  /** Renews the heartbeat; registers a new id if the current one has expired. */
  heartbeat(): Promise<void>
  renew(): Promise<void>
  deregister(): Promise<void>
}

export async function createSenderIdentity(
  db: Db,
  { staleAfterMs }: { staleAfterMs: number },
): Promise<SenderIdentity> {
  let id = ''
  let heardAt = 0
  async function renew() {
    const next = randomUUID()
    const at = performance.now()
    await registerSender(db, next)
    id = next
    heardAt = at
  }
  await renew()
  return {
    current: () => id,
    // Half of the limit, since sending a message takes a while.
    isTrusted: (name) => name === id && performance.now() - heardAt < staleAfterMs / 2,
    async heartbeat() {
      const at = performance.now()
      if (await heartbeat(db, id)) heardAt = at
      else await renew()
    },
    renew,
    deregister: () => deregisterSender(db, id),
  }
}
