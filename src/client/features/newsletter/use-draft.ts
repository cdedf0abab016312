import { useEffect, useMemo, useRef, useState } from 'react'
import { CallError } from '#client/lib/call-error.ts'
import type { Mailing } from '#shared/contracts/mailings.ts'
import { useSaveMailing } from './newsletter.api.ts'

const typingPauseMs = 700

export type Draft = Pick<Mailing, 'subject' | 'preheader' | 'audience' | 'tracked'> & {
  news?: { title: string; body: string }
}

const draftOf = ({ subject, preheader, audience, tracked, kind, content }: Mailing): Draft => ({
  subject,
  preheader,
  audience,
  tracked,
  ...(kind === 'news' && { news: { title: content.title, body: content.intro } }),
})

/**
 * Saves the draft after a pause in typing, and immediately when the page is left. After a failed save the next change
 * tries again. A mailing that someone else changed is never overwritten.
 */
export function useDraft(mailing: Mailing) {
  const [draft, setDraft] = useState(() => draftOf(mailing))
  const [saved, setSaved] = useState({ draft, version: mailing.version })
  const { mutate, isPending, isError, error, reset } = useSaveMailing(mailing)
  const isDirty = draft !== saved.draft
  const tracked = draft.tracked && mailing.trackingAllowed
  const wanted = useMemo(() => ({ ...draft, tracked }), [draft, tracked])

  useEffect(() => {
    if (!isDirty || isPending || isError) return
    const timer = setTimeout(() => {
      mutate(wanted, { onSuccess: ({ version }) => setSaved({ draft, version }) })
    }, typingPauseMs)
    return () => clearTimeout(timer)
  }, [draft, wanted, isDirty, isPending, isError, mutate])

  // Tracking was turned off in the settings while the page was open: save again without it.
  const isRefusedTracking = error instanceof CallError && error.code === 'tracking_not_allowed'
  useEffect(() => {
    if (isRefusedTracking && !mailing.trackingAllowed) reset()
  }, [isRefusedTracking, mailing.trackingAllowed, reset])

  const leave = useRef(() => {})
  leave.current = () => {
    if (isDirty && !isError) mutate(wanted)
  }
  useEffect(() => () => leave.current(), [])

  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isDirty])

  const change = (part: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...part }))
    if (isError) reset()
  }
  return {
    draft,
    change,
    state: isError ? 'failed' : isDirty ? 'saving' : 'saved',
    version: saved.version,
    error,
  } as const
}
