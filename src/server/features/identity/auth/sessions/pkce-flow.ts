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

/** Longer than any emailed link is valid. */
const flowLifetimeMs = 24 * 60 * 60_000
const authCodeLifetimeMs = 5 * 60_000

/** @throws AppError validation_failed if one field is missing or malformed */
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

/** Prefix of link tokens that were requested with a code challenge. They yield an auth code. */
export const pkcePrefix = 'pkce_'

/**
 * Stores one request with a code challenge. Other requests for the same account keep theirs, because anyone can request an
 * email to any address.
 * @returns the token for this flow's link
 */
export async function createFlow(
  tx: Tx,
  flow: Challenge & { userId: string; kind: FlowKind; oneTimeTokenId: string; now: Date },
): Promise<string> {
  const linkToken = `${pkcePrefix}${randomBytes(32).toString('hex')}`
  const expiredBefore = new Date(flow.now.getTime() - flowLifetimeMs)
  await tx.delete(flowState).where(and(eq(flowState.userId, flow.userId), lt(flowState.createdAt, expiredBefore)))
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

/** Deletes all flows of a user except the given one. */
export async function endFlows(tx: Tx, { userId, except }: { userId: string; except: string | null }): Promise<void> {
  const others = except ? ne(flowState.id, except) : undefined
  await tx.delete(flowState).where(and(eq(flowState.userId, userId), others))
}

/** Deletes the other flows of a one-time token that has been consumed. */
export async function endSiblingFlows(
  tx: Tx,
  { oneTimeTokenId, except }: { oneTimeTokenId: string; except: string | null },
): Promise<void> {
  const others = except ? ne(flowState.id, except) : undefined
  await tx.delete(flowState).where(and(eq(flowState.oneTimeTokenId, oneTimeTokenId), others))
}

/** @returns an auth code, or null if the flow has ended. Only the hash is stored. */
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
 * Consumes an auth code, even if the verifier is wrong.
 * @returns the user, or the error. The caller throws it after committing, so that the code stays consumed.
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
  if (!flow.userId || !matchesChallenge(flow, given.verifier)) return new ProtocolError('bad_code_verifier')
  return { userId: flow.userId, kind: flow.authenticationMethod }
}

function matchesChallenge(
  flow: { codeChallenge: string; codeChallengeMethod: 's256' | 'plain' },
  verifier: string,
): boolean {
  const computed =
    flow.codeChallengeMethod === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url')
  return computed === flow.codeChallenge
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
