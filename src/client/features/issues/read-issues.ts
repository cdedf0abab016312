import { useCallback, useMemo, useSyncExternalStore } from 'react'

/*
 * Which issues a reader has opened, kept on this device and per user: a shared back-office laptop must not mix two
 * people's marks. The raw string is the snapshot, so that React can compare it.
 */
const storageKey = (userId: string) => `front-counter:read-issues:${userId}`
const changed = 'front-counter:read-issues'
/** Far more than anybody has issues to read; old marks fall off the front. */
const maxMarks = 500

/** Whatever stands in storage, a list of issue ids comes out. */
export function parseMarks(raw: string | null): string[] {
  if (!raw) return []
  try {
    const value: unknown = JSON.parse(raw)
    return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** The list with `issueId` as its newest mark, or the same list if it was marked before. */
export const addMark = (marks: string[], issueId: string) =>
  marks.includes(issueId) ? marks : [...marks, issueId].slice(-maxMarks)

function readRaw(userId: string) {
  try {
    return localStorage.getItem(storageKey(userId))
  } catch {
    return null // storage switched off: everything stays unread
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
  const marks = useMemo(() => new Set(parseMarks(raw)), [raw])
  const markRead = useCallback(
    (issueId: string) => {
      const before = parseMarks(readRaw(userId))
      const after = addMark(before, issueId)
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
  return { isRead: (issueId: string) => marks.has(issueId), markRead }
}
