import { CallError } from '#client/lib/call-error.ts'
import type { Draft } from '#shared/contracts/documents.ts'
import { type StoredDocument, storedDocumentSchema } from '#shared/contracts/publishing.ts'

/** Whether the editor's text is saved. */
export type SaveState =
  | { kind: 'saved' }
  | { kind: 'waiting' }
  | { kind: 'saving' }
  | { kind: 'offline' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'conflict'; theirs: StoredDocument }

export type Kept = {
  /** The latest version known to be on the server. */
  stored: StoredDocument
  draft: Draft
  state: SaveState
}

type KeeperOptions = {
  stored: StoredDocument
  /** `apart` overwrites another person's save, which stays a separate revision. */
  save: (base: StoredDocument, draft: Draft, apart: boolean) => Promise<StoredDocument>
  /** Pause in typing before a save. */
  pauseMs?: number
  /** Time between attempts while offline or while the server fails. */
  retryMs?: number
}

/**
 * Saves a draft while it is edited: one save at a time, each based on the version the previous one returned. Changes
 * made during a save are sent with the next. After a conflict nothing is sent until the editor resolves it.
 */
export function createDraftKeeper({ stored, save, pauseMs = 900, retryMs = 5_000 }: KeeperOptions) {
  let kept: Kept = { stored, draft: stored.document, state: { kind: 'saved' } }
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | null = null
  let isOverTheirs = false
  const listeners = new Set<() => void>()

  const set = (next: Partial<Kept>) => {
    kept = { ...kept, ...next }
    for (const listener of listeners) listener()
  }
  const later = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void run(), ms)
  }

  async function send() {
    const sent = kept.draft
    set({ state: { kind: 'saving' } })
    try {
      const answer = await save(kept.stored, sent, isOverTheirs)
      isOverTheirs = false
      const isBehind = kept.draft !== sent
      set({ stored: answer, state: { kind: isBehind ? 'waiting' : 'saved' } })
      if (isBehind) later(pauseMs)
    } catch (error) {
      set({ state: stateAfter(error) })
      if (isPassing(kept.state)) later(retryMs)
    }
  }

  function run(): Promise<void> {
    clearTimeout(timer)
    if (kept.state.kind === 'saved' || kept.state.kind === 'conflict') return Promise.resolve()
    running ??= send().finally(() => {
      running = null
    })
    return running
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get: () => kept,
    edit(draft: Draft) {
      const isFree = kept.state.kind !== 'saving' && kept.state.kind !== 'conflict'
      set({ draft, state: isFree ? { kind: 'waiting' } : kept.state })
      if (isFree) later(pauseMs)
    },
    /** Saves immediately. Returns whether all changes are on the server. */
    async flush(): Promise<boolean> {
      await run()
      // Changes made during that save need a second one.
      if (kept.state.kind === 'waiting') await run()
      return kept.state.kind === 'saved'
    },
    /** Replaces the draft with the server's document. */
    adopt(next: StoredDocument) {
      clearTimeout(timer)
      isOverTheirs = false
      set({ stored: next, draft: next.document, state: { kind: 'saved' } })
    },
    /** Updates the publishing state and leaves the draft alone. */
    note({
      publishedVersion,
      hasBeenPublished,
      scheduled,
      publishFailure,
    }: Pick<StoredDocument, 'publishedVersion' | 'hasBeenPublished' | 'scheduled' | 'publishFailure'>) {
      set({ stored: { ...kept.stored, publishedVersion, hasBeenPublished, scheduled, publishFailure } })
    },
    /** Resolves a conflict with this draft or a merge of both. The other version stays a revision. */
    async keepMine(draft: Draft = kept.draft): Promise<void> {
      if (kept.state.kind !== 'conflict') return
      isOverTheirs = true
      set({ stored: kept.state.theirs, draft, state: { kind: 'waiting' } })
      await run()
    },
    /** Enters the conflict state after another call reported a conflict. */
    meet(theirs: StoredDocument) {
      clearTimeout(timer)
      set({ state: { kind: 'conflict', theirs } })
    },
    stop() {
      clearTimeout(timer)
    },
  }
}

export type DraftKeeper = ReturnType<typeof createDraftKeeper>

const isPassing = (state: SaveState) => state.kind === 'offline' || (state.kind === 'failed' && isTrouble(state.error))
const isTrouble = (error: unknown) => error instanceof CallError && (error.status >= 500 || error.status === 429)

function stateAfter(error: unknown): SaveState {
  const theirs = conflictOf(error)
  if (theirs) return { kind: 'conflict', theirs }
  return error instanceof CallError && error.status === 0 ? { kind: 'offline' } : { kind: 'failed', error }
}

/** The newer document in a conflict error; null for any other error. */
export function conflictOf(error: unknown): StoredDocument | null {
  if (!(error instanceof CallError) || error.code !== 'edit_conflict') return null
  return storedDocumentSchema.safeParse((error.body as { current?: unknown } | null)?.current).data ?? null
}
