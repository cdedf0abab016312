import { and, eq, isNotNull } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { mfaFactors } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import {
  type AuthenticatorKey,
  createdCredential,
  creationOptions,
  type NewAuthenticatorKey,
  requestOptions,
  type Selection,
  signedCredential,
  verifyAssertion,
  verifyRegistration,
} from '../passkeys/webauthn.ts'
import type { FactorRow } from './factor-row.ts'

/** Credential format of Supabase Auth; bytes are padded base64. */
const storedCredential = z.object({
  id: z.string(),
  publicKey: z.string(),
  attestationType: z.string(),
  transport: z.array(z.string()).nullish(),
  flags: z.object({
    userPresent: z.boolean(),
    userVerified: z.boolean(),
    backupEligible: z.boolean(),
    backupState: z.boolean(),
  }),
  authenticator: z.object({ AAGUID: z.string().nullish(), signCount: z.number() }),
})
type StoredCredential = z.output<typeof storedCredential>

export const webauthnAnswer = z.object({
  type: z.enum(['create', 'request'], { error: 'webauthn.type needs to be create or request' }),
  credential_response: z.unknown(),
})
export type WebauthnAnswer = z.output<typeof webauthnAnswer>

/**
 * auth-js fills in missing options with a preference for external security keys. Browsers ignore the unknown value `any`,
 * so every authenticator is allowed.
 */
const anyAuthenticator: Selection = {
  authenticatorAttachment: 'any' as 'platform',
  residentKey: 'discouraged',
  requireResidentKey: false,
  userVerification: 'preferred',
}

/** Options for the browser: create a key while the factor is unverified, sign with it afterwards. */
export async function createKeyChallenge(
  deps: Pick<AuthDeps, 'config' | 'database'>,
  who: Principal,
  factor: FactorRow,
) {
  if (factor.status === 'verified') {
    const publicKey = await requestOptions(deps.config, { allow: [keyOf(factor)], userVerification: 'preferred' })
    return { challenge: publicKey.challenge, asked: { type: 'request' as const, credential_options: { publicKey } } }
  }
  const publicKey = await creationOptions(deps.config, {
    // The factor's id, because with the user's id an authenticator would overwrite their passkey.
    user: { id: factor.id, name: `${who.email || 'Your account'} (second step)` },
    exclude: await otherKeys(deps, factor),
    selection: anyAuthenticator,
  })
  return { challenge: publicKey.challenge, asked: { type: 'create' as const, credential_options: { publicKey } } }
}

async function otherKeys({ database }: Pick<AuthDeps, 'database'>, factor: FactorRow) {
  const rows = await database.db
    .select()
    .from(mfaFactors)
    .where(and(eq(mfaFactors.userId, factor.userId), isNotNull(mfaFactors.webAuthnCredential)))
  return rows.map(keyOf)
}

/**
 * Verifies the browser's response to a consumed challenge, and stores the key or its new counter.
 * @returns whether it is valid
 * @throws AppError validation_failed for a malformed credential
 */
export async function verifyKey(
  tx: Tx,
  { config }: Pick<AuthDeps, 'config'>,
  factor: FactorRow,
  given: { challenge: string; answer: WebauthnAnswer },
): Promise<boolean> {
  const { challenge, answer } = given
  if (answer.type === 'create') {
    const credential = requireCredential(createdCredential, answer)
    const key = await verifyRegistration(config, { credential, challenge, requireUserVerification: false })
    if (key) await storeCredential(tx, factor, newCredential(key), key.aaguid)
    return key !== null
  }
  const credential = requireCredential(signedCredential, answer)
  const signed = await verifyAssertion(config, {
    credential,
    key: keyOf(factor),
    challenge,
    requireUserVerification: false,
  })
  if (!signed) return false
  const stored = storedCredential.parse(factor.webAuthnCredential)
  const flags = { ...stored.flags, userVerified: signed.userVerified, backupState: signed.backedUp }
  const authenticator = { ...stored.authenticator, signCount: signed.signCount }
  await storeCredential(tx, factor, { ...stored, flags, authenticator }, factor.webAuthnAaguid)
  return true
}

/** @throws AppError validation_failed */
export function requireCredential<Schema extends z.ZodType>(
  schema: Schema,
  answer: Pick<WebauthnAnswer, 'credential_response'>,
): z.output<Schema> {
  const parsed = schema.safeParse(answer.credential_response)
  if (!parsed.success) throw new AppError('validation_failed', { message: 'The credential isn’t valid' })
  return parsed.data
}

/** Checks the form of a response before its challenge is consumed. @throws AppError validation_failed */
export function requireMatchingAnswer(factor: Pick<FactorRow, 'status'>, answer: WebauthnAnswer): void {
  const expected = factor.status === 'verified' ? 'request' : 'create'
  if (answer.type !== expected) {
    throw new AppError('validation_failed', { message: `webauthn.type needs to be ${expected} for this factor` })
  }
  requireCredential(expected === 'create' ? createdCredential : signedCredential, answer)
}

const storeCredential = (tx: Tx, factor: FactorRow, credential: StoredCredential, aaguid: string | null) =>
  tx
    .update(mfaFactors)
    .set({ webAuthnCredential: credential, webAuthnAaguid: aaguid })
    .where(eq(mfaFactors.id, factor.id))

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const toBytes = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'))

const newCredential = (key: NewAuthenticatorKey): StoredCredential => ({
  id: toText(key.id),
  publicKey: toText(key.publicKey),
  attestationType: 'none',
  transport: key.transports,
  flags: {
    userPresent: true,
    userVerified: key.userVerified,
    backupEligible: key.backupEligible,
    backupState: key.backedUp,
  },
  authenticator: {
    AAGUID: Buffer.from((key.aaguid ?? '').replaceAll('-', ''), 'hex').toString('base64'),
    signCount: key.signCount,
  },
})

function keyOf(factor: FactorRow): AuthenticatorKey {
  const { id, publicKey, transport, authenticator } = storedCredential.parse(factor.webAuthnCredential)
  return {
    id: toBytes(id),
    publicKey: toBytes(publicKey),
    signCount: authenticator.signCount,
    transports: transport ?? [],
  }
}
