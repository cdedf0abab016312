import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { changeInstant } from '#client/lib/change-instant.ts'
import { updateItemMark } from '#client/lib/item-marks.ts'
import { sendLater } from '#client/lib/outbox.ts'
import { savePositionCall } from '#shared/contracts/reader/saved.ts'
import type { OrderedSection } from './order-sections.ts'
import { createReadingProgress, type Progress } from './reading-progress.ts'

/** The first position is sent soon, later ones at most this often, and the last when the reader leaves the page. */
const firstSendMs = 1_000
const sendIntervalMs = 6_000

/**
 * Follows the reader through an issue and stores the section in view, the sections above it, and whether the end was
 * reached. `endId` is the id of what follows the last section. Does nothing without an issue.
 */
export function useReadingPosition(issueId: string | null, sections: readonly OrderedSection[], endId: string) {
  const client = useQueryClient()
  const latest = useRef(sections)
  latest.current = sections

  useEffect(() => {
    if (issueId === null) return
    const progress = createReadingProgress(latest.current.map(({ id }) => id))
    let sent: Progress | null = null
    let timer: ReturnType<typeof setTimeout> | undefined

    const send = () => {
      clearTimeout(timer)
      timer = undefined
      const now = progress.current()
      if (!now || now === sent) return
      sent = now
      const at = changeInstant(null)
      updateItemMark(client, { kind: 'issue', id: issueId }, { position: now.sectionId })
      // The same key: only the newest position is worth sending later.
      sendLater(savePositionCall, { issueId, ...now, at }, { key: `position ${issueId}` }).catch((error: unknown) =>
        console.error('The position could not be stored', error),
      )
    }
    const follow = () => {
      const before = progress.current()
      const middle = window.innerHeight / 2
      const top = (id: string) => document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY
      const passed = latest.current.filter(({ anchor }) => top(anchor) < middle).map(({ id }) => id)
      progress.update(passed, top(endId) < window.innerHeight, performance.now())
      const now = progress.current()
      if (now === before || !now) return
      const readAt = new Date().toISOString()
      for (const id of now.readSections) {
        if (!before?.readSections.includes(id)) updateItemMark(client, { kind: 'section', id }, { readAt })
      }
      if (now.finished && !before?.finished) {
        updateItemMark(client, { kind: 'issue', id: issueId }, { finishedAt: readAt })
        send()
      }
      timer ??= setTimeout(send, sent ? sendIntervalMs : firstSendMs)
    }
    let frame = 0
    const handleScroll = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(follow)
    }
    const handleHidden = () => {
      if (document.visibilityState === 'hidden') send()
    }
    // What the reader scrolls to counts, not what fits on the screen.
    window.addEventListener('scroll', handleScroll, { passive: true })
    document.addEventListener('visibilitychange', handleHidden)
    return () => {
      window.removeEventListener('scroll', handleScroll)
      document.removeEventListener('visibilitychange', handleHidden)
      cancelAnimationFrame(frame)
      send()
    }
  }, [client, issueId, endId])
}
