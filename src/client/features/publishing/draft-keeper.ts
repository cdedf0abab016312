import { CallError } from '#client/lib/call-error.ts'
import type { Draft } from '#shared/contracts/documents.ts'
import { type StoredDocument, storedDocumentSchema } from '#shared/contracts/publishing.ts'

/** How what stands in the editor relates to what the server has. */
export type SaveState =
  | { kind: 'saved' }
  | { kind: 'waiting' }
  | { kind: 'saving' }
  | { kind: 'offline' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'conflict'; theirs: StoredDocument }

export type Kept = {
  /** What the server has, as far as this editor knows. */
  stored: StoredDocument
  draft: Draft
  state: SaveState
}

type KeeperOptions = {
  stored: StoredDocument
  /** `apart`: over what somebody else saved, which has to stay a version of its own. */
  save: (base: StoredDocument, draft: Draft, apart: boolean) => Promise<StoredDocument>
  /** A pause in typing after which is saved. */
  pauseMs?: number
  /** While there is no connection, or the server has trouble. */
  retryMs?: number
}

/**
 * Saves what somebody writes, one save at a time, each from the version that the one before made. What is typed during
 * a save goes with the next. After a refusal for an older version nothing is sent until somebody has decided.
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
    /** Saves now. Answers whether everything that was written is on the server. */
    async flush(): Promise<boolean> {
      await run()
      // What was typed while that save was under way goes with a second.
      if (kept.state.kind === 'waiting') await run()
      return kept.state.kind === 'saved'
    },
    /** The server's text in place of what stands here. */
    adopt(next: StoredDocument) {
      clearTimeout(timer)
      isOverTheirs = false
      set({ stored: next, draft: next.document, state: { kind: 'saved' } })
    },
    /** What readers see has changed, the text has not: whatever was typed meanwhile stays. */
    note({
      publishedVersion,
      hasBeenPublished,
      scheduled,
      publishFailure,
    }: Pick<StoredDocument, 'publishedVersion' | 'hasBeenPublished' | 'scheduled' | 'publishFailure'>) {
      set({ stored: { ...kept.stored, publishedVersion, hasBeenPublished, scheduled, publishFailure } })
    },
    /** Saves over what somebody else saved, which stays among the revisions: what stands here, or a merge of both. */
    async keepMine(draft: Draft = kept.draft): Promise<void> {
      if (kept.state.kind !== 'conflict') return
      isOverTheirs = true
      set({ stored: kept.state.theirs, draft, state: { kind: 'waiting' } })
      await run()
    },
    /** Shows a refusal that another call has met. */
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

/** The newer document that a refusal brought along; null for every other error. */
export function conflictOf(error: unknown): StoredDocument | null {
  if (!(error instanceof CallError) || error.code !== 'edit_conflict') return null
  return storedDocumentSchema.safeParse((error.body as { current?: unknown } | null)?.current).data ?? null
}
