import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { sitePage } from '#server/db/schema/index.ts'
import { portalAddressOf } from '#shared/domain/page-addresses.ts'

/** Where a published page is read: by visitors, and by members in the portal. */
export type PageAddresses = { visitors: string; members: string }

/** Of all published pages, by id. Visitors of a page for members are led to the portal, which asks them to sign in. */
export async function readPageAddresses(db: Db | Tx): Promise<ReadonlyMap<string, PageAddresses>> {
  const rows = await db
    .select({ id: sitePage.id, path: sitePage.path, audience: sitePage.audience })
    .from(sitePage)
    .where(sql`${sitePage.publishedAt} is not null`)
  return new Map(
    rows.map(({ id, path, audience }) => {
      const members = portalAddressOf(path)
      return [id, { visitors: audience === 'everyone' ? `/${path}` : members, members }]
    }),
  )
}

/** Changes with every saved or deleted page. */
export async function readPagesVersion(db: Db | Tx): Promise<string> {
  const [row] = await db
    .select({
      version: sql<string>`count(*) || ' ' || coalesce(sum(${sitePage.version}), 0) || ' ' || coalesce(max(${sitePage.updatedAt})::text, '')`,
    })
    .from(sitePage)
  return row?.version ?? ''
}
