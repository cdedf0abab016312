import { build } from '../schema/build-object.ts'
import { newId, randomText } from '../store/ids.ts'
import type { Tx } from '../tx.ts'
import type { PortalFlow, PortalSession } from '../types.ts'

/** The token gives access; like a password, it is neither logged nor listed. */
type PortalSessionNotes = { token: string; lastUsedMs: number; usesFlow: boolean }

const unusedMs = 5 * 60_000
const lifetimeMs = 60 * 60_000

/** Creates a portal session. It expires after five minutes unused or an hour in total, in real time. */
export function createPortalSession(
  tx: Tx,
  input: { customer: string; configuration: string; returnUrl: string | null; flow: PortalFlow | null },
): PortalSession {
  const token = randomText(43)
  const session = build<PortalSession>('billing_portal.session', {
    id: newId('bps'),
    configuration: input.configuration,
    created: Math.floor(tx.wallMs / 1000),
    customer: input.customer,
    flow: input.flow,
    return_url: input.returnUrl,
    url: `${tx.publicUrl}/p/session/${token}`,
  })
  const notes: PortalSessionNotes = { lastUsedMs: tx.wallMs, token, usesFlow: input.flow !== null }
  const { url: _secret, ...kept } = session
  tx.store.put(kept as PortalSession, notes)
  tx.store.run('update objects set lookup = ? where id = ?', token, session.id)
  return session
}

export type OpenPortal = { session: PortalSession; notes: PortalSessionNotes }

/** The open session of a token, which is now used, or undefined. */
export function enterPortal(tx: Tx, token: string): OpenPortal | undefined {
  const row = tx.store.row(
    `select id, json, notes from objects where type = 'billing_portal.session' and lookup = ?`,
    token,
  )
  if (!row) return undefined
  const session = JSON.parse(String(row.json)) as PortalSession
  const notes = JSON.parse(String(row.notes)) as PortalSessionNotes
  const tooOld = tx.wallMs - session.created * 1000 > lifetimeMs
  if (tooOld || tx.wallMs - notes.lastUsedMs > unusedMs) return undefined
  const used = { ...notes, lastUsedMs: tx.wallMs }
  tx.store.run('update objects set notes = ? where id = ?', JSON.stringify(used), session.id)
  return { notes: used, session }
}

/** Shows the complete portal once a deep link's flow is done. */
export function finishFlow(tx: Tx, { session, notes }: OpenPortal): void {
  tx.store.run('update objects set notes = ? where id = ?', JSON.stringify({ ...notes, usesFlow: false }), session.id)
}
