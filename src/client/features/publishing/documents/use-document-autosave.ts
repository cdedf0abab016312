import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import type { Autosave } from '#client/lib/autosave.ts'
import { invoke } from '#client/lib/calls.ts'
import { hasCurrentSessionEnded } from '#client/lib/ended-session.ts'
import { CallError } from '#client/lib/error-message.ts'
import { useSession } from '#client/lib/session.ts'
import { toast } from '#client/lib/toast.ts'
import { useAutosave } from '#client/lib/use-autosave.ts'
import type { Draft, IssueDraft } from '#shared/contracts/publishing/documents.ts'
import {
  adminSaveDocumentCall,
  type StoredDocument,
  storedDocumentSchema,
} from '#shared/contracts/publishing/publishing.ts'
import { dateWhenPublished, dayOf } from '#shared/domain/publishing-calendar.ts'
import { documentQuery, latestDocumentQuery } from './content.api.ts'

export type DocumentAutosave = Autosave<StoredDocument, Draft>

type SaveInput = Parameters<typeof invoke<typeof adminSaveDocumentCall>>[1]

/** After an overwrite, the other person's version stays a separate revision. */
const save = ({ kind, id, version }: StoredDocument, document: Draft, isOverwrite: boolean) =>
  invoke(adminSaveDocumentCall, { kind, id, version, document, apart: isOverwrite } as SaveInput)

export function useDocumentAutosave(first: StoredDocument) {
  const userId = useSession().user?.id ?? ''
  const [place] = useState({ userId, kind: first.kind, id: first.id })
  const [kept] = useState(() => readUnsavedDraft(place))
  // Based on the version that it was written on, so that a newer one is a conflict to resolve.
  const start = kept?.base ?? first
  const result = useAutosave({ stored: start, draftOf: ({ document }): Draft => document, save, conflictOf })
  const { stored, autosave } = result
  const queryClient = useQueryClient()
  useEffect(() => {
    if (kept) {
      forgetUnsavedDraft(place)
      autosave.edit(kept.draft)
      toast.message('The changes you made before your session ended are back', { id: 'unsaved-draft' })
    }
    return () => {
      const { state, stored: base, draft } = autosave.get()
      if (state.kind !== 'saved') keepUnsavedDraft(place, { base, draft })
    }
  }, [autosave, kept, place])
  // Coming back right after leaving must not open the document as it was before the last save.
  useEffect(() => {
    queryClient.setQueryData(documentQuery(stored.kind, stored.id).queryKey, stored)
  }, [queryClient, stored])
  return result
}

/** Saves all changes. @throws CallError not_saved */
export async function flushOrThrow(autosave: DocumentAutosave): Promise<StoredDocument> {
  if (!(await autosave.flush())) throw new CallError('not_saved', 'Your changes aren’t saved yet.', 409)
  return autosave.get().stored
}

/** Gives a drop that is published at this instant its date. A published one keeps its own, unless that lies ahead. */
export function setDate(autosave: DocumentAutosave, at: string, zone: string) {
  const { stored, draft } = autosave.get()
  if (stored.kind !== 'issue') return
  const issue = draft as IssueDraft
  const day = dayOf(at, zone)
  if (stored.publishedVersion !== null && issue.date !== '' && issue.date <= day) return
  const date = dateWhenPublished(issue.date, day, dayOf(new Date().toISOString(), zone))
  if (date !== issue.date) autosave.edit({ ...issue, date })
}

/**
 * Takes over the publishing state after a call that changed it, and the address that publishing gave a drop. The draft may
 * have been edited during that call.
 */
export function updatePublishingState(autosave: DocumentAutosave, answer: StoredDocument) {
  const { document, publishedVersion, hasBeenPublished, scheduled, publishFailure } = answer
  const state = { document, publishedVersion, hasBeenPublished, scheduled, publishFailure }
  autosave.updateStored(state as Partial<StoredDocument>)
}

const scheduledPollMs = 3_000

/** Takes over that the server published a scheduled document while the editor is open. */
export function useScheduledPublishing(autosave: DocumentAutosave, { kind, id, version, scheduled }: StoredDocument) {
  const latest = useQuery({
    ...latestDocumentQuery(kind, id),
    // An answer about an earlier schedule says nothing about this one.
    queryKey: ['admin-saved-document', kind, `${id} ${scheduled?.at}`],
    enabled: scheduled !== null,
    refetchInterval: scheduledPollMs,
  })
  const { data } = latest
  useEffect(() => {
    // A version saved elsewhere is a conflict, which the next save shows.
    if (data && scheduled && data.scheduled === null && data.version === version) updatePublishingState(autosave, data)
  }, [autosave, data, scheduled, version])
}

/** The newer document in a conflict error; null for any other error. */
export function conflictOf(error: unknown): StoredDocument | null {
  if (!(error instanceof CallError) || error.code !== 'edit_conflict') return null
  return storedDocumentSchema.safeParse((error.body as { current?: unknown } | null)?.current).data ?? null
}

type UnsavedDraft = { base: StoredDocument; draft: Draft }
type Place = Pick<StoredDocument, 'kind' | 'id'> & { userId: string }

const keyOf = ({ userId, kind, id }: Place) => `unsaved-draft ${userId} ${kind} ${id}`

/** Keeps a draft in this tab if the session ended before it was saved. */
function keepUnsavedDraft(place: Place, { base, draft }: UnsavedDraft) {
  if (!hasCurrentSessionEnded()) return
  try {
    sessionStorage.setItem(keyOf(place), JSON.stringify({ base, draft }))
  } catch {
    // Full or forbidden. The text is lost then.
  }
}

/** The kept draft with the version that it was based on. */
function readUnsavedDraft(place: Place): UnsavedDraft | null {
  try {
    const kept = z
      .object({ base: storedDocumentSchema, draft: z.unknown() })
      .parse(JSON.parse(sessionStorage.getItem(keyOf(place)) ?? 'null'))
    const { document } = storedDocumentSchema.parse({ ...kept.base, document: kept.draft })
    return { base: kept.base, draft: document }
  } catch {
    return null
  }
}

function forgetUnsavedDraft(place: Place) {
  try {
    sessionStorage.removeItem(keyOf(place))
  } catch {
    // Storage is forbidden, so nothing was kept.
  }
}
