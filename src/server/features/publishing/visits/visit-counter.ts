import { eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { memberSources, pageVisits, visitors } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { directSource, type VisitSource } from './visit-source.ts'

type CounterDeps = Pick<Deps, 'database' | 'secrets' | 'clock' | 'logger'>

/** Address and browser of a request. */
export type Visitor = { ip: string | null; userAgent: string | null }
type View = { path: string; source: VisitSource | null; isBot: boolean; visitor: Visitor }

/** Different each day, and useless once the row is deleted. */
const hashOf = ({ secrets, clock }: Pick<CounterDeps, 'secrets' | 'clock'>, { ip, userAgent }: Visitor): string =>
  secrets.sign(`visitor ${clock().toISOString().slice(0, 10)}`, `${ip} ${userAgent}`).slice(0, 32)

const at = (now: Date) => sql`${now.toISOString()}::timestamptz`

/** Time between writes. A crash loses the views of that time. */
const flushMs = 1_000
/** Different views waiting to be written. More are dropped, so that a flood costs no memory. */
const maxWaiting = 10_000

/** Different sources and campaigns per day, which anyone can invent. The rest is counted as one source. */
const maxSourcesPerDay = 300
const otherSource: VisitSource = { source: 'other', campaign: '' }

/** Remembers the day's sources, and those of the database after a start. */
function createSourceLimit({ database, clock }: Pick<CounterDeps, 'database' | 'clock'>) {
  let day = ''
  let known = new Set<string>()
  const keyOf = ({ source, campaign }: VisitSource) => JSON.stringify([source, campaign])
  return async (given: VisitSource): Promise<VisitSource> => {
    const today = clock().toISOString().slice(0, 10)
    if (day !== today) {
      const { source, campaign } = pageVisits
      const rows = await database.db
        .selectDistinct({ source, campaign })
        .from(pageVisits)
        .where(eq(pageVisits.day, today))
        .limit(maxSourcesPerDay)
      known = new Set(rows.map(keyOf))
      day = today
    }
    const key = keyOf(given)
    if (!known.has(key) && known.size >= maxSourcesPerDay && given.source !== directSource) return otherSource
    known.add(key)
    return given
  }
}

type Waiting = Omit<View, 'visitor'> & { hash: string; views: number }

/** Collects views in memory and writes them together once a second, so that a busy page costs no statement per view. */
export function createVisitCounter(deps: CounterDeps) {
  let waiting = new Map<string, Waiting>()
  let isScheduled = false
  const limitSource = createSourceLimit(deps)

  async function flush() {
    isScheduled = false
    const batch = waiting
    waiting = new Map()
    for (const view of batch.values()) {
      try {
        await writeView(deps, { ...view, source: view.source && (await limitSource(view.source)) })
      } catch (error) {
        deps.logger.warn({ err: error }, 'counting a visit failed')
      }
    }
  }

  return (view: View) => {
    const { path, source, isBot, visitor } = view
    const hash = isBot ? '' : hashOf(deps, visitor)
    const key = JSON.stringify([hash, path, source, isBot])
    const known = waiting.get(key)
    if (known) known.views += 1
    else if (waiting.size < maxWaiting) waiting.set(key, { path, source, isBot, hash, views: 1 })
    if (isScheduled) return
    isScheduled = true
    setTimeout(() => void flush(), flushMs).unref()
  }
}

/** A bot's view is counted separately and stores nothing about the visitor. */
async function writeView({ database: { db }, clock }: CounterDeps, { path, source, isBot, hash, views }: Waiting) {
  const now = clock()
  const { isNew, from } = isBot
    ? { isNew: true, from: source ?? { source: directSource, campaign: '' } }
    : await rememberVisitor(db, hash, path, source, now)
  const row = { day: now.toISOString().slice(0, 10), path: path.slice(0, 200), ...from, isBot }
  await db
    .insert(pageVisits)
    .values({ ...row, visits: isNew ? 1 : 0, views })
    .onConflictDoUpdate({
      target: [pageVisits.day, pageVisits.path, pageVisits.source, pageVisits.campaign, pageVisits.isBot],
      set: { visits: sql`${pageVisits.visits} + excluded.visits`, views: sql`${pageVisits.views} + excluded.views` },
    })
}

/** @returns whether it is the visitor's first view today, and the source that the view belongs to */
async function rememberVisitor(db: Db, hash: string, path: string, source: VisitSource | null, now: Date) {
  const given = source ?? { source: directSource, campaign: '' }
  const [row] = await db
    .insert(visitors)
    .values({
      hash,
      firstSource: given.source,
      firstCampaign: given.campaign,
      firstPath: path.slice(0, 200),
      lastSource: given.source,
      lastCampaign: given.campaign,
      seenAt: now,
    })
    .onConflictDoUpdate({
      target: visitors.hash,
      // A view from a page of our own, or without a source, continues the visit.
      set:
        source && source.source !== directSource
          ? { lastSource: source.source, lastCampaign: source.campaign, seenAt: now }
          : { seenAt: now },
    })
    .returning({
      isNew: sql<boolean>`xmax = 0`,
      source: visitors.lastSource,
      campaign: visitors.lastCampaign,
    })
  return { isNew: row?.isNew ?? false, from: { source: row?.source ?? given.source, campaign: row?.campaign ?? '' } }
}

/** Records where someone came from who signs up or begins to pay: the first source once, the last one each time. */
export async function recordMemberSource(deps: CounterDeps, userId: string, visitor: Visitor): Promise<void> {
  const { db } = deps.database
  const now = deps.clock()
  await db.execute(sql`
    insert into ${memberSources} (user_id, first_source, first_campaign, first_path, first_at, last_source, last_campaign, last_at)
    select u.id, coalesce(v.first_source, ${directSource}), coalesce(v.first_campaign, ''), coalesce(v.first_path, ''), ${at(now)},
      coalesce(v.last_source, ${directSource}), coalesce(v.last_campaign, ''), ${at(now)}
    from auth.users u left join ${visitors} v on v.hash = ${hashOf(deps, visitor)}
    where u.id = ${userId}::uuid
    on conflict (user_id) do update set last_source = excluded.last_source, last_campaign = excluded.last_campaign,
      last_at = excluded.last_at
    where excluded.last_source <> ${directSource}`)
}

const keptDays = 90

/** Deletes counts after 90 days, and visitors after a day. */
export async function deleteOldVisits({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  const now = clock()
  await database.db.execute(sql`delete from ${pageVisits} where day < ${at(now)}::date - ${keptDays}::int`)
  await database.db.execute(sql`delete from ${visitors} where seen_at < ${at(now)} - interval '1 day'`)
}
