import { noteCopied } from '#client/features/tries/note-copied.ts'
import { recordItemUse } from '#client/lib/record-item-use.ts'
import type { TriedItem } from '#shared/contracts/tries.ts'

/** After a prompt was copied: sets the reminder to say how it went, and remembers which version the reader has. */
export function recordCopy(item: TriedItem): void {
  noteCopied(item)
  recordItemUse(item, 'copied')
}
