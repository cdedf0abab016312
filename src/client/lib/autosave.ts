import { CallError, isNetworkError, isTransient } from './error-message.ts'

/** State of saving a draft. */
export type SaveState<Stored> =
  | { kind: 'saved' }
  | { kind: 'waiting' }
  | { kind: 'saving' }
  | { kind: 'offline'; error: unknown }
  | { kind: 'failed'; error: unknown }
  | { kind: 'conflict'; theirs: Stored }

export type AutosaveSnapshot<Stored, Draft> = {
  /** The latest version known to be on the server. */
  stored: Stored
  draft: Draft
  state: SaveState<Stored>
}

export type AutosaveOptions<Stored, Draft> = {
  stored: Stored
  draftOf: (stored: Stored) => Draft
  /** `isOverwrite` replaces another person's save after a conflict. */
  save: (base: Stored, draft: Draft, isOverwrite: boolean) => Promise<Stored>
  /** The newer version in a conflict error; null for any other error. */
  conflictOf?: (error: unknown) => Stored | null
  /** Pause in typing before a save. */
  pauseMs?: number
  /** Time between attempts while offline or while the server fails. */
  retryMs?: number
}

/**
 * Saves a draft while it is edited: one save at a time, each based on the version the previous one returned. Changes
 * made during a save are sent with the next. After a conflict nothing is sent until the editor resolves it.
 */
export function createAutosave<Stored, Draft>({
  stored,
  draftOf,
  save,
  conflictOf = () => null,
  pauseMs = 900,
  retryMs = 5_000,
}: AutosaveOptions<Stored, Draft>) {
  let snapshot: AutosaveSnapshot<Stored, Draft> = { stored, draft: draftOf(stored), state: { kind: 'saved' } }
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | null = null
  let isOverwrite = false
  const listeners = new Set<() => void>()

  const set = (next: Partial<typeof snapshot>) => {
    snapshot = { ...snapshot, ...next }
    for (const listener of listeners) listener()
  }
  const schedule = (delayMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void run(), delayMs)
  }

  async function send() {
    const sent = snapshot.draft
    set({ state: { kind: 'saving' } })
    try {
      const saved = await save(snapshot.stored, sent, isOverwrite)
      isOverwrite = false
      const isBehind = snapshot.draft !== sent
      set({ stored: saved, state: { kind: isBehind ? 'waiting' : 'saved' } })
      if (isBehind) schedule(pauseMs)
    } catch (error) {
      const theirs = conflictOf(error)
      set({ state: theirs ? { kind: 'conflict', theirs } : stateAfter(error) })
      if (!theirs && isWorthRetrying(error)) schedule(retryMs)
    }
  }

  function run(): Promise<void> {
    clearTimeout(timer)
    if (snapshot.state.kind === 'saved' || snapshot.state.kind === 'conflict') return Promise.resolve()
    running ??= send().finally(() => {
      running = null
    })
    return running
  }

  /** Replaces the draft with a version of the server. */
  function replace(next: Stored) {
    clearTimeout(timer)
    isOverwrite = false
    set({ stored: next, draft: draftOf(next), state: { kind: 'saved' } })
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get: () => snapshot,
    edit(draft: Draft) {
      const isFree = snapshot.state.kind !== 'saving' && snapshot.state.kind !== 'conflict'
      set({ draft, state: isFree ? { kind: 'waiting' } : snapshot.state })
      if (isFree) schedule(pauseMs)
    },
    /** Saves immediately. Returns whether all changes are on the server. */
    async flush(): Promise<boolean> {
      await run()
      // Changes made during that save need a second one.
      if (snapshot.state.kind === 'waiting') await run()
      return snapshot.state.kind === 'saved'
    },
    replace,
    /** Drops unsaved changes. */
    discard: () => replace(snapshot.stored),
    /** Updates what another call changed on the server, and leaves the draft alone. */
    updateStored(part: Partial<Stored>) {
      set({ stored: { ...snapshot.stored, ...part } })
    },
    /** Resolves a conflict with this draft or a merge of both. */
    async overwrite(draft: Draft = snapshot.draft): Promise<void> {
      if (snapshot.state.kind !== 'conflict') return
      isOverwrite = true
      set({ stored: snapshot.state.theirs, draft, state: { kind: 'waiting' } })
      await run()
    },
    /** Enters the conflict state after another call reported a conflict. */
    reportConflict(theirs: Stored) {
      clearTimeout(timer)
      set({ state: { kind: 'conflict', theirs } })
    },
    stop() {
      clearTimeout(timer)
    },
  }
}

export type Autosave<Stored, Draft> = ReturnType<typeof createAutosave<Stored, Draft>>

const isWorthRetrying = (error: unknown) => error instanceof CallError && isTransient(error)

const stateAfter = (error: unknown) => ({ kind: isNetworkError(error) ? 'offline' : 'failed', error }) as const
