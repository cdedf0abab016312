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
 * A draft that saves itself after a pause in typing, one save at a time, and at once when the page is left. After a save
 * that failed the next change tries again, unless somebody else has changed the mailing: then nothing of theirs is
 * written over.
 */
export function useDraft(mailing: Mailing) {
  const [draft, setDraft] = useState(() => draftOf(mailing))
  const [saved, setSaved] = useState({ draft, version: mailing.version })
  const { mutate, isPending, isError, error, reset } = useSaveMailing(mailing.id)
  const isDirty = draft !== saved.draft
  const tracked = draft.tracked && mailing.trackingAllowed
  const wanted = useMemo(() => ({ ...draft, tracked }), [draft, tracked])

  useEffect(() => {
    if (!isDirty || isPending || isError) return
    const timer = setTimeout(() => {
      mutate({ version: saved.version, ...wanted }, { onSuccess: ({ version }) => setSaved({ draft, version }) })
    }, typingPauseMs)
    return () => clearTimeout(timer)
  }, [draft, wanted, saved, isDirty, isPending, isError, mutate])

  // Counting was turned off in the settings while the page was open: save again without it.
  const isRefusedTracking = error instanceof CallError && error.code === 'tracking_not_allowed'
  useEffect(() => {
    if (isRefusedTracking && !mailing.trackingAllowed) reset()
  }, [isRefusedTracking, mailing.trackingAllowed, reset])

  const leave = useRef(() => {})
  leave.current = () => {
    // A save that is under way makes the next version; this one waits for it.
    if (isDirty && !isError) mutate({ version: saved.version + (isPending ? 1 : 0), ...wanted })
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
