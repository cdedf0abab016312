import { boolean, date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { userId } from './auth-users.ts'
import { instant } from './columns.ts'

/** Views of public pages, as counts of 90 days. `visits` are the first views of a visitor on a day, in UTC. */
export const pageVisits = pgTable(
  'page_visits',
  {
    day: date('day', { mode: 'string' }).notNull(),
    path: text('path').notNull(),
    /** A name such as "newsletter.example" or "google", or "direct". */
    source: text('source').notNull(),
    /** Empty without one. */
    campaign: text('campaign').notNull(),
    isBot: boolean('is_bot').notNull(),
    visits: integer('visits').notNull(),
    views: integer('views').notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.path, t.source, t.campaign, t.isBot] })],
)

/**
 * Where the visitors of today and yesterday came from, to know it when they sign up or pay. The key is a hash of address and
 * browser that is different each day, so a visitor isn't recognized later, and rows are deleted after a day.
 */
export const visitors = pgTable(
  'visitors',
  {
    hash: text('hash').primaryKey(),
    firstSource: text('first_source').notNull(),
    firstCampaign: text('first_campaign').notNull(),
    firstPath: text('first_path').notNull(),
    lastSource: text('last_source').notNull(),
    lastCampaign: text('last_campaign').notNull(),
    seenAt: instant('seen_at').notNull(),
  },
  (t) => [index('visitors_seen_at_idx').on(t.seenAt)],
)

/** Where members came from: first when they signed up, and last when they signed up or began to pay. */
export const memberSources = pgTable(
  'member_sources',
  {
    userId: userId().primaryKey(),
    firstSource: text('first_source').notNull(),
    firstCampaign: text('first_campaign').notNull(),
    firstPath: text('first_path').notNull(),
    firstAt: instant('first_at').notNull(),
    lastSource: text('last_source').notNull(),
    lastCampaign: text('last_campaign').notNull(),
    lastAt: instant('last_at').notNull(),
  },
  (t) => [index('member_sources_first_source_idx').on(t.firstSource)],
)
