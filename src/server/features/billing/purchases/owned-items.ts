import { and, eq, isNotNull, or, sql } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { purchase } from '#server/db/schema/index.ts'
import { hasAccess } from '#server/features/billing/subscriptions/access/read-access.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'

/** Ids of packs and guides. */
export type OwnedItems = { packs: string[]; guides: string[] }

const isOwned = (userId: string) =>
  and(eq(purchase.userId, userId), eq(purchase.state, 'paid'), isNotNull(purchase.itemId))

/** Items that someone paid for, also those that aren't published anymore. A refund or dispute closes them. */
export async function ownedItems(db: Db | Tx, userId: string): Promise<OwnedItems> {
  const rows = await db.select({ kind: purchase.itemKind, id: purchase.itemId }).from(purchase).where(isOwned(userId))
  const idsOf = (kind: string) => rows.flatMap((row) => (row.kind === kind && row.id ? row.id : []))
  return { packs: idsOf('prompt-pack'), guides: idsOf('guide') }
}

export const ownsItem = async (db: Db | Tx, userId: string): Promise<boolean> =>
  (await db.$count(purchase, isOwned(userId))) > 0

/** True for a guide that someone paid for, and a prompt of a pack that they paid for. */
export const isBought = async (
  db: Db | Tx,
  userId: string,
  { kind, id }: { kind: string; id: string },
): Promise<boolean> => {
  const isGuide = and(eq(purchase.itemKind, 'guide'), eq(purchase.itemId, id), sql`${kind} = 'guide'`)
  const pack = sql`(select p.category_id from prompts p where p.id = ${id})`
  const isPrompt = and(eq(purchase.itemKind, 'prompt-pack'), eq(purchase.itemId, pack), sql`${kind} = 'prompt'`)
  return (await db.$count(purchase, and(isOwned(userId), or(isGuide, isPrompt)))) > 0
}

type AccessDeps = { config: Pick<Config, 'settings' | 'stripe'>; database: { db: Db }; clock: () => Date }

/** Null for members, to whom everything is open. */
export const itemsOpenTo = async (deps: AccessDeps, who: Principal): Promise<OwnedItems | null> =>
  hasAccess(deps.config, who, deps.clock()) ? null : ownedItems(deps.database.db, who.userId)

/** @throws AppError not_subscribed */
export async function requireGuide(deps: AccessDeps, who: Principal, id: string): Promise<{ isBought: boolean }> {
  const only = await itemsOpenTo(deps, who)
  if (only && !only.guides.includes(id)) throw new AppError('not_subscribed')
  return { isBought: only !== null }
}
