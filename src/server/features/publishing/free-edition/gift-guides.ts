import { and, asc, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { guides } from '#server/db/schema/index.ts'

const columns = {
  id: guides.id,
  title: guides.title,
  description: guides.description,
  format: guides.format,
  extent: guides.extent,
  inside: guides.inside,
}
export type GiftGuide = Pick<typeof guides.$inferSelect, keyof typeof columns>

const isGift = and(eq(guides.gift, true), isNotNull(guides.publishedAt))

/** Guides that come with the free edition, in the order of the portal. */
export const listGiftGuides = (db: Db): Promise<GiftGuide[]> =>
  db.select(columns).from(guides).where(isGift).orderBy(asc(guides.position), asc(guides.id))

/** Null if the guide isn't a gift, or not any longer. */
export async function findGiftGuide(db: Db, id: string | undefined): Promise<GiftGuide | null> {
  if (!id || !/^[a-z0-9-]{1,200}$/.test(id)) return null
  const [guide] = await db
    .select(columns)
    .from(guides)
    .where(and(isGift, eq(guides.id, id)))
  return guide ?? null
}
