import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { changeInstant } from '#client/lib/change-instant.ts'
import { itemMarksQuery, updateItemMark } from '#client/lib/item-marks.ts'
import { sendLater } from '#client/lib/outbox.ts'
import { markReadCall } from '#shared/contracts/reader/saved.ts'

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
    // Storage is blocked.
  }
}

/** `isUnread`: it came since the last visit and wasn't opened on any device. */
export function useReadIssues(userId: string) {
  const { data } = useQuery(itemMarksQuery({ kind: 'issues' }))
  const read = useMemo(() => new Set(data?.items.flatMap(({ id, readAt }) => (readAt ? [id] : []))), [data])
  useEarlierMarks(userId, data !== undefined)
  return {
    isUnread: (issueId: string) => !read.has(issueId) && (data?.newIssues?.includes(issueId) ?? false),
    hasReadAny: read.size > 0,
  }
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
