import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { changeInstant } from '#client/lib/change-instant.ts'
import { itemMarksQuery, updateItemMark } from '#client/lib/item-marks.ts'
import { sendLater } from '#client/lib/outbox.ts'
import { markReadCall } from '#shared/contracts/reader/saved.ts'

/*
 * Which issues a reader has read is stored on the server. This device keeps a copy for when the marks can't be loaded.
 * Keyed by user, since several people may share a laptop.
 */
const copyKey = (userId: string) => `front-counter:read-drops:${userId}`
/** Where earlier versions kept the marks, on this device only. */
const earlierKey = (userId: string) => `front-counter:read-issues:${userId}`
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

function readIds(key: string): string[] {
  try {
    return parseReadIds(localStorage.getItem(key))
  } catch {
    return [] // storage is blocked
  }
}

function storeIds(key: string, ids: readonly string[]) {
  try {
    if (ids.length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(ids.slice(-maxIds)))
  } catch {
    // Without storage there is no copy.
  }
}

/** The issues that the reader has read, on any device. */
export function useReadIssues(userId: string) {
  const { data } = useQuery(itemMarksQuery({ kind: 'issues' }))
  const ids = useMemo(
    () => new Set(data ? data.items.flatMap(({ id, readAt }) => (readAt ? [id] : [])) : readIds(copyKey(userId))),
    [data, userId],
  )
  useEffect(() => {
    if (data && userId) storeIds(copyKey(userId), [...ids])
  }, [data, ids, userId])
  useEarlierMarks(userId, data !== undefined)
  return { isRead: (issueId: string) => ids.has(issueId), hasReadAny: ids.size > 0 }
}

/** Sends the marks of an earlier version to the server, once. */
function useEarlierMarks(userId: string, isLoaded: boolean) {
  const markRead = useMarkRead()
  useEffect(() => {
    const ids = isLoaded && userId ? readIds(earlierKey(userId)).slice(-maxIds) : []
    if (ids.length === 0) return
    void markRead(ids).then(() => storeIds(earlierKey(userId), []))
  }, [userId, isLoaded, markRead])
}

/** Marks issues as read at once; the call is made when there is a connection. */
export function useMarkRead() {
  const client = useQueryClient()
  return useCallback(
    async (ids: readonly string[]) => {
      const at = changeInstant(null)
      const items = ids.map((id) => ({ kind: 'issue' as const, id: id.slice(0, 200) }))
      for (const item of items) updateItemMark(client, item, { readAt: at })
      await sendLater(markReadCall, { items, at }).catch((error: unknown) =>
        console.error('The read mark could not be stored', error),
      )
    },
    [client],
  )
}
