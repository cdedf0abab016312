import {
  listChangeIds,
  type NewChange,
  pageId,
  type QueuedChange,
  readChange,
  removeChanges,
} from './waiting-changes.ts'

/**
 * The user's changes, oldest first, without those that a later one replaces. Removes these and entries that can't be read.
 */
export function listChanges(userId: string): QueuedChange[] {
  const latest = new Map<string, QueuedChange>()
  const list = listChangeIds(userId).map((id) => {
    const change = parse(readChange(id))
    const queued = change && { ...change, id, userId }
    if (queued) latest.set(queued.key === null ? id : `${queued.name} ${queued.key}`, queued)
    return { id, queued }
  })
  const kept = new Set(latest.values())
  removeChanges(list.flatMap(({ id, queued }) => (queued && kept.has(queued) ? [] : [id])))
  return list.flatMap(({ queued }) => (queued && kept.has(queued) ? [queued] : []))
}

function parse(text: string | null): NewChange | null {
  try {
    const change = JSON.parse(text ?? '') as NewChange
    return change.name && change.input ? change : null
  } catch {
    return null
  }
}

/** Returns true if an earlier page or another tab left changes. */
export const hasChangesOfOtherPages = (userId: string): boolean =>
  listChangeIds(userId).some((id) => !id.endsWith(pageId))
