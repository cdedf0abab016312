import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, inArray, isNotNull, isNull, notInArray } from 'drizzle-orm'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { flowState, oneTimeTokens } from '#server/db/schema/index.ts'
import { pkcePrefix } from '../sessions/pkce-flow.ts'

export type TokenRow = typeof oneTimeTokens.$inferSelect
export type TokenKind = TokenRow['tokenType']
/** A token, and the PKCE flow of its link; null without a code challenge and for a typed code. */
export type FoundToken = { row: TokenRow; flowId: string | null }

const tokenLifetimeMs = 60 * 60_000
/** Expiry of a token emailed now, as an ISO instant. */
export const tokenExpiry = (now: Date) => new Date(now.getTime() + tokenLifetimeMs).toISOString()
/** Sign-up tokens per unconfirmed address, since each has a guessable code. The oldest are deleted. */
const maxSignUps = 5

type TokenSubject = { userId: string; kind: TokenKind; email: string }
/** Credentials of a sign-up. They take effect when its token is verified. */
export type SignUpCredentials = { passwordHash: string; data: Record<string, unknown> }
export type IssuedToken = { id: string; token: string; code: string }

/**
 * Issues a 6-digit code and a link token for one email. Both share a row, so using one consumes both; only a hash is stored.
 * A request within an hour returns the same pair and extends it, so that earlier emails keep working.
 * @param data metadata for the account that this token confirms
 */
export async function issueOneTimeToken(
  tx: Tx,
  secrets: SecretBox,
  subject: TokenSubject & { data?: Record<string, unknown>; now: Date },
): Promise<IssuedToken> {
  const { userId, kind, email, data, now } = subject
  const given = data && { rawUserMetaData: data }
  const [live] = await tx.select().from(oneTimeTokens).where(isPlain(userId, kind)).for('update')
  if (live && live.relatesTo === email && isRecent(live, now)) {
    const again = derivePair(secrets, subject, live.id)
    await tx
      .update(oneTimeTokens)
      .set({ tokenHash: sha256(again.token), updatedAt: now, ...given })
      .where(eq(oneTimeTokens.id, live.id))
    return again
  }
  const { id, ...pair } = derivePair(secrets, subject, crypto.randomUUID())
  const fresh = { id, tokenHash: sha256(pair.token), relatesTo: email, createdAt: now, updatedAt: now }
  const set = { ...fresh, rawUserMetaData: data ?? null }
  await tx
    .insert(oneTimeTokens)
    .values({ userId, tokenType: kind, ...set })
    .onConflictDoUpdate({
      target: [oneTimeTokens.userId, oneTimeTokens.tokenType],
      targetWhere: isNull(oneTimeTokens.encryptedPassword),
      set,
    })
  return { id, ...pair }
}

const isPlain = (userId: string, kind: TokenKind) =>
  and(eq(oneTimeTokens.userId, userId), eq(oneTimeTokens.tokenType, kind), isNull(oneTimeTokens.encryptedPassword))

/** Issues a token for one sign-up of an unconfirmed address. Other sign-ups with that address keep theirs. */
export async function issueSignUpToken(
  tx: Tx,
  secrets: SecretBox,
  signUp: { userId: string; email: string; credentials: SignUpCredentials; now: Date },
): Promise<IssuedToken> {
  const { userId, email, credentials, now } = signUp
  const subject = { userId, email, kind: 'confirmation_token' } as const
  const { id, token, code } = derivePair(secrets, subject, crypto.randomUUID())
  await tx.insert(oneTimeTokens).values({
    id,
    userId,
    tokenType: subject.kind,
    tokenHash: sha256(token),
    relatesTo: email,
    encryptedPassword: credentials.passwordHash,
    rawUserMetaData: credentials.data,
    createdAt: now,
    updatedAt: now,
  })
  const kept = (await findSignUpTokens(tx, userId)).slice(0, maxSignUps).map((row) => row.id)
  await tx.delete(oneTimeTokens).where(and(isSignUpOf(userId), notInArray(oneTimeTokens.id, kept)))
  return { id, token, code }
}

const isSignUpOf = (userId: string) => and(eq(oneTimeTokens.userId, userId), isNotNull(oneTimeTokens.encryptedPassword))

/** Tokens of unconfirmed sign-ups, expired ones included, newest first. */
export const findSignUpTokens = (db: Db | Tx, userId: string): Promise<TokenRow[]> =>
  db.select().from(oneTimeTokens).where(isSignUpOf(userId)).orderBy(desc(oneTimeTokens.createdAt))

/** Older than any token that can still be redeemed. */
const earlierSignUpAgeMs = 2 * 60 * 60_000

/**
 * Records a sign-up that has no token row: it expired, or predates tokens per sign-up. The row can't be redeemed; it
 * only shows that the next sign-up isn't the first for this address.
 */
export async function recordEarlierSignUp(
  tx: Tx,
  { userId, email, passwordHash, now }: { userId: string; email: string; passwordHash: string | null; now: Date },
): Promise<void> {
  if ((await findSignUpTokens(tx, userId)).length > 0) return
  const earlier = new Date(now.getTime() - earlierSignUpAgeMs)
  await tx.insert(oneTimeTokens).values({
    id: crypto.randomUUID(),
    userId,
    tokenType: 'confirmation_token',
    // Matches no token.
    tokenHash: randomBytes(32).toString('hex'),
    relatesTo: email,
    encryptedPassword: passwordHash ?? '',
    createdAt: earlier,
    updatedAt: earlier,
  })
}

/** Returns the pair of a sign-up again, or a new one if it is older than an hour. */
export async function renewSignUpToken(tx: Tx, secrets: SecretBox, row: TokenRow, now: Date): Promise<IssuedToken> {
  const id = isRecent(row, now) ? row.id : crypto.randomUUID()
  const pair = derivePair(secrets, { userId: row.userId, kind: row.tokenType, email: row.relatesTo }, id)
  const createdAt = id === row.id ? row.createdAt : now
  await tx
    .update(oneTimeTokens)
    .set({ id, tokenHash: sha256(pair.token), createdAt, updatedAt: now })
    .where(eq(oneTimeTokens.id, row.id))
  return pair
}

/** Derives code and token from the row's random id and SECRET_KEY. */
function derivePair(secrets: SecretBox, subject: TokenSubject, id: string): IssuedToken {
  const drawn = Buffer.from(secrets.sign('one-time-code', id), 'base64url').readUIntBE(0, 6)
  const code = (drawn % 1_000_000).toString().padStart(6, '0')
  return { id, token: tokenOf(secrets, { ...subject, id }, code), code }
}

/** Finds an unexpired token without consuming it, because email scanners follow links. */
export async function findByToken(
  db: Db,
  token: string,
  kinds: readonly TokenKind[],
  now: Date,
): Promise<FoundToken | null> {
  const found = token.startsWith(pkcePrefix) ? await findByFlow(db, token) : await findPlain(db, token)
  return found && kinds.includes(found.row.tokenType) && isUnexpired(found.row, now) ? found : null
}

async function findPlain(db: Db, token: string): Promise<FoundToken | null> {
  const [row] = await db
    .select()
    .from(oneTimeTokens)
    .where(eq(oneTimeTokens.tokenHash, sha256(token)))
  return row ? { row, flowId: null } : null
}

async function findByFlow(db: Db, token: string): Promise<FoundToken | null> {
  const [found] = await db
    .select({ row: oneTimeTokens, flowId: flowState.id })
    .from(flowState)
    .innerJoin(oneTimeTokens, eq(oneTimeTokens.id, flowState.oneTimeTokenId))
    .where(eq(flowState.linkTokenHash, sha256(token)))
  return found ?? null
}

/** Finds an unexpired token by its code and the address that it was sent to. */
export async function findByCode(
  db: Db | Tx,
  secrets: SecretBox,
  given: { email: string; code: string; kinds: readonly TokenKind[]; now: Date },
): Promise<TokenRow | null> {
  const { email, code, kinds, now } = given
  const rows = await db
    .select()
    .from(oneTimeTokens)
    .where(and(eq(oneTimeTokens.relatesTo, email), inArray(oneTimeTokens.tokenType, [...kinds])))
  const matches = (row: TokenRow) =>
    sha256(tokenOf(secrets, { id: row.id, userId: row.userId, kind: row.tokenType, email }, code)) === row.tokenHash
  return rows.find((row) => isUnexpired(row, now) && matches(row)) ?? null
}

/** Returns true if the user has an unexpired token of this kind. */
export async function isOutstanding(tx: Tx, userId: string, kind: TokenKind, now: Date): Promise<boolean> {
  const rows = await tx.select().from(oneTimeTokens).where(isPlain(userId, kind))
  return rows.some((row) => isUnexpired(row, now))
}

/** Deletes the token. @returns false if it was already used */
export async function consumeToken(tx: Tx, row: TokenRow): Promise<boolean> {
  const consumed = await tx
    .delete(oneTimeTokens)
    .where(and(eq(oneTimeTokens.id, row.id), eq(oneTimeTokens.tokenHash, row.tokenHash)))
    .returning({ id: oneTimeTokens.id })
  return consumed.length > 0
}

/** Revokes all other sign-ups once one is confirmed. */
export async function revokeSignUpTokens(tx: Tx, userId: string): Promise<void> {
  await tx.delete(oneTimeTokens).where(isSignUpOf(userId))
}

export async function revokeTokens(tx: Tx, userId: string): Promise<void> {
  await tx.delete(oneTimeTokens).where(eq(oneTimeTokens.userId, userId))
}

function tokenOf(secrets: SecretBox, { id, userId, kind, email }: TokenSubject & { id: string }, code: string) {
  const signed = secrets.sign('one-time-token', [id, kind, userId, email, code].join('\n'))
  return Buffer.from(signed, 'base64url').toString('hex')
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const isRecent = (row: TokenRow, now: Date) => now.getTime() - row.createdAt.getTime() < tokenLifetimeMs

/** The lifetime counts from the last email. */
export const isUnexpired = (row: TokenRow, now: Date) => now.getTime() - row.updatedAt.getTime() < tokenLifetimeMs
