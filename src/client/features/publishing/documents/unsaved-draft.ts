import { z } from 'zod'
import { hasCurrentSessionEnded } from '#client/lib/ended-session.ts'
import type { Draft } from '#shared/contracts/publishing/documents.ts'
import { type StoredDocument, storedDocumentSchema } from '#shared/contracts/publishing/publishing.ts'

type UnsavedDraft = { base: StoredDocument; draft: Draft }
type Place = Pick<StoredDocument, 'kind' | 'id'> & { userId: string }

const keyOf = ({ userId, kind, id }: Place) => `unsaved-draft ${userId} ${kind} ${id}`

/** Keeps a draft in this tab if the session ended before it was saved. */
export function keepUnsavedDraft(place: Place, { base, draft }: UnsavedDraft) {
  if (!hasCurrentSessionEnded()) return
  try {
    sessionStorage.setItem(keyOf(place), JSON.stringify({ base, draft }))
  } catch {
    // Full or forbidden. The text is lost then.
  }
}

/** The kept draft with the version that it was based on. */
export function readUnsavedDraft(place: Place): UnsavedDraft | null {
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

export function forgetUnsavedDraft(place: Place) {
  try {
    sessionStorage.removeItem(keyOf(place))
  } catch {
    // Storage is forbidden, so nothing was kept.
  }
}
