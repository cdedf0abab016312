import { sendLater } from '#client/lib/outbox.ts'
import { startTryCall, type TriedItem } from '#shared/contracts/tries.ts'

/** The reader copied a prompt. If they don't say how it went, one email asks a week later. Failures are only logged. */
export function noteCopied({ kind, id }: TriedItem): void {
  const at = new Date().toISOString()
  sendLater(startTryCall, { kind, id, at }, { label: 'A reminder', key: `${kind} ${id}` }).catch((error: unknown) =>
    console.error('The copy could not be noted', error),
  )
}
