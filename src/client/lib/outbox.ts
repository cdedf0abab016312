import type { z } from 'zod'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import { parseInDev } from './calls.ts'
import { CallError } from './error-message.ts'
import { listChangeIds, type NewChange, storeChange } from './offline/waiting-changes.ts'
import { whenSessionKnown } from './session.ts'
import { readKeptSession, readStoredSession } from './stored-session.ts'

type SendLaterOptions = {
  /** Names the change where the reader decides about unsent ones, such as "Saved: Answer a review". */
  label?: string
  /** Replaces an earlier unsent change of this call with the same key, such as the position in a drop. */
  key?: string
}

const loadQueue = async (userId: string) => (await import('./offline/open-change-queue.ts')).openChangeQueue(userId)

async function requireUserId(): Promise<string> {
  const { user } = await whenSessionKnown()
  if (!user) throw new CallError('not_authenticated', 'Not authenticated', 401)
  return user.id
}

/**
 * Makes a call now or, without a connection, later: in order, across reloads and tabs. The call must be idempotent,
 * because it is repeated after a lost answer. A refused change is reported in a toast, and the page is read again.
 * @returns the output, or null if the change is stored on this device and sent later, or was refused
 */
export async function sendLater<C extends AnyCall>(
  call: C,
  input: z.input<C['input']>,
  { label, key }: SendLaterOptions = {},
): Promise<z.output<C['output']> | null> {
  const parsed = parseInDev(call.input, input) as Record<string, unknown>
  const output = await add({ name: call.name, input: parsed, label: label ?? null, key: key ?? null })
  return output === undefined ? null : (parseInDev(call.output, output) as z.output<C['output']>)
}

/** From here on, the change survives closing the page, unless the browser blocks storage. */
async function add(change: NewChange): Promise<unknown> {
  const tapped = readKeptSession(readStoredSession())?.user.id
  const stored = tapped ? storeChange(tapped, change) : null
  try {
    const userId = await requireUserId()
    // Another user has signed in meanwhile.
    if (tapped && tapped !== userId) return undefined
    const { answer } = stored ?? storeChange(userId, change)
    return await (await loadQueue(userId)).send(answer)
  } catch (error) {
    if (!stored?.isKept || error instanceof CallError) throw error
    console.error('A change waits for the next visit', error)
    return undefined
  }
}

/** Sends what the last visit left. Call once per page load, when the page is idle. */
export async function sendWaitingChanges(): Promise<void> {
  const userId = await requireUserId()
  if (listChangeIds(userId).length > 0) await loadQueue(userId)
}

const flushTimeoutMs = 3_000

/** Tries to send everything for a few seconds and returns the labels of the changes that are left. */
export async function flushUnsentChanges(): Promise<string[]> {
  const userId = await requireUserId()
  if (listChangeIds(userId).length === 0) return []
  try {
    const queue = await loadQueue(userId)
    await Promise.race([queue.flush(), new Promise((resolve) => setTimeout(resolve, flushTimeoutMs))])
    return [...new Set(queue.list().map(({ label }) => label ?? 'Other changes'))]
  } catch (error) {
    console.error('The unsent changes could not be sent', error)
    return ['Other changes']
  }
}
