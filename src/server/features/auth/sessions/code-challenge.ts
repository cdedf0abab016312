import { createHash, randomBytes } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { flowState } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import { ProtocolError } from '../protocol-error.ts'

export const challengeFields = { code_challenge: z.string().nullish(), code_challenge_method: z.string().nullish() }

export type Challenge = { challenge: string; method: 's256' | 'plain' }
export type FlowKind = 'email/signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change'

/** A recovery and a magic link replace one another, so that their flows do too. */
const sharedToken: readonly FlowKind[] = ['recovery', 'magiclink']
const authCodeLifetimeMs = 5 * 60_000

/** @throws AppError validation_failed when one field comes without the other or is malformed */
export function readChallenge(body: {
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

/** Remembers who asked; the newest request replaces the older one, as its mail does. */
export async function beginFlow(
  tx: Tx,
  flow: Challenge & { userId: string; kind: FlowKind; now: Date },
): Promise<void> {
  const replaced = sharedToken.includes(flow.kind) ? sharedToken : [flow.kind]
  const older = and(eq(flowState.userId, flow.userId), inArray(flowState.authenticationMethod, [...replaced]))
  await tx.delete(flowState).where(older)
  await tx.insert(flowState).values({
    id: crypto.randomUUID(),
    userId: flow.userId,
    authCode: hashCode(randomBytes(32).toString('hex')),
    codeChallengeMethod: flow.method,
    codeChallenge: flow.challenge,
    providerType: 'email',
    authenticationMethod: flow.kind,
    createdAt: flow.now,
    updatedAt: flow.now,
  })
}

/** @returns the code for the one who asked, or null when nobody did. Only its hash is stored. */
export async function issueAuthCode(tx: Tx, { userId, kind, now }: { userId: string; kind: FlowKind; now: Date }) {
  const code = crypto.randomUUID()
  const updated = await tx
    .update(flowState)
    .set({ authCode: hashCode(code), authCodeIssuedAt: now, updatedAt: now })
    .where(and(eq(flowState.userId, userId), eq(flowState.authenticationMethod, kind)))
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
    .where(eq(flowState.authCode, hashCode(given.authCode)))
    .returning()
  if (!flow?.userId || !flow.authCodeIssuedAt) return new ProtocolError('flow_state_not_found')
  if (given.now.getTime() - flow.authCodeIssuedAt.getTime() > authCodeLifetimeMs)
    return new ProtocolError('flow_state_expired')
  if (!answersChallenge(flow, given.verifier)) return new ProtocolError('bad_code_verifier')
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

const hashCode = (code: string) => createHash('sha256').update(code).digest('hex')
