import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { invoke } from '#client/lib/invoke.ts'
import { adminSaveDocumentCall, type StoredDocument } from '#shared/contracts/publishing.ts'
import { documentQuery } from './content.api.ts'
import { createDraftKeeper, type DraftKeeper, type Kept } from './draft-keeper.ts'

type SaveInput = Parameters<typeof invoke<typeof adminSaveDocumentCall>>[1]

const save = ({ kind, id, version }: StoredDocument, document: unknown, apart: boolean) =>
  invoke(adminSaveDocumentCall, { kind, id, version, document, apart } as SaveInput)

/** A draft that saves itself, for as long as the editor is open. */
export function useDraft(stored: StoredDocument): Kept & { keeper: DraftKeeper } {
  const [keeper] = useState(() => createDraftKeeper({ stored, save }))
  const kept = useSyncExternalStore(keeper.subscribe, keeper.get)
  const queryClient = useQueryClient()
  // Coming back right after leaving must not open the document as it was before the last save.
  useEffect(() => {
    queryClient.setQueryData(documentQuery(kept.stored.kind, kept.stored.id).queryKey, kept.stored)
  }, [queryClient, kept.stored])
  useEffect(() => {
    const handleOnline = () => void keeper.flush()
    window.addEventListener('online', handleOnline)
    return () => {
      window.removeEventListener('online', handleOnline)
      keeper.stop()
    }
  }, [keeper])
  return { ...kept, keeper }
}
