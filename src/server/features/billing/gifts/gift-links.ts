import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { gift, type giftLink } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { AppError } from '#shared/errors.ts'

export type GiftRow = typeof gift.$inferSelect
export type GiftDeps = Pick<Deps, 'config' | 'database' | 'logger' | 'clock' | 'stripe' | 'enqueue' | 'secrets'>

/*
 * Tokens are derived from the server's secret, so that later emails can contain the same link; the table has only hashes.
 * After a change of the secret, the token of an earlier one is found by its hash.
 */

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

const giverPurpose = 'gift giver'
const claimPurpose = 'gift claim'
const publisherPurpose = 'gift link'

export const newGiverToken = (secrets: SecretBox, id: string): string => secrets.sign(giverPurpose, id)
export const newClaimToken = (secrets: SecretBox, { id, addressVersion }: Pick<GiftRow, 'id' | 'addressVersion'>) =>
  secrets.sign(claimPurpose, `${id} ${addressVersion}`)

const known = (secrets: SecretBox, purpose: string, text: string, hash: string | null) =>
  secrets.signatures(purpose, text).find((token) => hashToken(token) === hash) ?? secrets.sign(purpose, text)

/** Tokens are in the fragment, which servers and their logs never see. */
const link = ({ publicUrl }: GiftDeps['config'], page: string, token: string) =>
  `${publicUrl}/gift/${page}#gift=${token}`

export const statusLink = ({ config, secrets }: Pick<GiftDeps, 'config' | 'secrets'>, row: GiftRow): string =>
  link(config, 'status', known(secrets, giverPurpose, row.id, row.giverTokenHash))

export const claimLink = ({ config, secrets }: Pick<GiftDeps, 'config' | 'secrets'>, row: GiftRow): string =>
  link(config, 'claim', known(secrets, claimPurpose, `${row.id} ${row.addressVersion}`, row.claimTokenHash))

/** The token of a link that the publisher made. */
export const newPublisherToken = (secrets: SecretBox, id: string): string => secrets.sign(publisherPurpose, id)

export const publisherLink = (
  { config, secrets }: Pick<GiftDeps, 'config' | 'secrets'>,
  { id, tokenHash }: Pick<typeof giftLink.$inferSelect, 'id' | 'tokenHash'>,
): string => link(config, 'link', known(secrets, publisherPurpose, id, tokenHash))

/** @throws AppError gift_invalid */
export async function findByGiverToken(db: Db | Tx, token: string): Promise<GiftRow> {
  const [row] = await db
    .select()
    .from(gift)
    .where(eq(gift.giverTokenHash, hashToken(token)))
  if (!row) throw new AppError('gift_invalid')
  return row
}

/** @throws AppError gift_invalid */
export async function findByClaimToken(db: Db | Tx, token: string): Promise<GiftRow> {
  const [row] = await db
    .select()
    .from(gift)
    .where(eq(gift.claimTokenHash, hashToken(token)))
  if (!row) throw new AppError('gift_invalid')
  return row
}

/** Locks the gift until the transaction ends; null if it was deleted meanwhile. */
export async function lockGift(tx: Tx, id: string): Promise<GiftRow | null> {
  const [row] = await tx.select().from(gift).where(eq(gift.id, id)).for('update')
  return row ?? null
}
