import { randomUUID } from 'node:crypto'
import type { Database } from '#server/db/database.ts'
import { firstPosition } from '#server/features/publishing/mailings/sending/claim-batch.ts'
import type { ClaimedDelivery } from '#server/features/publishing/mailings/sending/compose-delivery.ts'
import type { SendingDeps } from '#server/features/publishing/mailings/sending/mailing-row.ts'
import { recordAndClaim, registerSender } from '#server/features/publishing/mailings/sending/senders.ts'

type ClaimDeps = Pick<SendingDeps, 'config' | 'database' | 'clock' | 'enqueue'>

export async function addNode({ db }: Database): Promise<string> {
  const id = randomUUID()
  await registerSender(db, id)
  return id
}

/** `stillHeld`: what a node that was killed in its last transaction knows that it holds. */
type Claim = { sent?: readonly ClaimedDelivery[]; emails: number; stillHeld?: readonly string[] }

/** One transaction of a node: records what it sent and claims more. */
export async function claim(
  deps: ClaimDeps,
  mailingId: string,
  senderId: string,
  { sent = [], emails, stillHeld }: Claim,
) {
  const { deliveries: claimed, status } = await recordAndClaim(deps, {
    mailingId,
    senderId,
    results: sent.map(({ id, senderId: by }) => ({
      ...{ id, senderId: by, status: 'submitted', cause: null, response: null, untried: false, nextAttemptAt: null },
    })) as never,
    emails,
    after: firstPosition,
    fullDomains: new Set(),
    checksPauseRules: false,
    stillHeld: stillHeld ?? null,
  })
  return { claimed, status }
}

/** Sends what is due, as one node does until nothing is left to claim. */
export async function sendDue(deps: ClaimDeps, mailing: string): Promise<ClaimedDelivery[]> {
  const node = await addNode(deps.database)
  const all: ClaimedDelivery[] = []
  let held: ClaimedDelivery[] = []
  do {
    held = (await claim(deps, mailing, node, { sent: held, emails: 50 })).claimed
    all.push(...held)
  } while (held.length > 0)
  // Nothing was due in the last claim, so this one sees the end of a subject test.
  await claim(deps, mailing, node, { emails: 50 })
  return all
}
