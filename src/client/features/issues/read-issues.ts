import { useCallback, useMemo, useSyncExternalStore } from 'react'

/* Stores which issues a user has opened on this device. Keyed by user, since several people may share a laptop. */
const storageKey = (userId: string) => `front-counter:read-issues:${userId}`
const changed = 'front-counter:read-issues'
/** The oldest ids are dropped first. */
const maxIds = 500

/** Invalid content reads as an empty list. */
export function parseReadIds(raw: string | null): string[] {
  if (!raw) return []
  try {
    const value: unknown = JSON.parse(raw)
    return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** Returns the same list if it contains `issueId` already. */
export const addReadId = (ids: string[], issueId: string) =>
  ids.includes(issueId) ? ids : [...ids, issueId].slice(-maxIds)

function readRaw(userId: string) {
  try {
    return localStorage.getItem(storageKey(userId))
  } catch {
    return null // storage is blocked: everything stays unread
  }
}

function subscribe(onChange: () => void) {
  window.addEventListener('storage', onChange)
  window.addEventListener(changed, onChange)
  return () => {
    window.removeEventListener('storage', onChange)
    window.removeEventListener(changed, onChange)
  }
}

export function useReadIssues(userId: string) {
  const raw = useSyncExternalStore(subscribe, () => readRaw(userId))
  const readIds = useMemo(() => new Set(parseReadIds(raw)), [raw])
  const markRead = useCallback(
    (issueId: string) => {
      const before = parseReadIds(readRaw(userId))
      const after = addReadId(before, issueId)
      if (after === before) return
      try {
        localStorage.setItem(storageKey(userId), JSON.stringify(after))
      } catch {
        return
      }
      window.dispatchEvent(new Event(changed))
    },
    [userId],
  )
  return { isRead: (issueId: string) => readIds.has(issueId), hasReadAny: readIds.size > 0, markRead }
}
