import { createHash } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { oneTimeTokens } from '#server/db/schema/index.ts'

export type TokenRow = typeof oneTimeTokens.$inferSelect
export type TokenKind = TokenRow['tokenType']

export const tokenLifetimeMs = 60 * 60_000
/** Marks a link that was asked for with a code challenge: following it yields a code for the one who asked. */
export const pkcePrefix = 'pkce_'

type TokenSubject = { userId: string; kind: TokenKind; email: string }

/**
 * Makes the pair that one mail carries: a 6-digit code, and the link's token, which is the code under the server's key.
 * One row therefore serves both, spending either spends both, and the table alone reveals neither. Asked again within the
 * hour it gives the same pair, good for another hour, so that nobody voids somebody's mail by asking for the next.
 */
export async function issueOneTimeToken(
  tx: Tx,
  secrets: SecretBox,
  subject: TokenSubject & { pkce: boolean; now: Date },
): Promise<{ token: string; code: string }> {
  const { now } = subject
  const live = await findReusable(tx, secrets, subject)
  if (live) {
    await tx.update(oneTimeTokens).set({ updatedAt: now }).where(eq(oneTimeTokens.id, live.id))
    return pairOf(secrets, subject, live.id)
  }
  const id = crypto.randomUUID()
  const pair = pairOf(secrets, subject, id)
  const fresh = { id, tokenHash: hashToken(pair.token), relatesTo: subject.email, createdAt: now, updatedAt: now }
  await tx
    .insert(oneTimeTokens)
    .values({ userId: subject.userId, tokenType: subject.kind, ...fresh })
    .onConflictDoUpdate({ target: [oneTimeTokens.userId, oneTimeTokens.tokenType], set: fresh })
  return pair
}

/** The row to mail once more: young, for the same mailbox, and of a link that the wanted one may stand beside. */
async function findReusable(
  tx: Tx,
  secrets: SecretBox,
  subject: TokenSubject & { pkce: boolean; now: Date },
): Promise<TokenRow | null> {
  const { userId, kind, email, pkce, now } = subject
  const [row] = await tx
    .select()
    .from(oneTimeTokens)
    .where(and(eq(oneTimeTokens.userId, userId), eq(oneTimeTokens.tokenType, kind)))
    .for('update')
  if (!row || row.relatesTo !== email || now.getTime() - row.createdAt.getTime() >= tokenLifetimeMs) return null
  const { token } = pairOf(secrets, subject, row.id)
  const hashes = pkce ? [token, withoutPrefix(token)] : [token]
  return hashes.map(hashToken).includes(row.tokenHash) ? row : null
}

/** Six digits that follow from the row's random id under the server's key, and the token that follows from them. */
function pairOf(secrets: SecretBox, subject: TokenSubject & { pkce: boolean }, id: string) {
  const drawn = Buffer.from(secrets.sign('one-time-code', id), 'base64url').readUIntBE(0, 6)
  const code = (drawn % 1_000_000).toString().padStart(6, '0')
  return { token: tokenOf(secrets, subject, code, subject.pkce), code }
}

/**
 * Looks only: a mail scanner's GET must find the link unspent afterwards. A link of the PKCE flow, which opens less, may
 * share the row of a plain one; never the other way round.
 */
export async function findByToken(
  db: Db,
  token: string,
  kinds: readonly TokenKind[],
  now: Date,
): Promise<TokenRow | null> {
  const rows = await db
    .select()
    .from(oneTimeTokens)
    .where(inArray(oneTimeTokens.tokenHash, [token, withoutPrefix(token)].map(hashToken)))
  return rows.find((row) => kinds.includes(row.tokenType) && isAlive(row, now)) ?? null
}

/** A code is bound to the address that it was mailed to. */
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
  const fits = (row: TokenRow) =>
    [false, true].some((pkce) => {
      const token = tokenOf(secrets, { userId: row.userId, kind: row.tokenType, email }, code, pkce)
      return hashToken(token) === row.tokenHash
    })
  return rows.find((row) => isAlive(row, now) && fits(row)) ?? null
}

/** Wins once, whoever comes with it: link or code, one tab or two. */
export async function spendToken(tx: Tx, row: TokenRow): Promise<boolean> {
  const spent = await tx
    .delete(oneTimeTokens)
    .where(and(eq(oneTimeTokens.id, row.id), eq(oneTimeTokens.tokenHash, row.tokenHash)))
    .returning({ id: oneTimeTokens.id })
  return spent.length > 0
}

export async function voidTokens(tx: Tx, userId: string): Promise<void> {
  await tx.delete(oneTimeTokens).where(eq(oneTimeTokens.userId, userId))
}

function tokenOf(secrets: SecretBox, { userId, kind, email }: TokenSubject, code: string, pkce: boolean): string {
  const signed = secrets.sign('one-time-token', [kind, userId, email, code].join('\n'))
  return `${pkce ? pkcePrefix : ''}${Buffer.from(signed, 'base64url').toString('hex')}`
}

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

const withoutPrefix = (token: string) => (token.startsWith(pkcePrefix) ? token.slice(pkcePrefix.length) : token)

/** Counted from the last mail. */
const isAlive = (row: TokenRow, now: Date) => now.getTime() - row.updatedAt.getTime() < tokenLifetimeMs
