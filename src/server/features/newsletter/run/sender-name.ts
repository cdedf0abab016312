import { randomUUID } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import { beat, leave, registerSender } from './senders.ts'

/** Under which name this process holds deliveries. Given up by the others, it goes on under a new one. */
export type SenderName = {
  current(): string
  /** Whether the others surely still count on the sender of this name. */
  isTrusted(id: string): boolean
  /** Says that it is here; takes a new name if it was given up. */
  beat(): Promise<void>
  renew(): Promise<void>
  leave(): Promise<void>
}

export async function createSenderName(db: Db, { deadAfterMs }: { deadAfterMs: number }): Promise<SenderName> {
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
    isTrusted: (name) => name === id && performance.now() - heardAt < deadAfterMs / 2,
    async beat() {
      const at = performance.now()
      if (await beat(db, id)) heardAt = at
      else await renew()
    },
    renew,
    leave: () => leave(db, id),
  }
}
