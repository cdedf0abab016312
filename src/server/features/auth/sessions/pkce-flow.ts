import { createHash, randomBytes } from 'node:crypto'
import { and, eq, lt, ne } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { flowState } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import { ProtocolError } from '../protocol-error.ts'

export const challengeFields = { code_challenge: z.string().nullish(), code_challenge_method: z.string().nullish() }

export type Challenge = { challenge: string; method: 's256' | 'plain' }
export type FlowKind = 'email/signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change'

/** Longer than any mail of a flow is good for, however often it was asked for again. */
const flowLifetimeMs = 24 * 60 * 60_000
const authCodeLifetimeMs = 5 * 60_000

/** @throws AppError validation_failed when one field comes without the other or is malformed */
export function readCodeChallenge(body: {
  code_challenge?: string | null
  code_challenge_method?: string | null
}): Challenge | null {
  const { code_challenge: challenge, code_challenge_method: method } = body
  if (!challenge && !method) return null
  if (!challenge || !method) {
    throw new AppError('validation_failed', {
      message: 'PKCE flow requires both code_challenge and code_challenge_method',
    })
  }
  const known = method.toLowerCase()
  if (known !== 's256' && known !== 'plain') {
    throw new AppError('validation_failed', { message: 'code challenge method must be s256 or plain' })
  }
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(challenge)) {
    throw new AppError('validation_failed', {
      message: 'code challenge has to be between 43 and 128 unreserved characters',
    })
  }
  return { challenge, method: known }
}

/** Marks a link that was requested with a code challenge: following it yields a code for the one who asked. */
export const pkcePrefix = 'pkce_'

/**
 * Remembers one request with a code challenge, beside those of others: anyone may ask for an email to any address.
 * @returns the token of the link, which leads to this flow and no other
 */
export async function createFlow(
  tx: Tx,
  flow: Challenge & { userId: string; kind: FlowKind; oneTimeTokenId: string; now: Date },
): Promise<string> {
  const linkToken = `${pkcePrefix}${randomBytes(32).toString('hex')}`
  const forgotten = new Date(flow.now.getTime() - flowLifetimeMs)
  await tx.delete(flowState).where(and(eq(flowState.userId, flow.userId), lt(flowState.createdAt, forgotten)))
  await tx.insert(flowState).values({
    id: crypto.randomUUID(),
    userId: flow.userId,
    authCode: sha256(randomBytes(32).toString('hex')),
    codeChallengeMethod: flow.method,
    codeChallenge: flow.challenge,
    providerType: 'email',
    authenticationMethod: flow.kind,
    linkTokenHash: sha256(linkToken),
    oneTimeTokenId: flow.oneTimeTokenId,
    createdAt: flow.now,
    updatedAt: flow.now,
  })
  return linkToken
}

/** Ends what others have begun; the flow whose link was followed goes on. */
export async function endFlows(tx: Tx, { userId, except }: { userId: string; except: string | null }): Promise<void> {
  const others = except ? ne(flowState.id, except) : undefined
  await tx.delete(flowState).where(and(eq(flowState.userId, userId), others))
}

/** Ends the other flows whose links would have spent a token that is spent now. */
export async function endSiblingFlows(
  tx: Tx,
  { oneTimeTokenId, except }: { oneTimeTokenId: string; except: string | null },
): Promise<void> {
  const others = except ? ne(flowState.id, except) : undefined
  await tx.delete(flowState).where(and(eq(flowState.oneTimeTokenId, oneTimeTokenId), others))
}

/** @returns the code for the one flow, or null when it has ended. Only its hash is stored. */
export async function issueAuthCode(tx: Tx, flow: { id: string; now: Date }): Promise<string | null> {
  const code = crypto.randomUUID()
  const updated = await tx
    .update(flowState)
    .set({ authCode: sha256(code), authCodeIssuedAt: flow.now, updatedAt: flow.now })
    .where(eq(flowState.id, flow.id))
    .returning({ id: flowState.id })
  return updated.length > 0 ? code : null
}

/**
 * Takes an auth code, once. A wrong verifier spends it as well: whoever holds the code alone gets a single guess.
 * @returns whose it is, or why not; the caller throws after its transaction has kept the deletion
 */
export async function redeemAuthCode(
  tx: Tx,
  given: { authCode: string; verifier: string; now: Date },
): Promise<{ userId: string; kind: string } | ProtocolError> {
  const [flow] = await tx
    .delete(flowState)
    .where(eq(flowState.authCode, sha256(given.authCode)))
    .returning()
  const issuedAt = flow?.authCodeIssuedAt
  if (!issuedAt) return new ProtocolError('flow_state_not_found')
  if (given.now.getTime() - issuedAt.getTime() > authCodeLifetimeMs) return new ProtocolError('flow_state_expired')
  if (!flow.userId || !answersChallenge(flow, given.verifier)) return new ProtocolError('bad_code_verifier')
  return { userId: flow.userId, kind: flow.authenticationMethod }
}

function answersChallenge(
  flow: { codeChallenge: string; codeChallengeMethod: 's256' | 'plain' },
  verifier: string,
): boolean {
  const answer =
    flow.codeChallengeMethod === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url')
  return answer === flow.codeChallenge
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
