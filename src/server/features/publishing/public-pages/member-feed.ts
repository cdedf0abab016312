import { and, eq, isNull, sql } from 'drizzle-orm'
import { memberFeeds, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { hasAccess, readAccessFacts } from '#server/features/billing/subscriptions/access/read-access.ts'
import { isUuid } from '#server/features/identity/auth/auth-deps.ts'

type FeedDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock'>

const purpose = 'member feed'

/** The token isn't stored: it signs the member and the version, which a replacement raises. */
const tokenOf = ({ secrets }: Pick<FeedDeps, 'secrets'>, userId: string, version: number) =>
  `${userId}.${version}.${secrets.sign(purpose, `${userId} ${version}`)}`

/** The address of a member's feed. With `replace` it is a new one, and the earlier one ends. */
export async function memberFeedAddress(deps: FeedDeps, userId: string, replace: boolean): Promise<string> {
  const now = deps.clock()
  const [row] = await deps.database.db
    .insert(memberFeeds)
    .values({ userId, version: 1, changedAt: now })
    .onConflictDoUpdate({
      target: memberFeeds.userId,
      set: replace ? { version: sql`${memberFeeds.version} + 1`, changedAt: now } : { version: memberFeeds.version },
    })
    .returning({ version: memberFeeds.version })
  return `${deps.config.publicUrl}/feed/${tokenOf(deps, userId, row?.version ?? 1)}.xml`
}

export type FeedReader = { userId: string; hasAccess: boolean }

/** Who a token was made for, also after it was replaced; null for anything else. */
export function readFeedToken({ secrets }: Pick<FeedDeps, 'secrets'>, token: string) {
  const [userId = '', written = '', signature = '', ...more] = token.split('.')
  const version = Number(written)
  if (more.length > 0 || !isUuid(userId) || !Number.isSafeInteger(version)) return null
  return secrets.verify(purpose, `${userId} ${version}`, signature) ? { userId, version } : null
}

/** Whose current token it is; null for any other. */
export async function findFeedReader(deps: FeedDeps, token: string): Promise<FeedReader | null> {
  const signed = readFeedToken(deps, token)
  if (!signed) return null
  const { userId, version } = signed
  const { db } = deps.database
  const [row] = await db
    .select({ version: memberFeeds.version, bannedUntil: users.bannedUntil })
    .from(memberFeeds)
    .innerJoin(users, and(eq(users.id, memberFeeds.userId), isNull(users.deletedAt)))
    .where(eq(memberFeeds.userId, userId))
  const now = deps.clock()
  if (row?.version !== version || (row.bannedUntil && row.bannedUntil > now)) return null
  return { userId, hasAccess: hasAccess(deps.config, await readAccessFacts(db, userId), now) }
}
