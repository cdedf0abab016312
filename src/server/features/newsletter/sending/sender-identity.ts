import { randomUUID } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import { deregisterSender, heartbeat, registerSender } from './senders.ts'

/** Under which name this process holds deliveries. Given up by the others, it goes on under a new one. */
export type SenderIdentity = {
  current(): string
  /** Whether the others surely still count on the sender of this name. */
  isTrusted(id: string): boolean
  /** Says that it is here; takes a new name if it was expired. */
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
    // Half the time, since a message is under way for a while.
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
